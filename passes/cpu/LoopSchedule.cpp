// Kernels of kind "loop": one flat loop where the shape does not matter, otherwise rows in parallel with sequential innermost loops.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/Schedule.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/fusion/VisitOrder.h"

using namespace mlir;

namespace disc {
namespace {

/// A dimension that may be longer than this is split, so that a few long rows still are many items.
constexpr int64_t kBlock = 4096;

//===----------------------------------------------------------------------===//
// Flat
//===----------------------------------------------------------------------===//

/// Computes elements by their row-major position: for bodies in which every tensor has either the elements of the result, in the same
/// order, or one element.
class FlatEmitter {
public:
  explicit FlatEmitter(const KernelEmission &k) : k(k) {}

  /// Whether the body is one for which this works.
  bool accepts(Value tensor) {
    if (isa<BlockArgument>(tensor) || !visited.insert(tensor).second || isOneElement(tensor))
      return true;
    Operation *op = tensor.getDefiningOp();
    if (isa<dhlo::TieShapeOp, dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op))
      return accepts(op->getOperand(0));
    if (isa<dhlo::BroadcastInDimOp, dhlo::DynamicBroadcastInDimOp, dhlo::BroadcastOp>(op))
      return isOneElement(op->getOperand(0));
    if (DenseElementsAttr value; matchPattern(op, m_Constant(&value)))
      return value.isSplat();
    return isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
             return cast<RankedTensorType>(operand.getType()).getRank() == 0 || accepts(operand);
           });
  }

  Value emit(OpBuilder &b, Value tensor, Value position) {
    Location loc = k.fusion().getLoc();
    if (isOneElement(tensor))
      return k.e.emit(b, loc, tensor, zeros(tensor));
    Value &known = elements[tensor];
    if (known)
      return known;
    Value element;
    if (auto arg = dyn_cast<BlockArgument>(tensor))
      element = emitLoad(b, loc, k.kernel.input(arg.getArgNumber(), /*kept=*/0), position, getElementTypeOrSelf(tensor.getType()));
    else
      element = emitOp(b, tensor.getDefiningOp(), position);
    return elements[tensor] = element;
  }

private:
  SmallVector<Value> zeros(Value tensor) {
    return SmallVector<Value>(cast<RankedTensorType>(tensor.getType()).getRank(), k.e.constant(0));
  }

  Value emitOp(OpBuilder &b, Operation *op, Value position) {
    if (isa<dhlo::TieShapeOp, dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op))
      return emit(b, op->getOperand(0), position);
    if (!isScalarOp(op)) // A broadcast of one element, or a splat.
      return k.e.emit(b, op->getLoc(), op->getResult(0), zeros(op->getResult(0)));
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return emit(b, operand, position); });
    Type type = getElementTypeOrSelf(op->getResult(0).getType());
    if (Value element = emitScalarOp(b, op->getLoc(), op, operands, type))
      return element;
    return k.e.fail(b, op, type, "has no scalar code for these element types");
  }

  const KernelEmission &k;
  DenseSet<Value> visited;
  DenseMap<Value, Value> elements;
};

Launch emitFlat(const KernelEmission &k, FlatEmitter &flat) {
  Location loc = k.fusion().getLoc();
  SmallVector<Value> results = k.results();
  // The loop itself tells one item from the next: no size is needed inside.
  emitRangeLoop(k, k.kernel.hi(), [&](OpBuilder &b, ValueRange item) {
    SmallVector<Value> elements = llvm::map_to_vector(results, [&](Value result) { return flat.emit(b, result, item.front()); });
    for (auto [i, element] : llvm::enumerate(elements))
      emitStore(b, loc, element, k.kernel.output(i, /*kept=*/0), item, getElementTypeOrSelf(results[i].getType()));
  });
  IndexMath math(k.host.site.prologue(), loc, k.host.site);
  return {math.product(k.hostDims(0)), emitElementWork(k, /*countLengths=*/false)};
}

