// Moves transposes behind the ops that read them.
#include "passes/graph/LayoutMoves.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace disc;

RankedTensorType disc::permuted(RankedTensorType type, ArrayRef<int64_t> order) {
  return type.clone(applyPermutation(type.getShape(), order));
}

Value LayoutMoves::transpose(OpBuilder &builder, Location loc, Value value,
                             ArrayRef<int64_t> order) {
  SmallVector<int64_t> whole(order);
  if (auto inner = value.getDefiningOp<dhlo::TransposeOp>()) {
    whole = applyPermutation(inner.getPermutation(), order);
    value = inner.getOperand();
  }
  if (isIdentityPermutation(whole))
    return value;
  return dhlo::TransposeOp::create(
      builder, loc, permuted(cast<RankedTensorType>(value.getType()), whole),
      value, whole);
}

Value LayoutMoves::transposeBack(OpBuilder &builder, Value value,
                                 RankedTensorType type,
                                 ArrayRef<int64_t> order) {
  auto op = dhlo::TransposeOp::create(builder, value.getLoc(), type, value, order);
  ours.insert(op);
  return op;
}

dhlo::TransposeOp LayoutMoves::movable(Value value) {
  auto op = value.getDefiningOp<dhlo::TransposeOp>();
  return op && ours.contains(op) ? op : dhlo::TransposeOp();
}

/// A vector of sizes with element `order[i]` at place i.
static Value permutedSizes(OpBuilder &builder, Location loc, Value sizes,
                           ArrayRef<int64_t> order) {
  SmallVector<Value> elements;
  for (int64_t from : order) {
    Value at = arith::ConstantIndexOp::create(builder, loc, from);
    elements.push_back(tensor::ExtractOp::create(builder, loc, sizes, at));
  }
  return tensor::FromElementsOp::create(
      builder, loc, cast<RankedTensorType>(sizes.getType()), elements);
}

/// A broadcast of few elements, in the order before the transpose; null for
/// another one.
Value LayoutMoves::broadcastBefore(OpBuilder &builder, Operation *op,
                                   ArrayRef<int64_t> order) {
  auto dynamic = dyn_cast<dhlo::DynamicBroadcastInDimOp>(op);
  auto fixed = dyn_cast<dhlo::BroadcastInDimOp>(op);
  if (!dynamic && !fixed)
    return {};
  Value operand = op->getOperand(0);
  auto from = cast<RankedTensorType>(operand.getType());
  if (llvm::count_if(from.getShape(), [](int64_t size) { return size != 1; }) > 1)
    return {};
  // Dimension d of the result was dimension order[d].
  SmallVector<int64_t> dims = llvm::map_to_vector(
      dynamic ? dynamic.getBroadcastDimensions() : fixed.getBroadcastDimensions(),
      [&](int64_t d) { return order[d]; });
  if (!llvm::is_sorted(dims)) { // only a dimension of size 1 changes its place
    auto places = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
    llvm::sort(places, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
    RankedTensorType sorted = permuted(from, places);
    operand = from.hasStaticShape()
                  ? dhlo::ReshapeOp::create(builder, op->getLoc(), sorted, operand)
                        .getResult()
                  : transpose(builder, op->getLoc(), operand, places);
    llvm::sort(dims);
  }
  auto back = invertPermutationVector(order);
  RankedTensorType type =
      permuted(cast<RankedTensorType>(op->getResult(0).getType()), back);
  if (fixed)
    return dhlo::BroadcastInDimOp::create(builder, op->getLoc(), type, operand,
                                          dims);
  Value sizes = permutedSizes(builder, op->getLoc(),
                              dynamic.getOutputDimensions(), back);
  return dhlo::DynamicBroadcastInDimOp::create(builder, op->getLoc(), type,
                                               operand, sizes, dims, nullptr,
                                               nullptr);
}

/// `operand` as it is before a transpose by `order`, where that costs nothing.
Value LayoutMoves::before(OpBuilder &builder, Value operand,
                          ArrayRef<int64_t> order) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type)
    return {};
  if (type.getRank() == 0)
    return operand;
  if (type.getRank() != static_cast<int64_t>(order.size()))
    return {};
  if (dhlo::TransposeOp op = movable(operand))
    return op.getPermutation() == order ? op.getOperand() : Value();
  SplatElementsAttr splat;
  auto back = invertPermutationVector(order);
  if (matchPattern(operand, m_Constant(&splat)))
    return dhlo::ConstantOp::create(builder, operand.getLoc(),
                                    splat.resizeSplat(permuted(type, back)));
  Operation *op = operand.getDefiningOp();
  return op ? broadcastBefore(builder, op, order) : Value();
}

