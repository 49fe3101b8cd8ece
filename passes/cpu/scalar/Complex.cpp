// What the ops mean on complex operands. complex<f32> computes functions in f64
// and rounds each part once.
#include "passes/cpu/scalar/ComplexParts.h"
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

/// A function of f64 parts as the emission of an op on any complex type.
template <Parts (*function)(Parts)> static Expr emitUnary(Context &cx, Args a) {
  return joinAs(function(widen(split(a[0]))), a[0].type());
}

static Expr emitAdd(Context &cx, Args a) {
  return join(split(a[0]) + split(a[1]));
}
static Expr emitSubtract(Context &cx, Args a) {
  return join(split(a[0]) - split(a[1]));
}
static Expr emitMultiply(Context &cx, Args a) {
  return join(split(a[0]) * split(a[1]));
}
static Expr emitDivide(Context &cx, Args a) {
  return joinAs(widen(split(a[0])) / widen(split(a[1])), a[0].type());
}
static Expr emitSquare(Context &cx, Args a) {
  return join(split(a[0]) * split(a[0]));
}
static Expr emitNegate(Context &cx, Args a) { return join(-split(a[0])); }
static Expr emitConj(Context &cx, Args a) { return join(conj(split(a[0]))); }
static Expr emitReal(Context &cx, Args a) { return split(a[0]).re; }
static Expr emitImag(Context &cx, Args a) { return split(a[0]).im; }

static Expr emitAbs(Context &cx, Args a) {
  Parts z = split(a[0]);
  return truncate(hypot(widen(z)), z.re.type());
}

/// z / |z|, and z itself where it is zero.
static Expr emitSign(Context &cx, Args a) {
  Parts z = widen(split(a[0]));
  Expr length = hypot(z), isZero = eq(length, 0.0);
  return joinAs({select(isZero, z.re, z.re / length),
                 select(isZero, z.im, z.im / length)},
                a[0].type());
}

/// The lexicographic order of (re, im); NaN wins.
static Expr pick(Args a, bool greater) {
  Parts x = split(a[0]), y = split(a[1]);
  Expr strict = greater ? gt(x.re, y.re) : lt(x.re, y.re);
  Expr tie = eq(x.re, y.re) & (greater ? ge(x.im, y.im) : le(x.im, y.im));
  Expr first = isNan(x.re) | isNan(x.im), second = isNan(y.re) | isNan(y.im);
  Expr takeFirst = first | (~second & (strict | tie));
  return join({select(takeFirst, x.re, y.re), select(takeFirst, x.im, y.im)});
}
static Expr emitMaximum(Context &cx, Args a) {
  return pick(a, /*greater=*/true);
}
static Expr emitMinimum(Context &cx, Args a) {
  return pick(a, /*greater=*/false);
}

static Parts expm1(Parts z) {
  // (e^x - 1) cos y - 2 sin^2(y/2), where cos y - 1 alone would cancel.
  Parts e = exp(z);
  Parts half = exp(Parts{z.re.c(0), z.im * 0.5});
  Expr cosine = exp(Parts{z.re.c(0), z.im}).re;
  Expr re = fma(expm1(z.re), cosine, half.im * half.im * -2.0);
  return {select(lt(abs(z.re), 1.0), re, e.re - 1.0), e.im};
}

static Parts one(Parts like) { return {like.re.c(1.0), like.re.c(0.0)}; }
static Parts rsqrt(Parts z) { return one(z) / sqrt(z); }
static Parts logistic(Parts z) { return one(z) / (one(z) + exp(-z)); }
static Parts cbrt(Parts z) {
  Parts l = log(z);
  Parts root = exp(Parts{l.re * (1.0 / 3), l.im * (1.0 / 3)});
  Expr isZero = eq(z.re, 0.0) & eq(z.im, 0.0);
  return {select(isZero, z.re, root.re), select(isZero, z.im, root.im)};
}

/// cosh and sinh of a real.
struct Hyperbolic {
  Expr cosh;
  Expr sinh;
};
static Hyperbolic hyperbolic(Expr x) {
  Expr e = exp(abs(x)), m = expm1(abs(x));
  Expr inverse = 1.0 / e;
  Expr sinh = select(eq(e, e.inf()), e, (m + m * inverse) * 0.5);
  return {(e + inverse) * 0.5, copysign(sinh, x)};
}

static Parts cosh(Parts z) {
  Parts circle = exp(Parts{z.re.c(0), z.im});
  Hyperbolic h = hyperbolic(z.re);
  Expr isReal = eq(z.im, 0.0);
  return {select(isReal, h.cosh, h.cosh * circle.re),
          select(isReal, h.sinh.c(0), h.sinh * circle.im)};
}
static Parts sinh(Parts z) {
  Parts circle = exp(Parts{z.re.c(0), z.im});
  Hyperbolic h = hyperbolic(z.re);
  Expr isReal = eq(z.im, 0.0);
  return {select(isReal, h.sinh, h.sinh * circle.re),
          select(isReal, z.im, h.cosh * circle.im)};
}

/// (sinh 2x + i sin 2y) / (cosh 2x + cos 2y); from |x| = 20 on, 1 to the last
/// digit of an f64.
static Parts tanh(Parts z) {
  Expr twice = z.re * 2.0;
  twice = select(lt(twice.c(80.0), twice), 80.0, twice);
  twice = select(lt(twice, -80.0), -80.0, twice);
  Hyperbolic h = hyperbolic(twice);
  Parts circle = exp(Parts{z.re.c(0), z.im * 2.0});
  Parts half = exp(Parts{z.re.c(0), z.im});
  // cosh 2x + cos 2y = 2 (sinh^2 x + cos^2 y), without cancellation.
  Expr s = hyperbolic(twice * 0.5).sinh;
  Expr denominator = fma(s, s, half.re * half.re) * 2.0;
  return {h.sinh / denominator, circle.im / denominator};
}

