// Floats of 16 bits and fewer to and from f32, with integer arithmetic where
// the hardware has no exact instruction.
#include "passes/cpu/scalar/Convert.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace disc::scalar {

namespace {
/// The fields of a narrow format.
struct Format {
  unsigned width, mantissa, exponent;
  bool isSigned;
  int bias;
  bool hasInfinity;    // all-ones exponent with zero mantissa
  bool nanIsMinusZero; // the *FNUZ formats
  uint64_t nan;        // bits of a positive NaN, 0 when there is none
  uint64_t largest;    // bits of the largest finite value

  explicit Format(FloatType type) {
    const llvm::fltSemantics &s = type.getFloatSemantics();
    width = llvm::APFloat::semanticsSizeInBits(s);
    isSigned = llvm::APFloat::semanticsHasSignedRepr(s);
    mantissa = llvm::APFloat::semanticsPrecision(s) - 1;
    exponent = width - isSigned - mantissa;
    hasInfinity = llvm::APFloat::semanticsHasInf(s);
    largest = llvm::APFloat::getLargest(s).bitcastToAPInt().getZExtValue();
    nan = llvm::APFloat::semanticsHasNaN(s)
              ? llvm::APFloat::getNaN(s).bitcastToAPInt().getZExtValue()
              : 0;
    nanIsMinusZero = nan == uint64_t(1) << (width - 1) && isSigned;
    bias = 1 - llvm::APFloat::semanticsMinExponent(s);
    if (!llvm::APFloat::semanticsHasZero(
            s)) // f8E8M0FNU: exponents only, no subnormals
      bias = -llvm::APFloat::semanticsMinExponent(s);
  }
};
} // namespace

static Expr widenBF16(Expr a) {
  OpBuilder &b = a.builder();
  return fromBits(shl(resize(bits(a), b.getI32Type(), /*isUnsigned=*/true), 16),
                  b.getF32Type());
}

static Expr narrowBF16(Expr a) {
  OpBuilder &b = a.builder();
  Expr x = bits(a);
  Expr rounded = lshr(x + x.ci(0x7fff) + (lshr(x, 16) & x.ci(1)), 16);
  rounded = select(isNan(a), lshr(x, 16) | x.ci(0x40), rounded);
  return fromBits(resize(rounded, b.getI16Type(), /*isUnsigned=*/true),
                  FloatType(b.getBF16Type()));
}

/// 2^x, with only powers of two and NaN.
static Expr widenE8M0(Expr x) {
  Expr value = fromBits(select(eq(x, x.ci(0)), x.ci(1 << 22), shl(x, 23)),
                        x.builder().getF32Type());
  return select(eq(x, x.ci(255)), value.nan(), value);
}

static Expr narrowE8M0(Expr a) {
  Expr x = bits(a);
  // Nearest power of two, ties to the even exponent; below the smallest: the
  // smallest.
  Expr rounded = lshr(x + x.ci(0x3fffff) + (lshr(x, 23) & x.ci(1)), 23);
  rounded = select(lt(a, 0x1p-127), x.ci(0), rounded);
  return resize(select(ge(a, 0.0) & lt(rounded, x.ci(255)), rounded, x.ci(255)),
                a.builder().getI8Type(), true);
}

/// Exponent and mantissa put where f32 has them and scaled by the difference of
/// the biases, which treats subnormals too.
static Expr widenGeneric(Expr narrow, const Format &f) {
  OpBuilder &b = narrow.builder();
  Expr x = resize(narrow, b.getI32Type(), /*isUnsigned=*/true);
  Expr magnitude = x & x.ci((int64_t(1) << (f.width - 1)) - 1);
  Expr sign = shl(x ^ magnitude, 32 - f.width);
  Expr scaled = fromBits(shl(magnitude, 23 - f.mantissa), b.getF32Type());
  scaled = scaled * std::ldexp(1.0, 127 - f.bias);
  if (f.hasInfinity) {
    Expr top = x.ci(((int64_t(1) << f.exponent) - 1) << f.mantissa);
    scaled = select(eq(magnitude, top), scaled.inf(), scaled);
    scaled = select(lt(top, magnitude), scaled.nan(), scaled);
  }
  Expr value = fromBits(bits(scaled) | sign, b.getF32Type());
  if (f.nan && !f.hasInfinity)
    value = select(
        eq(f.nanIsMinusZero ? x : magnitude, x.ci(static_cast<int64_t>(f.nan))),
        value.nan(), value);
  return value;
}