//===----------------------------------------------------------------------===//
// Nested
//===----------------------------------------------------------------------===//

/// Which dimensions of the result are items of the range and which are loops of an item.
struct Split {
  SmallVector<size_t> outer, inner;
  bool isBlocked = false;
};

Split splitDims(ValueRange dims) {
  Split split;
  for (auto [d, dim] : llvm::enumerate(dims))
    if (getConstantIntValue(dim) != 1)
      split.outer.push_back(d);
  int64_t length = 1;
  while (split.outer.size() > 1 && length < kShortLoop) {
    split.inner.insert(split.inner.begin(), split.outer.pop_back_val());
    std::optional<int64_t> size = getConstantIntValue(dims[split.inner.front()]);
    length = size ? length * *size : kBlock;
    split.isBlocked = split.inner.size() == 1 && (!size || *size > kBlock);
  }
  return split;
}

/// The number of items along each outer dimension, the blocks of the innermost one last.
SmallVector<Value> itemDims(IndexMath &math, const Split &split, ValueRange dims) {
  SmallVector<Value> items = llvm::map_to_vector(split.outer, [&](size_t d) { return Value(dims[d]); });
  if (split.isBlocked)
    items.push_back(math.ceilDiv(dims[split.inner.front()], math.constant(kBlock)));
  return items;
}

/// A concatenation along dimension `d` of the results, whose element at some index the results need at that index alone; else null.
dhlo::ConcatenateOp findPieces(const KernelEmission &k, int64_t d) {
  SmallVector<Value> work = k.results();
  DenseSet<Value> visited;
  auto rank = cast<RankedTensorType>(work.front().getType()).getRank();
  dhlo::ConcatenateOp found;
  while (!work.empty()) {
    Value tensor = work.pop_back_val();
    Operation *op = tensor.getDefiningOp();
    if (!op || !visited.insert(tensor).second || cast<RankedTensorType>(tensor.getType()).getRank() != rank)
      continue;
    if (auto concat = dyn_cast<dhlo::ConcatenateOp>(op)) {
      if (static_cast<int64_t>(concat.getDimension()) == d)
        found = concat;
      continue;
    }
    if (isa<dhlo::TieShapeOp>(op) || isScalarOp(op))
      llvm::append_range(work, llvm::make_filter_range(op->getOperands(), [](Value v) { return isa<RankedTensorType>(v.getType()); }));
  }
  return found;
}

/// The loop over [start, start + length) of dimension `d`, in one part for each piece of `concat`: no part asks which piece an element is in.
void emitPieces(const KernelEmission &k, OpBuilder &b, dhlo::ConcatenateOp concat, MutableArrayRef<Value> index, int64_t d, Value start,
                Value length) {
  Location loc = concat.getLoc();
  IndexMath math(b, loc, k.kernel), once(k.kernel.prologue(), loc, k.kernel);
  Value begin = once.constant(0), stop = start ? math.add(start, length) : length;
  for (Value piece : concat.getInputs()) {
    Value own = begin, end = once.add(begin, k.e.dim(piece, d));
    Value from = start ? math.max(start, own) : own, to = start ? math.min(stop, end) : end;
    Value bound = math.max(math.sub(to, from), math.constant(0));
    emitLoopNest(k.e, b, loc, bound, {}, [&](OpBuilder &b, ValueRange inner, ValueRange) -> SmallVector<Value> {
      IndexMath math(b, loc, k.kernel);
      index[d] = math.add(from, inner.front());
      SmallVector<Value> place = llvm::to_vector(index);
      place[d] = math.add(math.sub(from, own), inner.front());
      k.e.bind(concat.getResult(), index, k.e.emit(b, loc, piece, place));
      emitResults(k, b, index);
      return {};
    });
    begin = end;
  }
}

