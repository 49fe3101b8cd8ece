// The loops of a row: their elements, what is kept of them for later loops, and what is asked for meanwhile.
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/cpu/Reducer.h"
#include "passes/cpu/RowEmitter.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

static Type elementTypeOf(Value tensor) { return getElementTypeOrSelf(tensor.getType()); }

/// Whether the buffer of output `i` is certainly not one of the inputs' buffers.
static bool isOwnBuffer(lmhlo_disc::FusionOp fusion, unsigned i) {
  auto root = [](Value buffer) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    return buffer;
  };
  Value out = root(fusion.getOuts()[i]);
  return llvm::none_of(fusion->getOperands(), [&](Value other) { return other != fusion.getOuts()[i] && root(other) == out; });
}

/// From one scratch row to the next, in elements: whole cache lines, with room for a whole vector from any element on: `cpu-vectorize` stores
/// tails to scratch unmasked. The last of several loops in a row may start its tail at the row's last element.
static Value rowStride(IndexMath &math, ValueRange rowDims) {
  Value line = math.constant(64);
  Value lines = math.ceilDiv(math.product(rowDims), line);
  return math.mul(rowDims.size() > 1 ? math.add(lines, math.constant(1)) : lines, line);
}

RowStorage RowEmitter::chooseStorage(Value value) {
  Type element = elementTypeOf(value);
  auto isFree = [&](unsigned i) {
    return !plan.results[i].isPerRow && elementTypeOf(k.results()[i]) == element && !takenOutputs.contains(i) &&
           isOwnBuffer(k.fusion(), i);
  };
  auto take = [&](unsigned i) {
    takenOutputs.insert(i);
    return RowStorage{Value(), static_cast<int>(i)};
  };
  for (unsigned i = 0; i < plan.results.size(); ++i)
    if (plan.results[i].value == value && isFree(i))
      return take(i);
  HostSite &host = k.kernel.host;
  IndexMath math(host.prologue(), loc, host);
  SmallVector<Value> dims = k.host.dims(plan.loops.front().reductions.front()->getOperand(0));
  ArrayRef<Value> rowDims = ArrayRef(dims).drop_front(plan.rowsDims.size());
  Value length = rowStride(math, rowDims);
  return {k.kernel.scratch(math.mul(length, countTogether(math, rowDims)), storageType(element)), -1};
}

std::pair<Value, SmallVector<Value>> RowEmitter::keptPlace(OpBuilder &b, Value value, unsigned row, ValueRange inner) {
  RowStorage place = storage.lookup(value);
  if (place.output >= 0)
    return k.outputPlace(place.output, placeOf(b, place.output, fullIndex(rows[row], inner)));
  IndexMath once(k.kernel.prologue(), loc, k.kernel), math(b, loc, k.kernel);
  Value length = rowStride(once, plan.rowDims);
  Value first = k.kernel.scratchStart(once.mul(length, countTogether(once, plan.rowDims)));
  Value base = once.add(first, once.mul(once.constant(row), length));
  return {place.scratch, {math.add(base, position ? position : math.linearise(inner, plan.rowDims))}};
}

void RowEmitter::emitPrefetch() {
  auto others = llvm::drop_begin(bodies, isAhead ? 0 : 1);
  auto busiest = llvm::max_element(others, [](const ElementLoop &x, const ElementLoop &y) { return x.work() < y.work(); });
  if (busiest == others.end())
    return;
  OpBuilder b = busiest->begin();
  int64_t last = static_cast<int64_t>(plan.rowsDims.size()) - 1;
  while (last >= 0 && getConstantIntValue(plan.rowsDims[last]) == 1)
    --last;
  if (last < 0)
    return;
  IndexMath math(b, loc, k.kernel);
  auto prefetch = [&](Value memref, ValueRange index, bool isWrite) {
    memref::PrefetchOp::create(b, loc, memref, index, isWrite, /*localityHint=*/3, /*isDataCache=*/true);
  };
  for (BlockArgument arg : k.fusion().getBody().getArguments()) {
    if (k.e.dims(arg) != plan.fullDims)
      continue;
    for (const RangeItem &row : rows) {
      SmallVector<Value> index = fullIndex(row, busiest->inner);
      // Past the end of the dimension it is the next one's place: buffers are row-major.
      std::optional<Fold> fold;
      if (std::optional<ElementEmitter::Folded> folded = k.e.fold(arg, index))
        fold = folded->fold, index = folded->index;
      Value &number = index[fold && fold->isMatrix ? 0 : last];
      number = math.add(number, math.constant((isAhead ? 2 : 1) * static_cast<int64_t>(rows.size())));
      prefetch(k.kernel.input(arg.getArgNumber(), fold), index, /*isWrite=*/false);
    }
  }
  for (auto [i, result] : llvm::enumerate(plan.results))
    if (rows.size() > 1 && !result.isPerRow && k.e.dims(k.results()[i]) == plan.fullDims)
      for (const RangeItem &row : rows) {
        auto [buffer, place] = k.outputPlace(i, fullIndex(row, busiest->inner));
        prefetch(buffer, place, /*isWrite=*/true);
      }
}

