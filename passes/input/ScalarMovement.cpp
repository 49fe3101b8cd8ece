// dhlo ops that move or reduce the elements of small tensors, on scalars.
#include "passes/input/ScalarElements.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace disc;
using Scalars = ScalarElements::Scalars;

static SmallVector<int64_t> position(int64_t linear, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape.size());
  for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
    result[d] = linear % shape[d];
    linear /= shape[d];
  }
  return result;
}

static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t result = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    result = result * size + i;
  return result;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The result's elements, each taken from the operand's element whose position
/// `map` gives for the result's position.
static Scalars gather(const Scalars &from, ArrayRef<int64_t> fromShape,
                      ArrayRef<int64_t> toShape,
                      llvm::function_ref<SmallVector<int64_t>(
                          ArrayRef<int64_t>)> map) {
  Scalars result;
  for (int64_t i = 0, e = ShapedType::getNumElements(toShape); i < e; ++i)
    result.push_back(from[linearize(map(position(i, toShape)), fromShape)]);
  return result;
}

/// The op that a reduction applies, when it is a single op on the two block
/// arguments.
static Operation *reducer(dhlo::ReduceOp reduce) {
  Block &body = reduce.getBody().front();
  if (body.getNumArguments() != 2 ||
      !llvm::hasSingleElement(body.without_terminator()))
    return nullptr;
  Operation *op = &body.front();
  return op->getNumOperands() == 2 &&
                 op->getOperand(0) != op->getOperand(1) &&
                 llvm::all_of(op->getOperands(), llvm::IsaPred<BlockArgument>)
             ? op
             : nullptr;
}

std::optional<Scalars> ScalarElements::computeMovement(Operation *op) {
  if (op->getNumResults() != 1 || !isa<dhlo::DhloDialect>(op->getDialect()))
    return std::nullopt;
  ArrayRef<int64_t> out = shapeOf(op->getResult(0));
  if (auto concat = dyn_cast<dhlo::ConcatenateOp>(op)) {
    if (concat.getDimension() != 0)
      return std::nullopt; // else one after the other
    Scalars all;
    for (Value input : concat.getInputs()) {
      std::optional<Scalars> part = of(input);
      if (!part)
        return std::nullopt;
      all.append(*part);
    }
    return all;
  }
  if (auto iota = dyn_cast<dhlo::IotaOp>(op)) {
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    if (!type.isSignlessIntOrIndex())
      return std::nullopt;
    Scalars all;
    for (int64_t i = 0, e = ShapedType::getNumElements(out); i < e; ++i)
      all.push_back(arith::ConstantOp::create(
          builder, op->getLoc(),
          builder.getIntegerAttr(
              type, position(i, out)[iota.getIotaDimension()])));
    return all;
  }
  if (!isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp, dhlo::BroadcastInDimOp,
           dhlo::TransposeOp, dhlo::ReverseOp, dhlo::SliceOp, dhlo::ReduceOp>(
          op))
    return std::nullopt;
  ArrayRef<int64_t> in = shapeOf(op->getOperand(0));
  if (ShapedType::isDynamicShape(in) ||
      ShapedType::getNumElements(in) > kMaxScalarElements)
    return std::nullopt;
  auto reduce = dyn_cast<dhlo::ReduceOp>(op);
  if (reduce && (op->getNumOperands() != 2 || !reducer(reduce)))
    return std::nullopt;
  std::optional<Scalars> scalars = of(op->getOperand(0));
  if (!scalars)
    return std::nullopt;
  if (isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op))
    return scalars;
  if (auto broadcast = dyn_cast<dhlo::BroadcastInDimOp>(op))
    return gather(*scalars, in, out, [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from;
      for (auto [d, to] : llvm::enumerate(broadcast.getBroadcastDimensions()))
        from.push_back(in[d] == 1 ? 0 : at[to]);
      return from;
    });
  if (auto transpose = dyn_cast<dhlo::TransposeOp>(op))
    return gather(*scalars, in, out, [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from(at.size());
      for (auto [to, d] : llvm::enumerate(transpose.getPermutation()))
        from[d] = at[to];
      return from;
    });
  if (auto reverse = dyn_cast<dhlo::ReverseOp>(op))
    return gather(*scalars, in, out, [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from(at);
      for (int64_t d : reverse.getDimensions())
        from[d] = in[d] - 1 - at[d];
      return from;
    });
  if (auto slice = dyn_cast<dhlo::SliceOp>(op))
    return gather(*scalars, in, out, [&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> from;
      for (auto [i, start, stride] :
           llvm::zip(at, slice.getStartIndices(), slice.getStrides()))
        from.push_back(start + i * stride);
      return from;
    });
  // A reduction: fold in row-major order, starting from the initial value.
  std::optional<Scalars> init = of(op->getOperand(1));
  if (!init)
    return std::nullopt;
  Scalars result(ShapedType::getNumElements(out), (*init)[0]);
  for (int64_t i = 0, e = scalars->size(); i < e; ++i) {
    SmallVector<int64_t> at = position(i, in), to;
    for (int64_t d = 0, rank = in.size(); d < rank; ++d)
      if (!llvm::is_contained(reduce.getDimensions(), d))
        to.push_back(at[d]);
    Value &slot = result[linearize(to, out)];
    slot = scalarElementwise(builder, reducer(reduce), {slot, (*scalars)[i]});
    if (!slot)
      return std::nullopt;
  }
  return result;
}
