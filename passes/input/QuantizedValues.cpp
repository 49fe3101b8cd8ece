// Quantized values as arithmetic on plain tensors.
#include "passes/input/QuantizedValues.h"
#include "dialects/dhlo/Quantization.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;
using namespace disc;

Quantization::Quantization(quant::QuantizedType type)
    : storage(dhlo::storageTypeOf(type)),
      expressed(cast<FloatType>(type.getExpressedType())),
      min(type.getStorageTypeMin()), max(type.getStorageTypeMax()) {
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type)) {
    llvm::append_range(scales, perAxis.getScales());
    llvm::append_range(zeroPoints, perAxis.getZeroPoints());
    axis = perAxis.getQuantizedDimension();
    return;
  }
  auto whole = cast<quant::UniformQuantizedType>(type);
  scales.push_back(whole.getScale());
  zeroPoints.push_back(whole.getZeroPoint());
}

bool Quantization::hasZeroPoints() const {
  return llvm::any_of(zeroPoints, [](int64_t zero) { return zero != 0; });
}

quant::QuantizedType disc::quantizedElementOf(Type type) {
  return dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type));
}

static Attribute numberOf(Type element, double number) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, number);
  return IntegerAttr::get(
      element, APInt(element.getIntOrFloatBitWidth(),
                     static_cast<uint64_t>(static_cast<int64_t>(number)),
                     /*isSigned=*/true, /*implicitTrunc=*/true));
}

static Value scalar(OpBuilder &b, Location loc, Type element, double number) {
  return scalarConstant(b, loc, element, numberOf(element, number));
}

Value disc::spread(OpBuilder &b, Location loc, ArrayRef<double> numbers,
                   int64_t axis, Value like, Type element) {
  auto type = cast<RankedTensorType>(like.getType()).clone(element);
  bool same = llvm::all_equal(numbers);
  SmallVector<Attribute> values;
  for (double number : same ? numbers.take_front() : numbers)
    values.push_back(numberOf(element, number));
  if (same && type.hasStaticShape())
    return dhlo::ConstantOp::create(b, loc,
                                    DenseElementsAttr::get(type, values));
  SmallVector<int64_t> shape, dims;
  if (!same) {
    shape.push_back(values.size());
    dims.push_back(axis);
  }
  Value constant = dhlo::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(RankedTensorType::get(shape, element), values));
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(b.createOrFold<tensor::DimOp>(loc, like, i));
  if (!same && type.isDynamicDim(axis)) {
    Value count = arith::ConstantIndexOp::create(b, loc, values.size());
    Value holds = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        sizes[axis], count);
    std::string what = "a quantized dimension has " +
                       std::to_string(values.size()) +
                       " slices, one for each scale";
    cf::AssertOp::create(b, loc, holds, what);
  }
  return broadcastTo(b, loc, constant, type, listOf(b, loc, sizes), dims);
}

Value disc::subtractZeroPoint(OpBuilder &b, Location loc, Value stored,
                              const Quantization &from) {
  if (!from.hasZeroPoints())
    return stored;
  // The difference takes one bit more than the storage type.
  Type wide = b.getIntegerType(from.storage.getWidth() < 32 ? 32 : 64);
  Value x = dhlo::ConvertOp::create(b, loc, stored, wide);
  SmallVector<double> zeros(from.zeroPoints.begin(), from.zeroPoints.end());
  return dhlo::SubtractOp::create(b, loc, x,
                                  spread(b, loc, zeros, from.axis, x, wide));
}

Value disc::dequantize(OpBuilder &b, Location loc, Value stored,
                       const Quantization &from) {
  Value x = dhlo::ConvertOp::create(
      b, loc, subtractZeroPoint(b, loc, stored, from), from.expressed);
  return dhlo::MulOp::create(
      b, loc, x, spread(b, loc, from.scales, from.axis, x, from.expressed));
}

/// The values clamped to the storage range, where it is not the type's one and
/// the float type of `scaled` cannot hold its bounds.
static Value clampStored(OpBuilder &b, Location loc, Value stored, Type real,
                         const Quantization &to) {
  unsigned width = to.storage.getWidth();
  auto inexact = [&](int64_t bound, bool high) {
    APInt limit = to.storage.isUnsigned()
                      ? (high ? APInt::getMaxValue(width) : APInt(width, 0))
                      : (high ? APInt::getSignedMaxValue(width)
                              : APInt::getSignedMinValue(width));
    int64_t whole =
        to.storage.isUnsigned() ? limit.getZExtValue() : limit.getSExtValue();
    double rounded =
        FloatAttr::get(real, static_cast<double>(bound)).getValueAsDouble();
    return bound != whole && rounded != static_cast<double>(bound);
  };
  if (!inexact(to.min, false) && !inexact(to.max, true))
    return stored;
  return dhlo::ClampOp::create(b, loc, scalar(b, loc, to.storage, to.min),
                               stored, scalar(b, loc, to.storage, to.max));
}

Value disc::store(OpBuilder &b, Location loc, Value scaled,
                  const Quantization &to) {
  Type real = getElementTypeOrSelf(scaled.getType());
  Value x = scaled;
  if (to.hasZeroPoints()) {
    SmallVector<double> zeros(to.zeroPoints.begin(), to.zeroPoints.end());
    x = dhlo::AddOp::create(b, loc, x, spread(b, loc, zeros, to.axis, x, real));
  }
  x = dhlo::ClampOp::create(b, loc, scalar(b, loc, real, to.min), x,
                            scalar(b, loc, real, to.max));
  x = dhlo::RoundNearestEvenOp::create(b, loc, x);
  x = dhlo::ConvertOp::create(b, loc, x, to.storage);
  return clampStored(b, loc, x, real, to);
}

Value disc::quantize(OpBuilder &b, Location loc, Value real,
                     const Quantization &to) {
  Value scaled = dhlo::DivOp::create(
      b, loc, real, spread(b, loc, to.scales, to.axis, real, to.expressed));
  return store(b, loc, scaled, to);
}
