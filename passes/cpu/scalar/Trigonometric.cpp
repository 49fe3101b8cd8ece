// sine, cosine, tan and their inverses: f32 through f64 polynomials, f64
// through libm.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

// 2/pi cut into 28-bit pieces: a float of 24 bits times a piece is exact in
// f64. 196 bits place even the largest float's last bit.
static const double kTwoOverPi[] = {
    0x1.45f306cp-1,   0x1.c9c882ap-29, 0x1.4fe13a8p-59, 0x1.f47d4dp-86,
    0x1.bb81b6cp-113, 0x1.4acc9ep-143, 0x1.0e4107cp-170};
// (sin r / r - 1) / r^2 and (cos r - 1) / r^2 as polynomials in r^2
static const double kSin[] = {-0x1.5555555551ed0p-3, 0x1.1111110c44cdbp-7,
                              -0x1.a019f8d9068b8p-13, 0x1.71d73777829b8p-19,
                              -0x1.a94d7a9499911p-26};
static const double kCos[] = {-0x1.ffffffffe9e27p-2, 0x1.55555545c32aep-5,
                              -0x1.6c16b32d698abp-10, 0x1.a00ea05d0ef0bp-16,
                              -0x1.23c353fdd84bep-22};

SinCos sinCos(Expr x) {
  ImplicitLocOpBuilder &b = x.builder();
  Expr d = extend(x, b.getF64Type());
  // x 2/pi modulo 4, exactly until the pieces fall below a quadrant: whole
  // quadrants are split off as soon as they are known, so that what remains
  // keeps its relative precision however close x is to a multiple of pi/2.
  Expr fraction, quadrants;
  for (double piece : kTwoOverPi) {
    if (piece < 0x1p-142) { // at most 2^-14 for the largest float
      fraction = fma(d, piece, fraction);
      continue;
    }
    Expr t = d * piece;
    t = fma(roundEven(t * 0.25), -4.0, t);
    Expr sum = fraction ? fraction + t : t;
    Expr whole = roundEven(sum);
    fraction = sum - whole;
    quadrants = quadrants ? quadrants + whole : whole;
  }
  Expr r = fraction * 0x1.921fb54442d18p+0;
  r = select(lt(abs(d), 0.5), d, r);
  quadrants = select(lt(abs(d), 0.5), 0.0, quadrants);
  Expr z = r * r;
  Expr s = r * fma(z, poly(z, kSin), 1.0), c = fma(z, poly(z, kCos), 1.0);
  // At infinity x - x is NaN; the conversion sees a small integer in any case.
  Expr isFinite = lt(abs(d), d.inf());
  Expr q = toInt(select(isFinite, quadrants, 0.0), b.getI32Type());
  Expr isOdd = ne(q & q.ci(1), q.ci(0));
  Expr sinNegative = ne(q & q.ci(2), q.ci(0)),
       cosNegative = ne((q + q.ci(1)) & q.ci(2), q.ci(0));
  Expr sin = select(isOdd, c, s), cos = select(isOdd, s, c);
  sin = select(sinNegative, -sin, sin), cos = select(cosNegative, -cos, cos);
  return {select(isFinite, sin, d.nan()), select(isFinite, cos, d.nan())};
}

// (atan z / z - 1) / z^2 as a polynomial in z^2, for |z| <= 1
static const double kAtan[] = {
    -0x1.5555554ee2131p-2, 0x1.99999565d27f2p-3,  -0x1.2491ce2685fb0p-3,
    0x1.c70e306492acbp-4,  -0x1.73df1df3fbd1dp-4, 0x1.383dc87db3ea2p-4,
    -0x1.05c88c0c1a3d3p-4, 0x1.a15aa86fff9eap-5,  -0x1.26551c964cd7cp-5,
    0x1.508a2adb8f33dp-6,  -0x1.19b9657b5aa85p-7, 0x1.2b82474904320p-9,
    -0x1.2b1431dd7b16bp-12};

Expr atan2Double(Expr y, Expr x) {
  Expr ay = abs(y), ax = abs(x);
  Expr swap = lt(ax, ay);
  Expr numerator = select(swap, ax, ay), denominator = select(swap, ay, ax);
  Expr z = numerator / denominator;
  // 0/0 is an angle of 0 and inf/inf one of pi/4; NaN goes through.
  z = select(eq(ay, 0.0) & eq(ax, 0.0), 0.0, z);
  z = select(eq(ay, ay.inf()) & eq(ax, ax.inf()), 1.0, z);
  Expr square = z * z;
  Expr angle = fma(z * square, poly(square, kAtan), z);
  angle = select(swap, 0x1.921fb54442d18p+0 - angle, angle);
  Expr isLeft = lt(copysign(x.c(1.0), x), 0.0);
  angle = select(isLeft, 0x1.921fb54442d18p+1 - angle, angle);
  return copysign(angle, y);
}

static Expr emitSine(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::SinOp>(a[0].value());
  return truncate(sinCos(a[0]).sin, a[0].type());
}

static Expr emitCosine(Context &cx, Args a) {
  return a[0].isF64() ? a[0].emit<math::CosOp>(a[0].value())
                      : truncate(sinCos(a[0]).cos, a[0].type());
}

static Expr emitTan(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::TanOp>(a[0].value());
  SinCos s = sinCos(a[0]);
  return truncate(s.sin / s.cos, a[0].type());
}

static Expr emitAtan2(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::Atan2Op>(a[0].value(), a[1].value());
  return viaDouble(
      a[0], [&](Expr y) { return atan2Double(y, extend(a[1], y.type())); });
}

static Expr emitAtan(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::AtanOp>(a[0].value());
  return viaDouble(a[0], [](Expr x) { return atan2Double(x, x.c(1.0)); });
}

static Expr emitAsin(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::AsinOp>(a[0].value());
  return viaDouble(
      a[0], [](Expr x) { return atan2Double(x, sqrt((1.0 - x) * (x + 1.0))); });
}

static Expr emitAcos(Context &cx, Args a) {
  if (a[0].isF64())
    return a[0].emit<math::AcosOp>(a[0].value());
  return viaDouble(
      a[0], [](Expr x) { return atan2Double(sqrt((1.0 - x) * (x + 1.0)), x); });
}

Rule trigonometricRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("sine", {emitSine})
      .Case("cosine", {emitCosine})
      .Case("tan", {emitTan})
      .Case("atan2", {emitAtan2})
      .Case("atan", {emitAtan})
      .Case("asin", {emitAsin})
      .Case("acos", {emitAcos})
      .Default({});
}

} // namespace disc::scalar
