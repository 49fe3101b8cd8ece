// convert, bitcast_convert, reduce_precision and the ops that copy their
// operand.
#include "passes/cpu/scalar/Convert.h"
#include "passes/cpu/scalar/Families.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

/// Float (f32 or f64) to integer: truncates, saturates, NaN becomes 0.
/// Straight-line: the conversion itself sees a value in range.
static Expr saturate(Expr a, unsigned width, bool isUnsigned) {
  OpBuilder &b = a.builder();
  llvm::APInt lowest = isUnsigned ? llvm::APInt::getZero(width)
                                  : llvm::APInt::getSignedMinValue(width);
  llvm::APInt highest = isUnsigned ? llvm::APInt::getMaxValue(width)
                                   : llvm::APInt::getSignedMaxValue(width);
  unsigned precision = a.isF64() ? 53 : 24;
  Type result = b.getIntegerType(width);
  if (width < precision && width < 32) {
    // Both bounds are floats: clamp, and convert through i32, which has vector
    // instructions.
    Expr low = a.c(lowest.roundToDouble(!isUnsigned)),
         high = a.c(highest.roundToDouble(!isUnsigned));
    Expr clamped = select(isNan(a), a.c(0), a);
    clamped = select(lt(clamped, low), low, clamped);
    clamped = select(lt(high, clamped), high, clamped);
    return resize(toInt(clamped, b.getI32Type()), result, /*isUnsigned=*/false);
  }
  // The first value beyond the top is a power of two, exact in any float; below
  // the bottom, likewise.
  double top = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Expr tooHigh = ge(a, top);
  Expr tooLow = isUnsigned ? le(a, -1.0) : lt(a, -top);
  Expr inRange = lt(a, top) & (isUnsigned ? gt(a, -1.0) : ge(a, -top));
  Expr converted = toInt(select(inRange, a, 0.0), result, isUnsigned);
  converted = select(tooHigh, converted.ci(highest), converted);
  return isUnsigned ? converted
                    : select(tooLow, converted.ci(lowest), converted);
}

/// Integer to a float of 16 bits or fewer with one rounding: f32 with a sticky
/// last bit where f32 is not exact.
static Expr narrowInt(Expr a, Type to, bool isUnsigned) {
  OpBuilder &b = a.builder();
  if (a.width() <= 16)
    return narrowFloat(toFloat(a, b.getF32Type(), isUnsigned), to);
  if (a.width() <= 32)
    return narrowFloat(roundToOdd(toFloat(a, b.getF64Type(), isUnsigned)), to);
  // 64 bits: shift a large value right by 16 with its lost bits gathered in the
  // last one, far below 16 bits' precision.
  Expr shifted = isUnsigned ? lshr(a, 16) : ashr(a, 16);
  Expr sticky = select(eq(a & a.ci(0xffff), a.ci(0)), a.ci(0), a.ci(1));
  Expr large = toFloat(shifted | sticky, b.getF64Type(), isUnsigned) * 65536.0;
  Expr top = isUnsigned ? lshr(a, 52) : ashr(a, 52) + lshr(a, 63);
  Expr value =
      select(eq(top, a.ci(0)), toFloat(a, b.getF64Type(), isUnsigned), large);
  return narrowFloat(roundToOdd(value), to);
}

static Expr floatToFloat(Expr a, Type from, Type to) {
  Type f32 = a.builder().getF32Type();
  unsigned fromWidth = from.getIntOrFloatBitWidth(),
           toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth < 32)
    a = widenFloat(a, from);
  if (toWidth >= 32)
    return toWidth < a.width() ? truncate(a, to) : extend(a, to);
  return narrowFloat(a.type() == f32 ? a : roundToOdd(a), to);
}

static Expr intToFloat(Expr a, Type from, Type to) {
  OpBuilder &b = a.builder();
  if (a.type().isIndex())
    a = resize(a, b.getI64Type(), /*isUnsigned=*/false);
  bool isNarrow = to.getIntOrFloatBitWidth() < 32;
  if (from.isInteger(1)) {
    Expr one = constant(a.builder(), isNarrow ? b.getF32Type() : to, 1.0);
    Expr value = select(a, one, one.c(0));
    return isNarrow ? narrowFloat(value, to) : value;
  }
  bool isUnsigned = Context::isUnsigned(from);
  return isNarrow ? narrowInt(a, to, isUnsigned) : toFloat(a, to, isUnsigned);
}

static Expr realToReal(Expr a, Type from, Type to) {
  OpBuilder &b = a.builder();
  bool fromFloat = isa<FloatType>(from), toFloatType = isa<FloatType>(to);
  if (fromFloat && toFloatType)
    return floatToFloat(a, from, to);
  if (toFloatType)
    return intToFloat(a, from, to);
  if (fromFloat && from.getIntOrFloatBitWidth() < 32)
    a = widenFloat(a, from);
  if (to.isInteger(1))
    return fromFloat ? ne(a, a.c(0)) : ne(a, a.ci(0));
  if (fromFloat) {
    unsigned width = to.isIndex() ? 64 : to.getIntOrFloatBitWidth();
    return resize(saturate(a, width, Context::isUnsigned(to)),
                  to.isIndex() ? to : b.getIntegerType(width), false);
  }
  Type result =
      to.isIndex() ? to : Type(b.getIntegerType(to.getIntOrFloatBitWidth()));
  return resize(a, result, Context::isUnsigned(from));
}

