// lgamma, digamma, polygamma and the Hurwitz zeta function, in f64: Stirling's
// series after a shift to large arguments.
#include "passes/cpu/scalar/Elementary.h"
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

static constexpr int kShift = 8;
static constexpr double kPi = 0x1.921fb54442d18p+1;
static constexpr double kLogPi = 0x1.250d048e7a1bdp+0;
static constexpr double kHalfLog2Pi = 0x1.d67f1c864beb5p-1;
// With Bernoulli's numbers B: B[2k] / (2k (2k-1)), B[2k] / 2k, B[2k] / (2k)!
// for k = 1, 2, ...
static const double kStirling[] = {
    0x1.5555555555555p-4,   -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
    -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10,
    0x1.a41a41a41a41ap-8,   -0x1.e4286cb0f5398p-6};
static const double kDigamma[] = {0x1.5555555555555p-4, -0x1.1111111111111p-7,
                                  0x1.0410410410410p-8, -0x1.1111111111111p-8,
                                  0x1.f07c1f07c1f08p-8, -0x1.5995995995996p-6,
                                  0x1.5555555555555p-4, -0x1.c5e5e5e5e5e5ep-2};
static const double kEulerMaclaurin[] = {
    0x1.5555555555555p-4,   -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15,
    -0x1.bbd779334ef0bp-21, 0x1.66a8f2bf70ebep-26,  -0x1.22805d644267fp-31,
    0x1.d6db2c4e09162p-37,  -0x1.7da4e1f79955cp-42, 0x1.355871d652e9ep-47,
    -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58,  -0x1.497d9033a2b5cp-63};
// (sin(pi r) / r - pi) / r^2 as a polynomial in r^2 for |r| <= 1/2
static const double kSinPi[] = {-0x1.4abbce625be52p+2,  0x1.466bc6775aa3ap+1,
                                -0x1.32d2cce62569ap-1,  0x1.5078348411282p-4,
                                -0x1.e3074d479c430p-8,  0x1.e8f33075373b5p-12,
                                -0x1.6f721eac5e2bep-16, 0x1.9c2a0d6466b9ep-21};

/// sin(pi r) for |r| <= 1/2.
static Expr sinPi(Expr r) {
  Expr z = r * r;
  return fma(r * z, poly(z, kSinPi), r * kPi);
}

namespace {
/// x moved to y = x + 8 where it is small: product = x (x+1) ... (x+7), and its
/// derivative.
struct Shifted {
  Expr y, product, derivative;
};
} // namespace

static Shifted shift(Expr x) {
  Expr product = x, derivative = x.c(1);
  for (int i = 1; i < kShift; ++i) {
    Expr factor = x + double(i);
    derivative = fma(derivative, factor, product);
    product = product * factor;
  }
  Expr isSmall = lt(x, double(kShift));
  return {select(isSmall, x + double(kShift), x), select(isSmall, product, 1.0),
          select(isSmall, derivative, 0.0)};
}

/// log |gamma(x)|. Negative x by reflection: log(pi / |sin(pi x)|) - lgamma(1 -
/// x).
static Expr lgamma(Expr x) {
  Expr isNegative = lt(x, 0.0);
  Shifted s = shift(select(isNegative, 1.0 - x, x));
  Expr inverse = 1.0 / s.y;
  Expr series = inverse * poly(inverse * inverse, kStirling);
  Expr positive = fma(s.y - 0.5, log(s.y), kHalfLog2Pi - s.y) + series -
                  log(abs(s.product));
  positive = select(eq(x, 1.0) | eq(x, 2.0), 0.0, positive);
  positive = select(eq(s.y, x.inf()), x.inf(), positive);
  Expr fraction = x - roundEven(x);
  Expr reflected = kLogPi - log(abs(sinPi(fraction))) - positive;
  Expr result = select(isNegative, reflected, positive);
  return select(eq(abs(x), x.inf()), x.inf(), result);
}

