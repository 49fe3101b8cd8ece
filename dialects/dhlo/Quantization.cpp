// What StableHLO asks of the parameters of quantized operands and results.
#include "dialects/dhlo/Quantization.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

IntegerType mlir::dhlo::storageTypeOf(quant::QuantizedType type) {
  return IntegerType::get(type.getContext(), type.getStorageTypeIntegralWidth(),
                          type.isSigned() ? IntegerType::Signless
                                          : IntegerType::Unsigned);
}

std::optional<int64_t> mlir::dhlo::quantizedAxisOf(Type element) {
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(element))
    return perAxis.getQuantizedDimension();
  return std::nullopt;
}

Type mlir::dhlo::withQuantizedAxis(Type element, int64_t axis) {
  auto type = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!type)
    return element;
  return quant::UniformQuantizedPerAxisType::get(
      type.getFlags(), type.getStorageType(), type.getExpressedType(),
      type.getScales(), type.getZeroPoints(), axis, type.getStorageTypeMin(),
      type.getStorageTypeMax());
}

static bool isQuantizedTensor(Type type) {
  return isQuantizedType(getElementTypeOrSelf(type));
}

/// Checks one set of scale and zero point.
static LogicalResult verifyParameters(Operation *op, Type type,
                                      quant::QuantizedType element,
                                      double scale, int64_t zeroPoint) {
  if (!std::isfinite(scale) || scale <= 0)
    return op->emitOpError("has a value of type ")
           << type << ", whose scale " << scale
           << " is not a finite number above 0";
  if (zeroPoint < element.getStorageTypeMin() ||
      zeroPoint > element.getStorageTypeMax())
    return op->emitOpError("has a value of type ")
           << type << ", whose zero point " << zeroPoint
           << " is outside of the storage range ["
           << element.getStorageTypeMin() << ", " << element.getStorageTypeMax()
           << "]";
  return success();
}

/// Checks a quantized tensor type by itself.
static LogicalResult verifyQuantizedTensor(Operation *op, Type type) {
  auto element = cast<quant::QuantizedType>(getElementTypeOrSelf(type));
  if (!isIntType(storageTypeOf(element)) ||
      !isa_and_present<Float16Type, BFloat16Type, Float32Type, Float64Type>(
          element.getExpressedType()))
    return op->emitOpError("has a value of type ")
           << type << ", expected storage of 2, 4, 8, 16 or 32 bits and an "
           << "expressed type of f16, bf16, f32 or f64";
  if (auto whole = dyn_cast<quant::UniformQuantizedType>(element))
    return verifyParameters(op, type, element, whole.getScale(),
                            whole.getZeroPoint());
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!perAxis)
    return op->emitOpError("has a value of type ")
           << type << ", expected one scale and zero point for the tensor or "
           << "one pair for each slice of a dimension";
  for (auto [scale, zeroPoint] :
       llvm::zip(perAxis.getScales(), perAxis.getZeroPoints()))
    if (failed(verifyParameters(op, type, element, scale, zeroPoint)))
      return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t axis = perAxis.getQuantizedDimension();
  if (!tensor || axis >= tensor.getRank())
    return op->emitOpError("has a value of type ")
           << type << ", which does not have the quantized dimension " << axis;
  int64_t count = perAxis.getScales().size();
  if (tensor.isDynamicDim(axis) || tensor.getDimSize(axis) == count)
    return success();
  return op->emitOpError("has a value of type ")
         << type << " with " << count << " scales for the "
         << tensor.getDimSize(axis) << " slices of dimension " << axis;
}

//===----------------------------------------------------------------------===//
// Ops that keep elements as they are
//===----------------------------------------------------------------------===//

static LogicalResult verifyEqualElements(Operation *op, TypeRange lhs,
                                         TypeRange rhs, StringRef where) {
  for (auto [l, r] : llvm::zip(lhs, rhs))
    if ((isQuantizedTensor(l) || isQuantizedTensor(r)) &&
        getElementTypeOrSelf(l) != getElementTypeOrSelf(r))
      return op->emitOpError(where)
             << " has type " << l << ", but " << r
             << " is expected there; `uniform_quantize` changes the scale and "
                "the zero point";
  return success();
}

