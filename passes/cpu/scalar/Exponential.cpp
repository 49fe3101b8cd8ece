// exponential, logarithms, tanh, logistic, power and the hyperbolic functions.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"
#include "passes/cpu/scalar/Integer.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

static Expr emitExp(Context &cx, Args a) { return exp(a[0]); }
static Expr emitExpm1(Context &cx, Args a) { return expm1(a[0]); }
static Expr emitLog(Context &cx, Args a) { return log(a[0]); }
static Expr emitLog1p(Context &cx, Args a) { return log1p(a[0]); }

/// With t = e^(-2|x|) - 1: -t / (t + 2).
static Expr emitTanh(Context &cx, Args a) {
  Expr x = a[0], m = abs(x);
  if (x.isF64()) {
    Expr t = expm1(m * -2.0);
    return copysign(t / (t + 2.0), x);
  }
  Expr t = expm1Negative(select(lt(m.c(10.0), m), 10.0, m) * -2.0); // 1 to rounding from there on
  return copysign(divideFast(t, t + 2.0), x);
}

/// With e = e^x: e / (1 + e), which keeps the small values; it is 1 to rounding long before e overflows.
static Expr emitLogistic(Context &cx, Args a) {
  Expr e = expAtMost(a[0], a[0].isF64() ? 40.0 : 20.0);
  return a[0].isF64() ? e / (e + 1.0) : divideFast(e, e + 1.0);
}

/// sinh, asinh, atanh: below 2^-12 two terms of the series are exact to f32,
/// and the closed form would cancel.
static Expr nearZero(Expr x, double cubic, Expr closed) {
  return copysign(select(lt(abs(x), 0x1p-12), fma(x * x * x, cubic, x), closed),
                  x);
}

static Expr emitSinh(Context &cx, Args a) {
  if (a[0].isF64()) // e/2 (1 + 1/(1+e)) with e = expm1 |x|; at half the
                    // argument where e^|x| alone overflows
  {
    Expr x = abs(a[0]), e = expm1(x), h = exp(x * 0.5);
    Expr result =
        select(lt(x.c(700.0), x), h * 0.5 * h, (e + e / (e + 1.0)) * 0.5);
    return copysign(result, a[0]);
  }
  return viaDouble(a[0], [](Expr x) {
    Expr e = exp(x);
    return nearZero(x, 1.0 / 6, (e - 1.0 / e) * 0.5);
  });
}

static Expr emitCosh(Context &cx, Args a) {
  return viaDouble(a[0], [](Expr x) {
    Expr h = exp(abs(x) * 0.5), e = h * h;
    return select(lt(x.c(700.0), abs(x)), h * 0.5 * h, (e + 1.0 / e) * 0.5);
  });
}

static Expr emitAsinh(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::AsinhOp>(a[0].value());
  return viaDouble(a[0], [](Expr x) {
    Expr m = abs(x);
    return nearZero(x, -1.0 / 6, copysign(log(m + sqrt(fma(m, m, 1.0))), x));
  });
}

static Expr emitAcosh(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::AcoshOp>(a[0].value());
  return viaDouble(a[0], [](Expr x) {
    Expr t = x - 1.0;
    return select(lt(t, 0.0), t.nan(), log1p(t + sqrt(t * (x + 1.0))));
  });
}

static Expr emitAtanh(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::AtanhOp>(a[0].value());
  return viaDouble(a[0], [](Expr x) {
    return nearZero(x, 1.0 / 3, log((x + 1.0) / (1.0 - x)) * 0.5);
  });
}

/// x to a constant power that needs no logarithm, or null.
static Expr powConstant(Expr x, Expr y) {
  llvm::APFloat value(0.0);
  if (!matchPattern(y.value(), m_ConstantFloat(&value)))
    return {};
  bool inexact;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &inexact);
  double n = value.convertToDouble();
  // sqrt differs from the power at -0 and -inf only.
  auto root = [&] { return select(eq(x, -x.inf()), x.inf(), sqrt(x + 0.0)); };
  if (n == 1)
    return x;
  if (n == -1)
    return 1.0 / x;
  if (n == 2)
    return x * x;
  if (n == 3)
    return x * x * x;
  if (n == 0.5)
    return root();
  if (n == -0.5)
    return 1.0 / root();
  return {};
}

/// e^(y log |x|) in f64, then C's rules for signs and special values.
static Expr powFloat(Expr x, Expr y) {
  Type f64 = x.builder().getF64Type();
  Expr exponent = extend(y, f64);
  Expr magnitude = truncate(exp(exponent * log(extend(abs(x), f64))), x.type());
  Expr half = y * 0.5;
  Expr isInteger = eq(trunc(y), y);
  Expr isOdd = isInteger & ne(trunc(half), half);
  Expr one = x.c(1.0);
  magnitude = select(eq(abs(x), 1.0), one, magnitude);
  Expr result = select(isOdd, copysign(magnitude, x), magnitude);
  Expr isNegative = lt(x, 0.0) & gt(x, -x.inf());
  result = select(isNegative & ~isInteger, x.nan(), result);
  result = select(isNan(x) | isNan(y), x.nan(), result);
  return select(eq(y, 0.0) | eq(x, one), one, result);
}

static Expr emitPower(Context &cx, Args a) {
  if (!a[0].isFloat())
    return powInt(a[0], a[1], cx.isUnsigned());
  if (Expr simple = powConstant(a[0], a[1]))
    return simple;
  if (a[0].isF64())
    return a[0].emit<math::PowFOp>(a[0].value(), a[1].value());
  return powFloat(a[0], a[1]);
}

Rule exponentialRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("exponential", {emitExp})
      .Case("exponential_minus_one", {emitExpm1})
      .Case("log", {emitLog})
      .Case("log_plus_one", {emitLog1p})
      .Case("tanh", {emitTanh})
      .Case("logistic", {emitLogistic})
      .Case("power", {emitPower})
      .Case("sinh", {emitSinh})
      .Case("cosh", {emitCosh})
      .Case("asinh", {emitAsinh})
      .Case("acosh", {emitAcosh})
      .Case("atanh", {emitAtanh})
      .Default({});
}

} // namespace disc::scalar