/// gamma'(x) / gamma(x). Negative x by reflection: digamma(1 - x) - pi cot(pi
/// x); NaN at its poles.
static Expr digamma(Expr x) {
  Expr isNegative = lt(x, 0.0);
  Shifted s = shift(select(isNegative, 1.0 - x, x));
  Expr inverse = 1.0 / s.y, square = inverse * inverse;
  Expr series = fma(square, poly(square, kDigamma), inverse * 0.5);
  Expr positive = log(s.y) - series - s.derivative / s.product;
  Expr fraction = x - roundEven(x);
  Expr sine = sinPi(fraction), cosine = sinPi(0.5 - abs(fraction));
  Expr result = select(isNegative, positive - kPi * cosine / sine, positive);
  return select(eq(fraction, 0.0) & le(x, 0.0), x.nan(), result);
}

/// Sum of (q + k)^-s over k >= 0: the first terms, then Euler and Maclaurin's
/// formula for the rest.
static Expr zeta(Expr s, Expr q) {
  constexpr int terms = 10;
  auto powerOf = [&](Expr base) {
    // A negative base has real powers for integers only.
    Expr magnitude = exp(-s * log(abs(base)));
    Expr half = s * 0.5;
    Expr isOdd = ne(trunc(half), half);
    return select(lt(base, 0.0) & isOdd, -magnitude, magnitude);
  };
  Expr sum = powerOf(q);
  for (int k = 1; k < terms; ++k)
    sum = sum + powerOf(q + double(k));
  Expr a = q + double(terms);
  Expr power = powerOf(a), inverse = 1.0 / (a * a);
  Expr tail = power * (a / (s - 1.0) + 0.5);
  // B[2j] / (2j)! * s (s+1) ... (s+2j-2) * a^(-s-2j+1)
  Expr factor = s * power / a;
  int j = 0;
  for (double coefficient : kEulerMaclaurin) {
    tail = fma(factor, coefficient, tail);
    factor =
        factor * (s + double(2 * j + 1)) * (s + double(2 * j + 2)) * inverse;
    ++j;
  }
  Expr result = select(eq(power, 0.0), sum, sum + tail);
  Expr isWholeQ = eq(floor(q), q), isWholeS = eq(floor(s), s),
       isEven = eq(floor(s * 0.5) * 2.0, s);
  Expr pole = select(isEven, s.inf(), s.nan());
  result =
      select(le(q, 0.0),
             select(isWholeQ, pole, select(isWholeS, result, s.nan())), result);
  result = select(eq(s, 1.0), s.inf(), result);
  return select(lt(s, 1.0) | isNan(s) | isNan(q), s.nan(), result);
}

/// The n-th derivative of digamma: (-1)^(n+1) n! zeta(n+1, x).
static Expr polygamma(Expr n, Expr x) {
  Expr order = n + 1.0;
  Expr half = n * 0.5;
  Expr magnitude = exp(lgamma(order)) * zeta(order, x);
  Expr result = select(eq(trunc(half), half), -magnitude, magnitude);
  result = select(eq(n, 0.0), digamma(x), result);
  return select(lt(n, 0.0) | ne(trunc(n), n), n.nan(), result);
}

static Expr emitLgamma(Context &cx, Args a) { return viaDouble(a[0], lgamma); }
static Expr emitDigamma(Context &cx, Args a) {
  return viaDouble(a[0], digamma);
}
static Expr emitZeta(Context &cx, Args a) {
  return viaDouble(a[0],
                   [&](Expr s) { return zeta(s, extend(a[1], s.type())); });
}
static Expr emitPolygamma(Context &cx, Args a) {
  return viaDouble(
      a[0], [&](Expr n) { return polygamma(n, extend(a[1], n.type())); });
}

Rule gammaRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("lgamma", {emitLgamma})
      .Case("digamma", {emitDigamma})
      .Case("zeta", {emitZeta})
      .Case("polygamma", {emitPolygamma})
      .Default({});
}

} // namespace disc::scalar
