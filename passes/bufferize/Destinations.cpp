// Helpers of the pass that gives ops destinations.
#include "passes/bufferize/Destinations.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

FailureOr<SmallVector<OpFoldResult>>
disc::getResultSizes(RewriterBase &rewriter, OpResult result) {
  Operation *op = result.getOwner();
  auto type = cast<RankedTensorType>(result.getType());
  if (type.hasStaticShape())
    return getAsIndexOpFoldResult(op->getContext(), type.getShape());
  for (Operation *user : result.getUsers()) {
    auto tie = dyn_cast<dhlo::TieShapeOp>(user);
    // What the sizes are computed from may lie between the op and its tie.
    if (tie && tie->getBlock() == op->getBlock() &&
        succeeded(moveValueDefinitions(rewriter, tie.getSizes(), op)))
      return tie.getMixedSizes();
  }
  auto shaped = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
  ReifiedRankedShapedTypeDims shapes;
  if (!shaped || failed(shaped.reifyResultShapes(rewriter, shapes))) {
    if (isa<dhlo::CustomCallOp>(op))
      return op->emitError() << "nobody knows the sizes of result #" << result.getResultNumber() << " of type " << type
                             << ": say them with `dhlo.tie_shape` behind the call, or give it their tensor as an operand that "
                                "`indices_of_shape_operands` names (docs/runtime.md)";
    return op->emitError() << "the sizes of result #"
                           << result.getResultNumber() << " of type " << type
                           << " are not known; run `fusion-tie-shapes` before";
  }
  SmallVector<OpFoldResult> sizes = shapes[result.getResultNumber()];
  for (auto [size, known] : llvm::zip(sizes, type.getShape()))
    if (!ShapedType::isDynamic(known))
      size = rewriter.getIndexAttr(known);
  return sizes;
}

/// Static sizes of a type and the values of its dynamic ones.
static std::pair<SmallVector<int64_t>, SmallVector<Value>>
splitSizes(OpBuilder &builder, Location loc, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (OpFoldResult size : sizes) {
    if (auto known = getConstantIntValue(size)) {
      shape.push_back(*known);
      continue;
    }
    shape.push_back(ShapedType::kDynamic);
    dynamic.push_back(cast<Value>(size));
  }
  return {shape, dynamic};
}

Value disc::createDestination(OpBuilder &builder, Location loc,
                              ArrayRef<OpFoldResult> sizes, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, sizes, elementType);
}

Value disc::createDestination(OpBuilder &builder, Location loc,
                              ArrayRef<OpFoldResult> sizes,
                              RankedTensorType type) {
  Value destination =
      createDestination(builder, loc, sizes, type.getElementType());
  if (destination.getType() == type)
    return destination;
  return tensor::CastOp::create(builder, loc, type, destination);
}

OpFoldResult disc::multiply(OpBuilder &builder, Location loc,
                            ArrayRef<OpFoldResult> sizes) {
  int64_t constant = 1;
  Value product;
  for (OpFoldResult size : sizes) {
    if (auto known = getConstantIntValue(size)) {
      // Past the end of i64 it wraps, as the index arithmetic does.
      (void)llvm::MulOverflow(constant, *known, constant);
      continue;
    }
    Value value = cast<Value>(size);
    product = product ? arith::MulIOp::create(builder, loc, product, value)
                            .getResult()
                      : value;
  }
  if (!product || constant == 0)
    return builder.getIndexAttr(constant);
  if (constant == 1)
    return product;
  Value factor = arith::ConstantIndexOp::create(builder, loc, constant);
  return arith::MulIOp::create(builder, loc, product, factor).getResult();
}

Value disc::createView(OpBuilder &builder, Location loc, Value source,
                       ArrayRef<OpFoldResult> sizes, RankedTensorType type) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  SmallVector<Value> dynamic;
  if (type) {
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (type.isDynamicDim(dim))
        dynamic.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  } else {
    SmallVector<int64_t> shape;
    std::tie(shape, dynamic) = splitSizes(builder, loc, sizes);
    type = RankedTensorType::get(shape, sourceType.getElementType());
  }
  // Equal types say equal sizes only where no size can trade places.
  if (type == sourceType &&
      (type.hasStaticShape() || type.getRank() == 1))
    return source;
  return lmhlo_disc::ReshapeViewOp::create(builder, loc, type, source, dynamic);
}