void RowEmitter::emitKept(OpBuilder &b, unsigned number, const RowLoop &loop, unsigned row, ValueRange inner) {
  SmallVector<Value> index = fullIndex(rows[row], inner);
  for (const KeptValue &kept : plan.kept) {
    Type element = elementTypeOf(kept.value);
    if (kept.firstLoop == number) {
      Value computed = k.e.emit(b, loc, kept.value, index);
      auto [buffer, place] = keptPlace(b, kept.value, row, inner);
      emitStore(b, loc, computed, buffer, place, element);
    } else if (loop.reads.contains(kept.value)) {
      auto [buffer, place] = keptPlace(b, kept.value, row, inner);
      k.e.bind(kept.value, index, emitLoad(b, loc, buffer, place, element));
    }
  }
}

SmallVector<Value> RowEmitter::emitElements(OpBuilder &b, ValueRange init, LoopBody body) {
  auto named = [&](OpBuilder &b, ValueRange inner, ValueRange carried) {
    // Without this, where a row begins is computed of all dimensions, for each of the rows that go together.
    if (Value at = position ? position : inner.size() == 1 ? inner.front() : Value())
      for (const RangeItem &row : rows)
        k.e.nameRow(plan.fullDims, fullIndex(row, inner), plan.rowsDims.size(), row.number, at);
    return body(b, inner, carried);
  };
  if (!plan.isFlat)
    return emitLoopNest(k.e, b, loc, plan.rowDims, init, named);
  Value length = IndexMath(k.kernel.prologue(), loc, k.kernel).product(plan.rowDims);
  return emitLoopNest(k.e, b, loc, length, init, [&](OpBuilder &b, ValueRange at, ValueRange carried) {
    position = at.front();
    SmallVector<Value> next = named(b, k.e.unfold(b, loc, position, plan.rowDims), carried);
    position = Value();
    return next;
  });
}

SmallVector<Value> RowEmitter::emitReductionLoop(OpBuilder &b, unsigned number, const RowLoop &loop) {
  SmallVector<Reducer> reducers;
  SmallVector<Value> start;
  for (auto [row, op] : eachReduction(loop)) {
    reducers.emplace_back(k.e, op.getLoc(), op.getBody());
    SmallVector<Value> initial;
    for (Value init : op.getInitValues())
      initial.push_back(k.e.emit(b, loc, init, {}));
    llvm::append_range(start, reducers.back().start(b, initial, elementTypesOf(op.getInitValues())));
  }
  auto body = [&](OpBuilder &b, ValueRange inner, ValueRange carried) {
    bodies.emplace_back(b, inner);
    for (unsigned row = 0; row < rows.size(); ++row)
      emitKept(b, number, loop, row, inner);
    SmallVector<Value> next;
    for (auto [at, reducer] : llvm::zip_equal(eachReduction(loop), reducers)) {
      auto [row, op] = at;
      SmallVector<Value> elements;
      for (Value input : dhlo::ReduceOp(op).getInputs())
        elements.push_back(k.e.emit(b, loc, input, fullIndex(rows[row], inner)));
      ValueRange own = carried.slice(next.size(), elements.size());
      llvm::append_range(next, reducer.combine(b, own, elements, elementTypesOf(dhlo::ReduceOp(op).getInputs())));
    }
    return next;
  };
  SmallVector<Value> sums = emitElements(b, start, body);
  ArrayRef<Value> rest = sums;
  SmallVector<Value> finished;
  for (auto [at, reducer] : llvm::zip_equal(eachReduction(loop), reducers)) {
    ValueRange results = at.second->getResults();
    llvm::append_range(finished, reducer.finish(b, rest.take_front(results.size()), elementTypesOf(results)));
    rest = rest.drop_front(results.size());
  }
  return finished;
}

void RowEmitter::bindSums(const RowLoop &loop, ValueRange sums) {
  size_t next = 0;
  for (auto [row, op] : eachReduction(loop))
    for (Value result : op->getResults())
      k.e.bind(result, rows[row].index, sums[next++]);
}

void RowEmitter::emitResultLoop(OpBuilder &b, unsigned number, const RowLoop &loop) {
  emitElements(b, {}, [&](OpBuilder &b, ValueRange inner, ValueRange) -> SmallVector<Value> {
    bodies.emplace_back(b, inner);
    for (unsigned row = 0; row < rows.size(); ++row)
      emitKept(b, number, loop, row, inner);
    SmallVector<std::tuple<unsigned, SmallVector<Value>, Value>> elements;
    for (const RangeItem &row : rows)
      for (auto [i, result] : llvm::enumerate(plan.results)) {
        // An output that kept its own value has it already.
        auto kept = storage.find(result.value);
        bool isStored = kept != storage.end() && kept->second.output == static_cast<int>(i);
        SmallVector<Value> index = fullIndex(row, inner);
        if (!result.isPerRow && !isStored)
          elements.emplace_back(i, index, emitElement(b, i, index));
      }
    for (auto &[i, index, element] : elements)
      store(b, i, element, index);
    return {};
  });
}

} // namespace disc
