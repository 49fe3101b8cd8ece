// Pass input-batch-norm: batch normalization and its gradient as elementwise ops and reductions.
//
// The formulas are those of the StableHLO specification. Narrow floats are widened to f32 first and rounded once at the end.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/input/TensorBuilders.h"

using namespace mlir;

namespace {

/// Arithmetic on tensors like the operand `x` and on vectors with one element a feature.
class FeatureBuilder {
public:
  FeatureBuilder(Operation *op, Value operand, int64_t feature, const APFloat &epsilon)
      : b(op), loc(op->getLoc()), feature(feature), x(widen(operand)),
        type(cast<RankedTensorType>(x.getType())), element(type.getElementType()),
        epsilon(epsilon.convertToDouble()) {
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      sizes.push_back(tensor::DimOp::create(b, loc, x, dim));
      if (dim != feature)
        others.push_back(dim);
    }
  }

  Value operand() { return x; }

  Value widen(Value value) {
    auto from = cast<RankedTensorType>(value.getType());
    if (from.getElementTypeBitWidth() >= 32)
      return value;
    return dhlo::ConvertOp::create(b, loc, from.clone(b.getF32Type()), value);
  }

  /// A vector of features at the operand's sizes.
  Value spread(Value vector) {
    return disc::broadcastTo(b, loc, widen(vector), type, disc::listOf(b, loc, sizes), {feature});
  }

  /// Sums over all dimensions but the feature's.
  Value sum(Value value) {
    return disc::reduceFromZero(b, loc, value, others, [&](Value lhs, Value rhs) { return add(lhs, rhs); });
  }

  /// How many elements a feature has, as a vector.
  Value count() {
    Value product = arith::ConstantIndexOp::create(b, loc, 1);
    for (int64_t dim : others)
      product = arith::MulIOp::create(b, loc, product, sizes[dim]);
    product = arith::IndexCastOp::create(b, loc, b.getI64Type(), product);
    auto integer = RankedTensorType::get({}, b.getI64Type());
    Value tensor = tensor::FromElementsOp::create(b, loc, integer, product);
    return vectorOf(dhlo::ConvertOp::create(b, loc, integer.clone(element), tensor));
  }

  /// variance + epsilon, as a vector.
  Value stabilized(Value variance) {
    Value constant = disc::scalarConstant(b, loc, element, b.getFloatAttr(element, epsilon));
    return add(widen(variance), vectorOf(constant));
  }

  Value add(Value lhs, Value rhs) { return dhlo::AddOp::create(b, loc, lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return dhlo::SubtractOp::create(b, loc, lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return dhlo::MulOp::create(b, loc, lhs, rhs); }
  Value div(Value lhs, Value rhs) { return dhlo::DivOp::create(b, loc, lhs, rhs); }
  Value sqrt(Value value) { return dhlo::SqrtOp::create(b, loc, value); }

  /// scale * (x - mean) / sqrt(variance + epsilon) + offset
  Value normalize(Value scale, Value offset, Value mean, Value variance) {
    Value normal = div(sub(x, spread(mean)), spread(sqrt(stabilized(variance))));
    return add(mul(normal, spread(scale)), spread(offset));
  }

  void replace(Operation *op, ArrayRef<Value> values) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
      Value narrow = value;
      if (value.getType() != result.getType())
        narrow = dhlo::ConvertOp::create(b, loc, result.getType(), value);
      result.replaceAllUsesWith(narrow);
    }
    op->erase();
  }

private:
  /// A vector of features that are all the scalar.
  Value vectorOf(Value scalar) {
    auto vector = RankedTensorType::get({type.getDimSize(feature)}, element);
    return disc::broadcastTo(b, loc, scalar, vector, disc::listOf(b, loc, sizes[feature]));
  }

  OpBuilder b;
  Location loc;
  int64_t feature;
  Value x;
  RankedTensorType type;
  Type element;
  double epsilon;
  SmallVector<Value> sizes;
  SmallVector<int64_t> others;
};

} // namespace

static void expandInference(dhlo::BatchNormInferenceOp op) {
  FeatureBuilder b(op, op.getOperand(), op.getFeatureIndex(), op.getEpsilon());
  b.replace(op, {b.normalize(op.getScale(), op.getOffset(), op.getMean(), op.getVariance())});
}

static void expandTraining(dhlo::BatchNormTrainingOp op) {
  FeatureBuilder b(op, op.getOperand(), op.getFeatureIndex(), op.getEpsilon());
  Value count = b.count();
  Value mean = b.div(b.sum(b.operand()), count);
  Value centred = b.sub(b.operand(), b.spread(mean));
  Value variance = b.div(b.sum(b.mul(centred, centred)), count);
  Value output = b.normalize(op.getScale(), op.getOffset(), mean, variance);
  b.replace(op, {output, mean, variance});
}

static void expandGrad(dhlo::BatchNormGradOp op) {
  FeatureBuilder b(op, op.getOperand(), op.getFeatureIndex(), op.getEpsilon());
  Value grad = b.widen(op.getGradOutput());
  Value centred = b.sub(b.operand(), b.spread(op.getMean()));
  Value variance = b.stabilized(op.getVariance());
  Value deviation = b.sqrt(variance);
  Value count = b.count();
  Value gradOffset = b.sum(grad);
  Value inner = b.sum(b.mul(grad, centred));
  Value gradScale = b.div(inner, deviation);
  // grad * count - sum(grad) - centred * sum(grad * centred) / (variance + epsilon)
  Value slope = b.spread(b.div(inner, variance));
  Value rest = b.sub(b.sub(b.mul(grad, b.spread(count)), b.spread(gradOffset)), b.mul(centred, slope));
  Value factor = b.div(b.div(b.widen(op.getScale()), deviation), count);
  b.replace(op, {b.mul(rest, b.spread(factor)), gradScale, gradOffset});
}

LogicalResult disc::runInputBatchNorm(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (auto inference = dyn_cast<dhlo::BatchNormInferenceOp>(op))
      expandInference(inference);
    else if (auto training = dyn_cast<dhlo::BatchNormTrainingOp>(op))
      expandTraining(training);
    else if (auto grad = dyn_cast<dhlo::BatchNormGradOp>(op))
      expandGrad(grad);
  });
  return success();
}
