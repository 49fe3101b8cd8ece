// Batch normalization.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

/// Checks `feature_index` and that every operand in `perFeature` is a vector
/// with one element per feature.
template <typename OpT>
static LogicalResult
checkFeatures(std::optional<Location> loc, Value operand, int64_t featureIndex,
              ArrayRef<std::pair<StringRef, Value>> perFeature) {
  if (featureIndex < 0 || featureIndex >= rankOf(operand))
    return opError<OpT>(loc, "`feature_index` is ", featureIndex,
                        ", which is not a dimension of `operand` of type ",
                        operand.getType());
  int64_t features = tensorTypeOf(operand).getDimSize(featureIndex);
  for (auto [name, value] : perFeature)
    if (failed(verifyCompatibleShape(tensorTypeOf(value).getShape(),
                                     {features})) ||
        elementTypeOf(value) != elementTypeOf(operand))
      return opError<OpT>(loc, "`", name, "` of type ", value.getType(),
                          " does not have one element for each of the ",
                          formatList({features}), " features of `operand` of "
                          "type ",
                          operand.getType());
  return success();
}

/// A vector with one element per feature.
static Type featureVector(Value operand, int64_t featureIndex) {
  return RankedTensorType::get(
      {tensorTypeOf(operand).getDimSize(featureIndex)}, elementTypeOf(operand));
}

/// The sizes of results that are like the operand or one vector per feature.
static LogicalResult reifyFeatures(Operation *op, int64_t featureIndex,
                                   OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder s(builder, op->getLoc());
  Value operand = op->getOperand(0);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i == 0)
      shapes.push_back(s.conform(result.getType(), dimsOf(operand, s)));
    else
      shapes.push_back(
          s.conform(result.getType(), {s.dim(operand, featureIndex)}));
  }
  return success();
}

LogicalResult
BatchNormTrainingOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  if (failed(checkFeatures<BatchNormTrainingOp>(
          loc, op.getOperand(), op.getFeatureIndex(),
          {{"scale", op.getScale()}, {"offset", op.getOffset()}})))
    return failure();
  types.push_back(op.getOperand().getType());
  types.append(2, featureVector(op.getOperand(), op.getFeatureIndex()));
  return success();
}

LogicalResult
BatchNormTrainingOp::reifyResultShapes(OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  return reifyFeatures(*this, getFeatureIndex(), builder, shapes);
}

LogicalResult
BatchNormInferenceOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  if (failed(checkFeatures<BatchNormInferenceOp>(
          loc, op.getOperand(), op.getFeatureIndex(),
          {{"scale", op.getScale()},
           {"offset", op.getOffset()},
           {"mean", op.getMean()},
           {"variance", op.getVariance()}})))
    return failure();
  types.push_back(op.getOperand().getType());
  return success();
}

LogicalResult
BatchNormInferenceOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyFeatures(*this, getFeatureIndex(), builder, shapes);
}

LogicalResult
BatchNormGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                  Adaptor op, SmallVectorImpl<Type> &types) {
  if (failed(checkFeatures<BatchNormGradOp>(loc, op.getOperand(),
                                            op.getFeatureIndex(),
                                            {{"scale", op.getScale()},
                                             {"mean", op.getMean()},
                                             {"variance", op.getVariance()}})))
    return failure();
  if (failed(verifyCompatibleShape(op.getGradOutput().getType(),
                                   op.getOperand().getType())))
    return opError<BatchNormGradOp>(
        loc, "`grad_output` of type ", op.getGradOutput().getType(),
        " does not have the shape of `operand` of type ",
        op.getOperand().getType());
  types.push_back(op.getOperand().getType());
  types.append(2, featureVector(op.getOperand(), op.getFeatureIndex()));
  return success();
}

LogicalResult
BatchNormGradOp::reifyResultShapes(OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  return reifyFeatures(*this, getFeatureIndex(), builder, shapes);
}