/// The result at the index that it has when `index` is one of the transpose's operand.
void emitTransposed(const KernelEmission &k, OpBuilder &b, dhlo::TransposeOp transpose, ValueRange index) {
  Location loc = k.fusion().getLoc();
  SmallVector<Value> place = llvm::map_to_vector(transpose.getPermutation(), [&](int64_t d) { return index[d]; });
  Value element = k.e.emit(b, loc, transpose.getOperand(), index);
  k.store(b, 0, element, place);
}

Launch emitNested(const KernelEmission &k) {
  Location loc = k.fusion().getLoc();
  dhlo::TransposeOp transpose = getResultTranspose(k.fusion().getBody().front());
  SmallVector<Value> dims = k.e.dims(transpose ? transpose.getOperand() : k.results().front());
  Split split = splitDims(dims);
  dhlo::ConcatenateOp pieces = split.inner.size() == 1 && !transpose ? findPieces(k, split.inner.front()) : dhlo::ConcatenateOp();
  IndexMath once(k.kernel.prologue(), loc, k.kernel);
  emitRangeLoop(k, itemDims(once, split, dims), [&](OpBuilder &b, ValueRange item) {
    IndexMath math(b, loc, k.kernel);
    SmallVector<Value> index(dims.size(), k.e.constant(0));
    for (auto [d, i] : llvm::zip(split.outer, item))
      index[d] = i;
    SmallVector<Value> bounds = llvm::map_to_vector(split.inner, [&](size_t d) { return dims[d]; });
    Value start;
    if (split.isBlocked) {
      start = math.mul(item.back(), math.constant(kBlock));
      bounds = {math.min(math.constant(kBlock), math.sub(bounds.front(), start))};
    }
    if (pieces)
      return emitPieces(k, b, pieces, index, split.inner.front(), start, bounds.front());
    emitLoopNest(k.e, b, loc, bounds, {}, [&](OpBuilder &b, ValueRange inner, ValueRange) -> SmallVector<Value> {
      for (auto [d, i] : llvm::zip_equal(split.inner, inner))
        index[d] = start ? IndexMath(b, loc, k.kernel).add(start, i) : i;
      if (transpose)
        emitTransposed(k, b, transpose, index);
      else
        emitResults(k, b, index);
      return {};
    });
  });

  IndexMath math(k.host.site.prologue(), loc, k.host.site);
  SmallVector<Value> hostDims = k.hostDims(0), ofResult = hostDims;
  if (transpose)
    for (auto [i, d] : llvm::enumerate(transpose.getPermutation()))
      hostDims[d] = ofResult[i];
  Value work = emitElementWork(k, /*countLengths=*/true);
  for (size_t d : split.inner)
    work = math.mul(work, split.isBlocked ? math.min(hostDims[d], math.constant(kBlock)) : hostDims[d]);
  return {math.product(itemDims(math, split, hostDims)), work};
}

} // namespace

void emitResults(const KernelEmission &k, OpBuilder &b, ValueRange index) {
  Location loc = k.fusion().getLoc();
  IndexMath math(b, loc, k.kernel);
  SmallVector<Value> results = k.results(), elements;
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> dims = k.e.dims(results.front());
  for (Value result : results) {
    places.push_back(math.reshape(index, dims, k.e.dims(result)));
    elements.push_back(k.e.emit(b, loc, result, places.back()));
  }
  for (auto [i, element] : llvm::enumerate(elements))
    k.store(b, i, element, places[i]);
}

Launch emitLoopSchedule(const KernelEmission &k, bool keepsOrder) {
  FlatEmitter flat(k);
  if (llvm::all_of(k.results(), [&](Value result) { return flat.accepts(result) && !isOneElement(result); }))
    return emitFlat(k, flat);
  if (Launch launch = emitColumnSchedule(k); launch.range)
    return launch;
  if (Launch launch = keepsOrder ? Launch() : emitTransposeSchedule(k); launch.range)
    return launch;
  return emitNested(k);
}

} // namespace disc