static Parts sine(Parts z) { return timesMinusI(sinh(timesI(z))); }
static Parts cosine(Parts z) { return cosh(timesI(z)); }
static Parts tan(Parts z) { return timesMinusI(tanh(timesI(z))); }

/// Kahan's forms of the inverses, right on either side of the branch cuts.
static Expr asinh(Expr x) { return x.emit<math::AsinhOp>(x.value()); }
static Expr atan2(Expr y, Expr x) {
  return y.emit<math::Atan2Op>(y.value(), x.value());
}
static Parts minus1(Parts z) { return {z.re - 1.0, z.im}; }
static Parts plus1(Parts z) { return {z.re + 1.0, z.im}; }
static Parts oneMinus(Parts z) { return {1.0 - z.re, -z.im}; }

static Parts asin(Parts z) {
  Parts p = sqrt(plus1(z)), m = sqrt(oneMinus(z));
  Expr re = atan2(z.re, (p * m).re);
  re = select(eq(abs(z.re), z.re.inf()),
              copysign(z.re.c(0x1.921fb54442d18p+0), z.re), re);
  return {re, asinh((conj(m) * p).im)};
}
static Parts acos(Parts z) {
  Parts p = sqrt(plus1(z)), m = sqrt(oneMinus(z));
  return {atan2(m.re, p.re) * 2.0, asinh((conj(p) * m).im)};
}
static Parts acosh(Parts z) {
  Parts p = sqrt(plus1(z)), m = sqrt(minus1(z));
  return {asinh((conj(m) * p).re), atan2(m.im, p.re) * 2.0};
}
static Parts atanh(Parts z) {
  Parts difference = log1p(z) - log1p(-z);
  Expr isInf = eq(abs(z.re), z.re.inf()) | eq(abs(z.im), z.im.inf());
  return {select(isInf, 0.0, difference.re * 0.5), difference.im * 0.5};
}
static Parts asinh(Parts z) { return timesMinusI(asin(timesI(z))); }
static Parts atan(Parts z) { return timesMinusI(atanh(timesI(z))); }

static Expr emitPower(Context &cx, Args a) {
  Parts x = widen(split(a[0])), y = widen(split(a[1]));
  Parts result = exp(y * log(x));
  Expr xZero = eq(x.re, 0.0) & eq(x.im, 0.0),
       yZero = eq(y.re, 0.0) & eq(y.im, 0.0);
  Expr re = select(yZero, 1.0, select(xZero, 0.0, result.re));
  return joinAs({re, select(xZero | yZero, 0.0, result.im)}, a[0].type());
}

/// -i log((x + i y) / sqrt(x^2 + y^2)).
static Expr emitAtan2(Context &cx, Args a) {
  Parts y = widen(split(a[0])), x = widen(split(a[1]));
  Parts angle = log((x + timesI(y)) / sqrt(x * x + y * y));
  return joinAs(timesMinusI(angle), a[0].type());
}

Rule complexOperandRule(StringRef name) {
  using Emitter = Expr (*)(Context &, Args);
  Emitter emitter = llvm::StringSwitch<Emitter>(name)
                        .Case("add", emitAdd)
                        .Case("subtract", emitSubtract)
                        .Case("multiply", emitMultiply)
                        .Case("divide", emitDivide)
                        .Case("negate", emitNegate)
                        .Case("square", emitSquare)
                        .Case("conj", emitConj)
                        .Case("real", emitReal)
                        .Case("imag", emitImag)
                        .Case("abs", emitAbs)
                        .Case("sign", emitSign)
                        .Case("maximum", emitMaximum)
                        .Case("minimum", emitMinimum)
                        .Case("power", emitPower)
                        .Case("atan2", emitAtan2)
                        .Case("exponential", emitUnary<exp>)
                        .Case("exponential_minus_one", emitUnary<expm1>)
                        .Case("log", emitUnary<log>)
                        .Case("log_plus_one", emitUnary<log1p>)
                        .Case("sqrt", emitUnary<sqrt>)
                        .Case("rsqrt", emitUnary<rsqrt>)
                        .Case("cbrt", emitUnary<cbrt>)
                        .Case("logistic", emitUnary<logistic>)
                        .Case("tanh", emitUnary<tanh>)
                        .Case("sinh", emitUnary<sinh>)
                        .Case("cosh", emitUnary<cosh>)
                        .Case("sine", emitUnary<sine>)
                        .Case("cosine", emitUnary<cosine>)
                        .Case("tan", emitUnary<tan>)
                        .Case("asin", emitUnary<asin>)
                        .Case("acos", emitUnary<acos>)
                        .Case("atan", emitUnary<atan>)
                        .Case("asinh", emitUnary<asinh>)
                        .Case("acosh", emitUnary<acosh>)
                        .Case("atanh", emitUnary<atanh>)
                        .Default(nullptr);
  return Rule{emitter};
}

static Expr emitCreate(Context &cx, Args a) { return join({a[0], a[1]}); }
static Expr emitSame(Context &cx, Args a) { return a[0]; }
static Expr emitZero(Context &cx, Args a) { return a[0].c(0); }

Rule complexRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("complex", {emitCreate})
      .Cases({"real", "conj"}, {emitSame, Narrow::Keep})
      .Case("imag", {emitZero})
      .Default({});
}

} // namespace disc::scalar
