// exp, expm1, log and log1p for f32 and f64: range reduction by powers of two
// and a minimax polynomial (test/unit/tools/minimax.py).
#include "passes/cpu/scalar/Elementary.h"

using namespace mlir;

namespace disc::scalar {

namespace {
/// What differs between the two widths.
struct Format {
  explicit Format(Expr x)
      : isDouble(x.isF64()), mantissa(isDouble ? 52 : 23),
        bias(isDouble ? 1023 : 127), type(cast<FloatType>(x.type())),
        minNormal(isDouble ? 0x1p-1022 : 0x1p-126),
        sqrtHalfBits(isDouble ? 0x3fe6a09e667f3bcd : 0x3f3504f3),
        ln2Hi(isDouble ? 0x1.62e42feep-1 : 0x1.62e4p-1),
        ln2Lo(isDouble ? 0x1.a39ef35793c76p-33 : 0x1.7f7d1cp-20) {}

  bool isDouble;
  unsigned mantissa;
  int64_t bias;
  FloatType type;
  double minNormal;
  int64_t sqrtHalfBits; // of the float next to sqrt(1/2): significands are
                        // taken from [sqrt(1/2), sqrt(2))
  double ln2Hi, ln2Lo;  // ln2Hi times any exponent is exact
};

/// x = n ln 2 + r with |r| <= ln(2)/2.
struct ExpReduction {
  Expr n; // as an integer, plus the bias that was asked for
  Expr r, tail; // e^r = 1 + r + r^2 tail