static Type storageOf(Type type) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    return quantized.getStorageType();
  return type;
}

Expr convertElement(Expr a, Type from, Type to) {
  from = storageOf(from), to = storageOf(to);
  if (from == to)
    return a;
  ImplicitLocOpBuilder &b = a.builder();
  auto fromComplex = dyn_cast<ComplexType>(from),
       toComplex = dyn_cast<ComplexType>(to);
  Expr re = fromComplex ? a.emit<complex::ReOp>(a.value()) : a;
  Type realFrom = fromComplex ? fromComplex.getElementType() : from;
  if (!toComplex) {
    Expr real = realToReal(re, realFrom, to);
    if (!fromComplex || !to.isInteger(1))
      return real;
    return real | realToReal(a.emit<complex::ImOp>(a.value()), realFrom, to);
  }
  Type realTo = toComplex.getElementType();
  Expr im = fromComplex
                ? realToReal(a.emit<complex::ImOp>(a.value()), realFrom, realTo)
                : constant(b, realTo, 0.0);
  return Expr(b,
              complex::CreateOp::create(
                  b, to, realToReal(re, realFrom, realTo).value(), im.value()));
}

static Expr emitConvert(Context &cx, Args a) {
  return convertElement(a[0], cx.operandElement(), cx.resultElement);
}

static Expr emitCopy(Context &cx, Args a) { return a[0]; }

/// Same width; other widths change the shape and are no elementwise op.
static Expr emitBitcast(Context &cx, Args a) {
  Type from = a[0].type(), to = storageOf(cx.resultElement);
  if (isa<ComplexType>(from) || isa<ComplexType>(to))
    return from == to ? a[0] : Expr();
  unsigned width = to.getIntOrFloatBitWidth();
  Type scalar =
      isa<FloatType>(to) && width >= 16 ? to : Type(cx.b.getIntegerType(width));
  if (!isa<IntegerType, FloatType>(from) ||
      from.getIntOrFloatBitWidth() != width)
    return {};
  return from == scalar ? a[0]
                        : a[0].emit<arith::BitcastOp>(scalar, a[0].value());
}

/// Rounds the mantissa to nearest even, then flushes exponents that the
/// narrower format lacks to zero or infinity.
static Expr emitReducePrecision(Context &cx, Args a) {
  auto op = cast<mlir::dhlo::ReducePrecisionOp>(cx.op);
  int64_t exponentBits = op.getExponentBits(),
          mantissaBits = op.getMantissaBits();
  Expr x = a[0], u = bits(x);
  auto type = cast<FloatType>(x.type());
  unsigned width = x.width(), mantissa = type.getFPMantissaWidth() - 1;
  int64_t bias = x.isF64() ? 1023 : 127;
  int64_t exponentMask = (x.isF64() ? int64_t(0x7ff) : int64_t(0xff))
                         << mantissa;
  Expr sign = u & u.ci(llvm::APInt::getSignMask(width)), magnitude = u ^ sign;
  if (mantissaBits < mantissa) {
    unsigned drop = mantissa - mantissaBits;
    Expr odd = lshr(magnitude, drop) & u.ci(1);
    magnitude = magnitude + u.ci((int64_t(1) << (drop - 1)) - 1) + odd;
    magnitude = magnitude & u.ci(-(int64_t(1) << drop));
  }
  if (exponentBits < (x.isF64() ? 11 : 8)) {
    int64_t reducedBias = (int64_t(1) << (exponentBits - 1)) - 1;
    Expr tooLarge =
        lt(u.ci(((bias + reducedBias + 1) << mantissa) - 1), magnitude);
    Expr tooSmall = lt(magnitude, u.ci((bias - reducedBias + 1) << mantissa));
    magnitude = select(tooLarge, u.ci(exponentMask), magnitude);
    magnitude = select(tooSmall, u.ci(0), magnitude);
  }
  // A format without mantissa has no NaN: it becomes an infinity.
  Expr nan = mantissaBits ? x : fromBits(u.ci(exponentMask) | sign, type);
  return select(isNan(x), nan, fromBits(magnitude | sign, type));
}

Rule convertRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("convert", {emitConvert, Narrow::Keep})
      .Case("bitcast_convert", {emitBitcast, Narrow::Keep})
      .Case("reduce_precision", {emitReducePrecision})
      .Cases({"optimization_barrier", "copy"}, {emitCopy, Narrow::Keep})
      .Default({});
}

} // namespace disc::scalar