/// Numbers for each dimension, in the order before the transpose.
static DenseI64ArrayAttr back(DenseI64ArrayAttr values, ArrayRef<int64_t> order) {
  if (!values)
    return values;
  return DenseI64ArrayAttr::get(
      values.getContext(),
      applyPermutation(values.asArrayRef(), invertPermutationVector(order)));
}

static DenseIntElementsAttr back(DenseIntElementsAttr padding,
                                 ArrayRef<int64_t> order) {
  if (!padding)
    return padding;
  auto given = llvm::to_vector(padding.getValues<APInt>());
  SmallVector<APInt> values;
  for (int64_t d : invertPermutationVector(order))
    values.append({given[2 * d], given[2 * d + 1]});
  return DenseIntElementsAttr::get(padding.getType(), values);
}

/// Tells the op, which reads operands in the order before the transpose, so.
/// False for an op that cannot be told.
static bool reorder(OpBuilder &builder, Operation *op, ArrayRef<int64_t> order) {
  if (op->hasTrait<OpTrait::dhlo::Elementwise>() && op->getNumRegions() == 0)
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](dhlo::ConcatenateOp op) {
        op.setDimension(order[op.getDimension()]);
        return true;
      })
      .Case([&](dhlo::PadOp op) {
        op.setEdgePaddingLowAttr(back(op.getEdgePaddingLowAttr(), order));
        op.setEdgePaddingHighAttr(back(op.getEdgePaddingHighAttr(), order));
        op.setInteriorPaddingAttr(back(op.getInteriorPaddingAttr(), order));
        return true;
      })
      .Case([&](dhlo::ReduceWindowOp op) {
        op.setWindowDimensionsAttr(back(op.getWindowDimensionsAttr(), order));
        op.setWindowStridesAttr(back(op.getWindowStridesAttr(), order));
        op.setBaseDilationsAttr(back(op.getBaseDilationsAttr(), order));
        op.setWindowDilationsAttr(back(op.getWindowDilationsAttr(), order));
        op.setPaddingAttr(back(op.getPaddingAttr(), order));
        return true;
      })
      .Case([&](dhlo::DynamicPadOp op) {
        for (OpOperand &amounts : op->getOpOperands().drop_front(2))
          amounts.set(permutedSizes(builder, op.getLoc(), amounts.get(),
                                    invertPermutationVector(order)));
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// Operands that have the op's dimensions; the others stay as they are.
static unsigned numDimensioned(Operation *op) {
  if (isa<dhlo::PadOp, dhlo::DynamicPadOp>(op))
    return 1;
  if (auto window = dyn_cast<dhlo::ReduceWindowOp>(op))
    return window.getInputs().size();
  if (auto reduce = dyn_cast<dhlo::ReduceOp>(op))
    return reduce.getInputs().size();
  return op->getNumOperands();
}

/// The result of a reduction on what the transposes read, in its order.
static SmallVector<int64_t> reorderReduce(dhlo::ReduceOp op, ArrayRef<int64_t> order) {
  SmallVector<int64_t> kept, dims;
  for (auto [d, from] : llvm::enumerate(order))
    (llvm::is_contained(op.getDimensions(), static_cast<int64_t>(d)) ? dims : kept)
        .push_back(from);
  llvm::sort(dims);
  op.setDimensions(dims);
  SmallVector<int64_t> sorted(kept);
  llvm::sort(sorted);
  return llvm::map_to_vector(kept, [&](int64_t from) {
    return int64_t(llvm::lower_bound(sorted, from) - sorted.begin());
  });
}

void LayoutMoves::moveBehind(Operation *op) {
  if (!isa_and_nonnull<dhlo::DhloDialect>(op->getDialect()) ||
      op->getNumResults() == 0 || op->getNumOperands() == 0)
    return;
  unsigned count = numDimensioned(op);
  dhlo::TransposeOp first;
  for (Value operand : op->getOperands().take_front(count))
    if (!first)
      first = movable(operand);
  if (!first)
    return;
  SmallVector<int64_t> order(first.getPermutation());
  OpBuilder builder(op);
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : MutableArrayRef(operands).take_front(count))
    if (operand = before(builder, operand, order); !operand)
      return;
  Operation *moved = builder.clone(*op);
  moved->setOperands(operands);
  builder.setInsertionPoint(moved);
  SmallVector<int64_t> results = order;
  if (auto reduce = dyn_cast<dhlo::ReduceOp>(moved))
    results = reorderReduce(reduce, order);
  else if (!reorder(builder, moved, order))
    return moved->erase();
  builder.setInsertionPointAfter(moved);
  auto orderBack = invertPermutationVector(results);
  for (auto [result, old] : llvm::zip(moved->getResults(), op->getResults())) {
    auto type = cast<RankedTensorType>(old.getType());
    result.setType(permuted(type, orderBack));
    Value again = isIdentityPermutation(results)
                      ? result
                      : transposeBack(builder, result, type, results);
    old.replaceAllUsesWith(again);
  }
  op->erase();
}