/// Where dimension `axis` of the first operand is in the result; none where its
/// slices do not stay apart.
static std::optional<int64_t> movedAxis(Operation *op, int64_t axis) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    return llvm::find(permutation, axis) - permutation.begin();
  }
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
    return broadcast.getBroadcastDimensions()[axis];
  if (auto broadcast = dyn_cast<DynamicBroadcastInDimOp>(op))
    return broadcast.getBroadcastDimensions()[axis];
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return axis + static_cast<int64_t>(broadcast.getBroadcastSizes().size());
  if (isa<ReshapeOp, DynamicReshapeOp>(op))
    return quantizedAxisOf(getElementTypeOrSelf(op->getResult(0).getType()));
  return std::nullopt;
}

/// A reshape keeps the slices apart if as many elements come before the axis.
static bool keepsSlices(RankedTensorType from, int64_t fromAxis,
                        RankedTensorType to, int64_t toAxis) {
  auto count = [](ArrayRef<int64_t> sizes) {
    return llvm::is_contained(sizes, ShapedType::kDynamic)
               ? -1
               : llvm::product_of(sizes);
  };
  int64_t before = count(from.getShape().take_front(fromAxis));
  int64_t after = count(to.getShape().take_front(toAxis));
  return before < 0 || after < 0 || before == after;
}

static LogicalResult verifyMovement(Operation *op) {
  Type result = op->getResult(0).getType();
  Type to = getElementTypeOrSelf(result);
  for (Value operand : op->getOperands()) {
    Type from = getElementTypeOrSelf(operand.getType());
    // Positions and sizes are integers.
    if (!isQuantizedType(from) && !isFloatType(from))
      continue;
    Type expected = from;
    if (std::optional<int64_t> axis = quantizedAxisOf(from)) {
      std::optional<int64_t> moved = movedAxis(op, *axis);
      bool apart =
          moved && (!isa<ReshapeOp, DynamicReshapeOp>(op) ||
                    keepsSlices(cast<RankedTensorType>(operand.getType()), *axis,
                                cast<RankedTensorType>(result), *moved));
      if (!apart)
        return op->emitOpError("does not keep the slices of the quantized "
                               "dimension of ")
               << operand.getType() << " apart; dequantize it first";
      expected = withQuantizedAxis(from, *moved);
      // Broadcast of the one slice repeats its parameters.
      auto wide = dyn_cast<quant::UniformQuantizedPerAxisType>(to);
      auto one = cast<quant::UniformQuantizedPerAxisType>(expected);
      if (wide && one.getScales().size() == 1 &&
          wide.getQuantizedDimension() == one.getQuantizedDimension() &&
          wide.getStorageType() == one.getStorageType() &&
          wide.getExpressedType() == one.getExpressedType() &&
          llvm::all_of(wide.getScales(),
                       [&](double s) { return s == one.getScales()[0]; }) &&
          llvm::all_of(wide.getZeroPoints(),
                       [&](int64_t z) { return z == one.getZeroPoints()[0]; }))
        continue;
    }
    if (expected != to)
      return op->emitOpError("result of type ")
             << result << " must have elements of type " << expected
             << ", since it moves those of an operand of type "
             << operand.getType()
             << "; `uniform_quantize` changes the scale and the zero point";
  }
  return success();
}

static LogicalResult verifyControlFlow(Operation *op) {
  for (Region &region : op->getRegions()) {
    Block &block = region.front();
    if (failed(verifyEqualElements(op, block.getArgumentTypes(),
                                   op->getOperandTypes(), "a block argument")))
      return failure();
    bool condition = isa<WhileOp>(op) && region.getRegionNumber() == 0;
    if (!condition &&
        failed(verifyEqualElements(op,
                                   block.getTerminator()->getOperandTypes(),
                                   op->getResultTypes(), "a returned value")))
      return failure();
  }
  if (isa<IfOp, CaseOp>(op))
    return success();
  return verifyEqualElements(op, op->getOperandTypes(), op->getResultTypes(),
                             "an operand");
}

