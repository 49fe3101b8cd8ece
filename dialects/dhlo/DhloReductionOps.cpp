// Reduce and sort.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

/// Checks that `inputs` have compatible shapes; gives the most static one.
static LogicalResult mergeShapes(std::optional<Location> loc, StringRef opName,
                                 ValueRange inputs,
                                 SmallVectorImpl<int64_t> &shape) {
  if (inputs.empty())
    return emitOptionalError(loc, "'", opName, "' op `inputs` is empty");
  llvm::append_range(shape, tensorTypeOf(inputs.front()).getShape());
  for (auto [i, input] : llvm::enumerate(inputs)) {
    ArrayRef<int64_t> other = tensorTypeOf(input).getShape();
    if (failed(verifyCompatibleShape(shape, other)))
      return emitOptionalError(loc, "'", opName, "' op `inputs[", i,
                               "]` of type ", input.getType(),
                               " does not have the shape of `inputs[0]` of "
                               "type ",
                               inputs.front().getType());
    for (auto [size, otherSize] : llvm::zip(shape, other))
      if (ShapedType::isDynamic(size))
        size = otherSize;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

/// `sizes` without the dimensions `dims`.
template <typename Size>
static SmallVector<Size> dropDims(ArrayRef<Size> sizes,
                                  ArrayRef<int64_t> dims) {
  SmallVector<Size> kept;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(dims, static_cast<int64_t>(i)))
      kept.push_back(size);
  return kept;
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (failed(mergeShapes(loc, getOperationName(), op.getInputs(), shape)) ||
      failed(checkDims<ReduceOp>(loc, "dimensions", op.getDimensions(),
                                 shape.size())))
    return failure();
  SmallVector<int64_t> kept =
      dropDims(ArrayRef<int64_t>(shape), op.getDimensions());
  for (auto [i, init] : llvm::enumerate(op.getInitValues()))
    types.push_back(RankedTensorType::get(
        kept, combinedElementType(op.getBody(), i, elementTypeOf(init))));
  return success();
}

/// Checks that the initial values have the type of the scalars combined.
template <typename OpT>
static LogicalResult verifyInitValues(OpT op) {
  Region &body = op.getBody();
  if (failed(verifyCombiner(op, "body", body, op.getInputs().size())))
    return failure();
  for (auto [i, init] : llvm::enumerate(op.getInitValues())) {
    Type combined = body.front().getArgument(i).getType();
    if (!sameElementTypeUpToQuantization(elementTypeOf(init),
                                         getElementTypeOrSelf(combined)))
      return op.emitOpError("`init_values[")
             << i << "]` of type " << init.getType()
             << " does not have the type " << combined
             << " that `body` combines";
  }
  return success();
}

LogicalResult ReduceOp::verify() { return verifyInitValues(*this); }

LogicalResult ReduceOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, getLoc());
  Value input = getInputs().front();
  SmallVector<OpFoldResult> kept;
  for (int64_t i = 0, rank = rankOf(input); i < rank; ++i)
    if (!llvm::is_contained(getDimensions(), i))
      kept.push_back(s.dim(input, i));
  for (Value result : getResults())
    shapes.push_back(s.conform(result.getType(), kept));
  return success();
}

//===----------------------------------------------------------------------===//
// SortOp
//===----------------------------------------------------------------------===//

LogicalResult SortOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (failed(mergeShapes(loc, getOperationName(), op.getInputs(), shape)))
    return failure();
  int64_t rank = shape.size(), dimension = op.getDimension();
  if (dimension < -rank || dimension >= rank)
    return opError<SortOp>(loc, "`dimension` is ", dimension,
                           ", which is not a dimension of `inputs[0]` of type ",
                           op.getInputs().front().getType());
  for (Value input : op.getInputs())
    types.push_back(RankedTensorType::get(shape, elementTypeOf(input)));
  return success();
}

LogicalResult SortOp::verify() {
  return verifyComparator(*this, "comparator", getComparator(), getInputs());
}

DHLO_REIFY_LIKE_FIRST_OPERAND(SortOp)

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloReductionOps.cpp.inc"