static Expr narrowGeneric(Expr a, const Format &f) {
  OpBuilder &b = a.builder();
  Expr x = bits(a);
  Expr magnitude = x & x.ci(0x7fffffff);
  Expr sign = lshr(x ^ magnitude, 32 - f.width);
  unsigned drop = 23 - f.mantissa;
  // Normal numbers: round the dropped bits to nearest even and move the
  // exponent to the narrow bias.
  Expr odd = lshr(magnitude, drop) & x.ci(1);
  Expr normal = magnitude + x.ci((int64_t(1) << (drop - 1)) - 1) + odd;
  normal = lshr(normal - x.ci(int64_t(127 - f.bias) << 23), drop);
  // Subnormals: adding 2^k with the unit of the last place at the narrow
  // format's smallest step rounds there.
  double step = std::ldexp(1.0, 1 - f.bias - static_cast<int>(f.mantissa));
  double magic = std::ldexp(step, 23);
  Expr absolute = fromBits(magnitude, b.getF32Type());
  Expr subnormal = bits(absolute + magic) - bits(a.c(magic));
  Expr result =
      select(lt(absolute, std::ldexp(1.0, 1 - f.bias)), subnormal, normal);
  // Beyond the largest: infinity, else NaN, else (no NaN either) the largest.
  int64_t largest = static_cast<int64_t>(f.largest),
          nan = static_cast<int64_t>(f.nan);
  int64_t overflow = f.hasInfinity ? largest + 1 : f.nan ? nan : largest;
  Expr tooLarge = lt(x.ci(largest), result) | le(x.ci(0x7f800000), magnitude);
  result = select(tooLarge, x.ci(overflow), result);
  if (f.nan)
    result = select(isNan(a), x.ci(nan), result);
  Expr signedResult = result | sign;
  if (f.nanIsMinusZero) // no negative zero; NaN has no sign of its own
    signedResult = select(eq(result, x.ci(0)), result, signedResult);
  return resize(signedResult, b.getIntegerType(f.width), /*isUnsigned=*/true);
}

Expr widenFloat(Expr a, Type elementType) {
  OpBuilder &b = a.builder();
  if (elementType.isBF16())
    return widenBF16(a);
  if (elementType.isF16())
    return extend(a, b.getF32Type());
  if (isa<Float8E8M0FNUType>(elementType))
    return widenE8M0(resize(a, b.getI32Type(), /*isUnsigned=*/true));
  return widenGeneric(a, Format(cast<FloatType>(elementType)));
}

Expr narrowFloat(Expr a, Type elementType) {
  if (elementType.isBF16())
    return narrowBF16(a);
  if (elementType.isF16())
    return truncate(a, elementType);
  if (isa<Float8E8M0FNUType>(elementType))
    return narrowE8M0(a);
  return narrowGeneric(a, Format(cast<FloatType>(elementType)));
}

Expr roundToOdd(Expr a) {
  Type f32 = a.builder().getF32Type();
  Expr nearest = truncate(a, f32);
  Expr back = extend(nearest, a.type());
  Expr x = bits(nearest);
  Expr away = lt(
      abs(a), abs(back)); // rounded away from zero: step back to the truncation
  Expr truncated = select(away, x - x.ci(1), x);
  Expr inexact = cmp(arith::CmpFPredicate::ONE, back, a);
  return fromBits(select(inexact, truncated | x.ci(1), x),
                  cast<FloatType>(f32));
}

} // namespace disc::scalar
