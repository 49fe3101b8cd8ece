// Arithmetic on complex numbers held as two real scalars.
#include "passes/cpu/scalar/ComplexParts.h"
#include "passes/cpu/scalar/Elementary.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace disc::scalar {

Parts split(Expr z) {
  return {z.emit<complex::ReOp>(z.value()), z.emit<complex::ImOp>(z.value())};
}

Expr join(Parts z) {
  return z.re.emit<complex::CreateOp>(ComplexType::get(z.re.type()),
                                      z.re.value(), z.im.value());
}

Parts widen(Parts z) {
  Type f64 = z.re.builder().getF64Type();
  return {extend(z.re, f64), extend(z.im, f64)};
}

Expr joinAs(Parts z, Type complexType) {
  Type element = cast<ComplexType>(complexType).getElementType();
  return join({truncate(z.re, element), truncate(z.im, element)});
}

Parts operator+(Parts a, Parts b) { return {a.re + b.re, a.im + b.im}; }
Parts operator-(Parts a, Parts b) { return {a.re - b.re, a.im - b.im}; }
Parts operator*(Parts a, Parts b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

Parts operator/(Parts a, Parts b) {
  // With |b.re| >= |b.im| (else the roles swap): r = small/large, and
  // everything over large + small r.
  Expr swap = lt(abs(b.re), abs(b.im));
  Expr large = select(swap, b.im, b.re), small = select(swap, b.re, b.im);
  Expr ratio = small / large;
  // 0/0 and inf/inf: dividing by a zero or an infinity acts on each part alone.
  Expr plain = eq(large, 0.0) |
               (eq(abs(large), large.inf()) & ne(abs(small), small.inf()));
  ratio = select(plain, 0.0, ratio);
  Expr denominator = fma(small, ratio, large);
  denominator = select(plain, large, denominator);
  Expr re = select(swap, fma(a.re, ratio, a.im), fma(a.im, ratio, a.re));
  Expr im = select(swap, fma(a.im, ratio, -a.re), fma(-a.re, ratio, a.im));
  return {re / denominator, im / denominator};
}

Expr hypot(Parts a) {
  Expr x = abs(a.re), y = abs(a.im);
  Expr swap = lt(x, y);
  Expr large = select(swap, y, x), small = select(swap, x, y);
  Expr ratio = small / large;
  Expr length = large * sqrt(fma(ratio, ratio, 1.0));
  length = select(eq(large, 0.0), small, length);
  length = select(isNan(x) | isNan(y), x.nan(), length);
  return select(eq(x, x.inf()) | eq(y, y.inf()), x.inf(), length);
}

Parts sqrt(Parts a) {
  // For re >= 0 the root is t + i im/(2t); the other half-plane mirrors it.
  Expr length = hypot(a);
  Expr t = sqrt((abs(a.re) * 0.5) + length * 0.5);
  Expr other = a.im / (t * 2.0);
  Expr isLeft = lt(copysign(a.re.c(1.0), a.re), 0.0);
  Expr re = select(isLeft, abs(other), t),
       im = select(isLeft, copysign(t, a.im), other);
  Expr isZero = eq(length, 0.0), isInf = eq(abs(a.im), a.im.inf());
  return {select(isZero, 0.0, select(isInf, a.im.inf(), re)),
          select(isZero | isInf, a.im, im)};
}

static SinCos sinCosOf(Expr x) {
  return {x.emit<math::SinOp>(x.value()), x.emit<math::CosOp>(x.value())};
}

Parts exp(Parts a) {
  Expr scale = exp(a.re);
  SinCos s = sinCosOf(a.im);
  // A real argument has a real result, also where the scale is infinite; so has
  // a scale of zero.
  Expr isReal = eq(a.im, 0.0), isZero = eq(scale, 0.0);
  Expr re = select(isReal, scale, scale * s.cos),
       im = select(isReal, a.im, scale * s.sin);
  return {select(isZero, 0.0, re), select(isZero, 0.0, im)};
}

static Expr angle(Expr y, Expr x) {
  return y.emit<math::Atan2Op>(y.value(), x.value());
}

Parts log(Parts a) {
  Expr x = abs(a.re), y = abs(a.im);
  Expr swap = lt(x, y);
  Expr large = select(swap, y, x), small = select(swap, x, y);
  // Near the unit circle log |z| = log1p(|z|^2 - 1) / 2 keeps its digits.
  Expr near = log1p(fma(small, small, (large - 1.0) * (large + 1.0))) * 0.5;
  Expr isNear = gt(large, 0.7) & lt(large, 1.5);
  return {select(isNear, near, log(hypot(a))), angle(a.im, a.re)};
}

Parts log1p(Parts a) {
  Expr small = log1p(fma(a.im, a.im, a.re * (a.re + 2.0))) * 0.5;
  Parts shifted = {a.re + 1.0, a.im};
  Expr isSmall = lt(abs(a.re), 0.5) & lt(abs(a.im), 0.5);
  Parts far = log(shifted);
  return {select(isSmall, small, far.re), far.im};
}

} // namespace disc::scalar