  Expr exp() const { return fma(fma(tail, r, 1.0), r, 1.0); }
  Expr expm1() const { return fma(r * r, tail, r); }
};
} // namespace

static const double kExpTailF32[] = {0x1.fffffep-2, 0x1.5554a4p-3, 0x1.55570ap-5,
                                     0x1.1231e2p-7, 0x1.6b8e56p-10};
static const double kExpTailF64[] = {0x1p-1,
                                     0x1.5555555555559p-3,
                                     0x1.5555555555545p-5,
                                     0x1.111111110f4eep-7,
                                     0x1.6c16c16c1e3c6p-10,
                                     0x1.a01a01b0f5cf7p-13,
                                     0x1.a01a017d276d7p-16,
                                     0x1.71ddf4ea4c230p-19,
                                     0x1.27e53414498aap-22,
                                     0x1.af65bb4857052p-26,
                                     0x1.1eed9978935e0p-29};

/// `isCoarse`: r may be off by n 2^-29, which is nothing where 2^n is multiplied with it and added to 1. f32.
static ExpReduction reduceExp(Expr x, const Format &f, int64_t bias = 0, bool isCoarse = false) {
  // Adding 1.5 * 2^mantissa rounds to an integer and leaves it in the low bits.
  double magic = std::ldexp(1.5, f.mantissa);
  Expr rounder = x.c(magic + double(bias));
  Expr shifted = fma(x, x.c(0x1.71547652b82fep+0), rounder);
  Expr nf = shifted - rounder, r;
  if (isCoarse && !f.isDouble)
    r = fma(nf, -0x1.62e430p-1, x);
  else
    r = fma(nf, -f.ln2Lo, fma(nf, -f.ln2Hi, x));
  return {bits(shifted) - bits(x.c(magic)), r, f.isDouble ? poly(r, kExpTailF64) : poly(r, kExpTailF32)};
}

/// exp for arguments up to the one beyond which the result is infinity.
static Expr expClamped(Expr x, const Format &f) {
  // Far below the result is 0. It is chosen rather than computed: a processor takes a hundred cycles to find that something underflows, and
  // masks make many such arguments. NaN passes.
  Expr isPositive = cmp(arith::CmpFPredicate::UGE, x, x.c(f.isDouble ? -746.0 : -104.0)), zero = x.c(0.0);
  ExpReduction e = reduceExp(select(isPositive, x, zero), f);
  Expr value = e.exp();
  if (!f.isDouble)
    return select(isPositive, scaleByPowerOf2(value, e.n), zero);
  // 2^n in two factors, so that the top binade and subnormals come out rounded once; with twice the bias added first, each half carries
  // its own.
  Expr biased = e.n + e.n.ci(2 * 1023), half = lshr(biased, 1);
  Expr low = fromBits(shl(half, f.mantissa), f.type);
  Expr high = fromBits(shl(biased - half, f.mantissa), f.type);
  return select(isPositive, value * low * high, zero);
}

Expr exp(Expr x) { return expAtMost(x, x.isF64() ? 710.0 : 89.0); }

Expr expAtMost(Expr x, double most) { return expClamped(select(lt(x.c(most), x), most, x), Format(x)); }

/// 2^n of a reduction that was asked for with the type's bias.
static Expr biasedPower(const ExpReduction &e, const Format &f) { return fromBits(shl(e.n, f.mantissa), f.type); }

Expr expBounded(Expr x) {
  Format f(x);
  ExpReduction e = reduceExp(x, f, f.bias);
  return e.exp() * biasedPower(e, f);
}

Expr expm1Negative(Expr x) {
  Format f(x);
  ExpReduction e = reduceExp(x, f, f.bias, /*isCoarse=*/true);
  Expr scale = biasedPower(e, f);
  return fma(e.expm1(), scale, scale - 1.0);
}

Expr expm1(Expr x) {
  Format f(x);
  double high = f.isDouble ? 710.0 : 89.0, low = f.isDouble ? -40.0 : -20.0;
  Expr clamped = select(lt(x.c(high), x), high, x);
  clamped = select(lt(clamped, low), low, clamped);
  ExpReduction e = reduceExp(clamped, f);
  // (e^r - 1) 2^n + (2^n - 1) at half size: 2^n alone may overflow.
  Expr scale = pow2(e.n - e.n.ci(1), f.type), nearZero = e.expm1();
  Expr scaled = fma(nearZero, scale, scale - 0.5) * 2.0;
  return copysign(select(eq(e.n, e.n.ci(0)), nearZero, scaled), x);
}

// log(1+f) = f - f^2/2 + f^3 P(f)
static const double kLogF32[] = {0x1.555554p-2,  -0x1.000228p-2, 0x1.99a022p-3,
                                 -0x1.54721ap-3, 0x1.22d8b6p-3,  -0x1.0d85c6p-3,
                                 0x1.056144p-3,  -0x1.38baf8p-4};
// log(1+f) = 2s + s^3 R(s^2) with s = f / (2+f)
static const double kLogF64[] = {0x1.5555555555593p-1, 0x1.999999997f982p-2,
                                 0x1.24924942352e6p-2, 0x1.c71c51cc3a11cp-3,
                                 0x1.74664c851c41ap-3, 0x1.39a0423c5a613p-3,
                                 0x1.2f15220699ccfp-3};

/// k ln 2 + log(1 + m) for 1 + m in [sqrt(1/2), sqrt(2)).
static Expr logOfReduced(Expr m, Expr k, const Format &f) {
  Expr square = m * m, half = square * 0.5, tail;
  if (f.isDouble) {
    Expr s = m / (m + 2.0), z = s * s;
    Expr r = z * poly(z, kLogF64);
    tail = fma(s, half + r, k * f.ln2Lo);
  } else {
    tail = fma(square * m, poly(m, kLogF32), k * f.ln2Lo);
  }
  return fma(k, f.ln2Hi, m - (half - tail));
}

Expr log(Expr x) {
  Format f(x);
  Expr isTiny = lt(x, f.minNormal);
  Expr scaled = select(isTiny, x * std::ldexp(1.0, f.mantissa), x);
  Expr u = bits(scaled) - bits(scaled).ci(f.sqrtHalfBits);
  Expr k = toFloat(ashr(u, f.mantissa), x.type());
  k = select(isTiny, k - double(f.mantissa), k);
  Expr fraction = u & u.ci((int64_t(1) << f.mantissa) - 1);
  Expr m = fromBits(fraction + u.ci(f.sqrtHalfBits), f.type) - 1.0;
  Expr result = logOfReduced(m, k, f);
  // NaN and +inf stand for themselves.
  Expr special = select(eq(x, 0.0), -x.inf(), select(lt(x, 0.0), x.nan(), x));
  return select(gt(x, 0.0) & lt(x, x.inf()), result, special);
}

Expr log1p(Expr x) {
  Format f(x);
  Expr u = bits(x + 1.0);
  Expr shifted = u - u.ci(f.sqrtHalfBits);
  Expr ki = ashr(shifted, f.mantissa);
  // (1 + x) 2^-k - 1 with one rounding; from 2^(mantissa+1) on, 1 + x is x to
  // rounding and its significand serves.
  Expr scale =
      fromBits(u.ci(f.isDouble ? int64_t(1023) << 52 : int64_t(127) << 23) -
                   shl(ki, f.mantissa),
               f.type);
  Expr m = fma(x, scale, scale - 1.0);
  Expr fraction = shifted & u.ci((int64_t(1) << f.mantissa) - 1);
  Expr large = fromBits(fraction + u.ci(f.sqrtHalfBits), f.type) - 1.0;
  m = select(lt(ki.ci(f.mantissa + 1), ki), large, m);
  Expr result = copysign(logOfReduced(m, toFloat(ki, x.type()), f), x);
  Expr special = select(eq(x, -1.0), -x.inf(), select(lt(x, -1.0), x.nan(), x));
  return select(gt(x, -1.0) & lt(x, x.inf()), result, special);
}

} // namespace disc::scalar