static LogicalResult verifySort(SortOp op) {
  for (BlockArgument argument : op.getComparator().getArguments())
    if (failed(verifyEqualElements(
            op, argument.getType(),
            op.getInputs()[argument.getArgNumber() / 2].getType(),
            "an argument of `comparator`")))
      return failure();
  return verifyEqualElements(op, op->getOperandTypes(), op->getResultTypes(),
                             "an operand");
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Checks the dimensions along which operands and result have several scales:
/// `lhs` none, `rhs` one that is not summed over, the result the same one.
static LogicalResult verifyProduct(Operation *op, Type lhs, Type rhs,
                                   ArrayRef<int64_t> summed,
                                   std::optional<int64_t> rhsAxis,
                                   std::optional<int64_t> resultAxis) {
  Type result = op->getResult(0).getType();
  if (quantizedAxisOf(getElementTypeOrSelf(lhs)))
    return op->emitOpError("`lhs` of type ")
           << lhs << " must have one scale for the whole tensor";
  std::optional<int64_t> axis = quantizedAxisOf(getElementTypeOrSelf(rhs));
  if (axis && (llvm::is_contained(summed, *axis) || (rhsAxis && axis != rhsAxis)))
    return op->emitOpError("`rhs` of type ")
           << rhs << " is quantized along dimension " << *axis
           << (rhsAxis ? ", expected the output feature dimension"
                       : ", which is summed over");
  std::optional<int64_t> outAxis = quantizedAxisOf(getElementTypeOrSelf(result));
  if (outAxis && outAxis != resultAxis)
    return op->emitOpError("result of type ")
           << result << " is quantized along dimension " << *outAxis
           << ", expected the dimension along which `rhs` of type " << rhs
           << " is";
  auto scales = [](Type type) -> size_t {
    return cast<quant::UniformQuantizedPerAxisType>(getElementTypeOrSelf(type))
        .getScales()
        .size();
  };
  if (axis && outAxis && scales(rhs) != scales(result))
    return op->emitOpError("`rhs` of type ")
           << rhs << " and the result of type " << result
           << " do not have as many scales";
  return success();
}

std::optional<int64_t> mlir::dhlo::quantizedAxisOfProduct(DotGeneralOp op) {
  std::optional<int64_t> axis = quantizedAxisOf(elementTypeOf(op.getRhs()));
  if (!axis)
    return std::nullopt;
  DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  ArrayRef<int64_t> batching = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> contracting = numbers.getRhsContractingDimensions();
  if (const auto *it = llvm::find(batching, *axis); it != batching.end())
    return it - batching.begin();
  int64_t place = rankOf(op.getLhs()) - static_cast<int64_t>(contracting.size());
  for (int64_t dim = 0; dim < *axis; ++dim)
    if (!llvm::is_contained(batching, dim) &&
        !llvm::is_contained(contracting, dim))
      ++place;
  return place;
}

template <typename OpT>
static LogicalResult verifyQuantizedConvolution(OpT op) {
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  return verifyProduct(op, op.getLhs().getType(), op.getRhs().getType(), {},
                       numbers.getKernelOutputFeatureDimension(),
                       numbers.getOutputFeatureDimension());
}

LogicalResult mlir::dhlo::verifyQuantization(Operation *op) {
  bool quantized = false;
  for (TypeRange types : {TypeRange(op->getOperandTypes()),
                          TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isQuantizedTensor(type)) {
        quantized = true;
        if (failed(verifyQuantizedTensor(op, type)))
          return failure();
      }
  if (!quantized)
    return success();
  if (isa<ReshapeOp, DynamicReshapeOp, BroadcastOp, BroadcastInDimOp,
          DynamicBroadcastInDimOp, TransposeOp, ReverseOp, ConcatenateOp, PadOp,
          DynamicPadOp, SliceOp, RealDynamicSliceOp, DynamicSliceOp,
          DynamicUpdateSliceOp, GatherOp, DynamicGatherOp, TorchIndexSelectOp,
          TopKOp>(op))
    return verifyMovement(op);
  if (isa<IfOp, CaseOp, WhileOp, OptimizationBarrierOp>(op))
    return verifyControlFlow(op);
  if (auto sort = dyn_cast<SortOp>(op))
    return verifySort(sort);
  if (auto dot = dyn_cast<DotGeneralOp>(op))
    return verifyProduct(
        op, dot.getLhs().getType(), dot.getRhs().getType(),
        dot.getDotDimensionNumbers().getRhsContractingDimensions(),
        std::nullopt, quantizedAxisOfProduct(dot));
  if (auto convolution = dyn_cast<ConvolutionOp>(op))
    return verifyQuantizedConvolution(convolution);
  if (auto convolution = dyn_cast<DynamicConvOp>(op))
    return verifyQuantizedConvolution(convolution);
  return success();
}
