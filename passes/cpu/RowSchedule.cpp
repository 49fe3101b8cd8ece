// Kernels of kind "row": rows in parallel; in a row one loop for each level of reductions, then the loop that stores the results. Short
// rows go through these loops several at a time: a sum takes a while to come out of its last elements, and one row alone would wait.
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/Reducer.h"
#include "passes/cpu/RowPlan.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Streams.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace disc {
namespace {

/// Rows of at most this many elements are short. A worker's kept elements of as many rows as go together stay in the first cache.
constexpr int64_t kShortRow = 512;
constexpr int64_t kRowsTogether = 4;
/// Of results that are large, so many elements at most. More would leave for memory at once, in one loop, than a processor keeps waiting
/// while it goes on: 64 vectors.
constexpr int64_t kLargeTogether = 1024;
/// What a row costs whatever its length is, in additions: its sums come out of vectors, its last one is masked.
constexpr int64_t kWorkOfRow = 1024;

Type elementTypeOf(Value tensor) { return getElementTypeOrSelf(tensor.getType()); }

/// Whether the buffer of output `i` is certainly not one of the inputs' buffers.
bool isOwnBuffer(lmhlo_disc::FusionOp fusion, unsigned i) {
  auto root = [](Value buffer) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    return buffer;
  };
  Value out = root(fusion.getOuts()[i]);
  return llvm::none_of(fusion->getOperands(), [&](Value other) { return other != fusion.getOuts()[i] && root(other) == out; });
}

/// Where the elements of a kept value of the current row lie: in the output that they are, or in the worker's scratch, which stays in the
/// cache from row to row.
struct Storage {
  Value scratch;
  int output = -1;
};

/// From one scratch row to the next, in elements: whole cache lines, with room for a whole vector from any element on: `cpu-vectorize` stores
/// tails to scratch unmasked. The last of several loops in a row may start its tail at the row's last element.
Value rowStride(IndexMath &math, ValueRange rowDims) {
  Value line = math.constant(64);
  Value lines = math.ceilDiv(math.product(rowDims), line);
  return math.mul(rowDims.size() > 1 ? math.add(lines, math.constant(1)) : lines, line);
}

/// The body of an emitted loop, with the indices of its element and the point where they are known.
struct ElementLoop {
  ElementLoop(OpBuilder &b, ValueRange inner)
      : block(b.getInsertionBlock()),
        last(b.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(b.getInsertionPoint())), inner(inner) {}

  int64_t work() const { return std::distance(block->begin(), block->end()); }
  OpBuilder begin() const { return last ? OpBuilder(block, std::next(Block::iterator(last))) : OpBuilder::atBlockBegin(block); }

  Block *block;
  Operation *last;
  SmallVector<Value> inner;
};

class RowEmitter {
public:
  RowEmitter(const KernelEmission &k, const RowPlan &plan) : k(k), plan(plan), loc(k.fusion().getLoc()) {
    IndexMath math(k.kernel.prologue(), loc, k.kernel);
    std::optional<int64_t> length = getConstantIntValue(math.product(plan.rowDims));
    std::optional<int64_t> count = getConstantIntValue(math.product(plan.rowsDims));
    if (length.value_or(0) <= kShortRow && count.value_or(kRowsTogether) >= kRowsTogether)
      rowsTogether = kRowsTogether;
    if (rowsTogether > 1) // What is left over is added up as they are.
      k.kernel.function()->setAttr("disc.rows_together", UnitAttr::get(k.kernel.function().getContext()));
    for (const KeptValue &kept : plan.kept)
      storage[kept.value] = chooseStorage(kept.value);
  }

  void emit() {
    SmallVector<RangePart> parts;
    RangeAhead ahead = lookAhead();
    bool looksAhead = !ahead.types.empty();
    if (rowsTogether > 1)
      emitTogether(parts, looksAhead);
    parts.push_back({1, k.kernel.hi(), looksAhead});
    emitRangeLoops(k, plan.rowsDims, parts, [&](OpBuilder &b, const RangeTurn &turn) { emitTurn(b, turn); }, ahead);
  }

  /// How many rows go together.
  Value emitTogether(IndexMath &math, ValueRange rowDims) const {
    return rowsTogether == 1 ? math.constant(1) : byLength(math, rowDims, math.constant(rowsTogether), math.constant(1));
  }

private:
  Storage chooseStorage(Value value);
  /// The first sums of rows, computed before the last loop of the rows before: nothing waits for the last additions of either's sums, nor for
  /// what follows of them. Of no types where they are not worth it, or where there is no room for what else their loop computes.
  RangeAhead lookAhead();
  void emitTurn(OpBuilder &b, const RangeTurn &turn);
  /// The rows that go together: none if they are long.
  void emitTogether(SmallVectorImpl<RangePart> &parts, bool looksAhead);
  /// `ifShort` or `ifLong`, by the sizes of a row.
  Value byLength(IndexMath &math, ValueRange rowDims, Value ifShort, Value ifLong) const {
    return math.select(math.less(math.constant(kShortRow), math.product(rowDims)), ifLong, ifShort);
  }
  SmallVector<Value> fullIndex(const RangeItem &row, ValueRange inner) const {
    SmallVector<Value> index = row.index;
    llvm::append_range(index, inner);
    return index;
  }
  /// The index of output `i` for an index in the full shape.
  SmallVector<Value> placeOf(OpBuilder &b, unsigned i, ValueRange index) {
    IndexMath math(b, loc, k.kernel);
    return math.reshape(index, plan.fullDims, k.e.dims(k.results()[i]));
  }
  Value emitElement(OpBuilder &b, unsigned i, ValueRange index) {
    IndexMath math(b, loc, k.kernel);
    Value value = plan.results[i].value;
    return k.e.emit(b, loc, value, math.reshape(index, plan.fullDims, k.e.dims(value)));
  }
  void store(OpBuilder &b, unsigned i, Value element, ValueRange index) {
    k.store(b, i, element, placeOf(b, i, index));
  }

  /// Asks for the elements of the rows after these, so that they are near when their turn comes; and for the places of the results of
  /// short rows, whose last loop has little to do but to store. The loop that does it is not the one that reads them first, and the one
  /// with most work to do meanwhile.
  void emitPrefetch();
  /// At the start of a loop's body: what earlier loops kept is loaded, what this one shall keep is computed and stored.
  void emitKept(OpBuilder &b, unsigned number, const RowLoop &loop, unsigned row, ValueRange inner);
  std::pair<Value, SmallVector<Value>> keptPlace(OpBuilder &b, Value value, unsigned row, ValueRange inner);
  /// The reductions of a loop, of one row after the other.
  SmallVector<std::pair<unsigned, dhlo::ReduceOp>> eachReduction(const RowLoop &loop) const {
    SmallVector<std::pair<unsigned, dhlo::ReduceOp>> result;
    for (unsigned row = 0; row < rows.size(); ++row)
      for (dhlo::ReduceOp op : loop.reductions)
        result.emplace_back(row, op);
    return result;
  }
  /// The loops over the elements of a row.
  SmallVector<Value> emitElements(OpBuilder &b, ValueRange init, LoopBody body);
  /// Its sums.
  SmallVector<Value> emitReductionLoop(OpBuilder &b, unsigned number, const RowLoop &loop);
  void bindSums(const RowLoop &loop, ValueRange sums);
  void emitResultLoop(OpBuilder &b, unsigned number, const RowLoop &loop);

  const KernelEmission &k;
  const RowPlan &plan;
  Location loc;
  int64_t rowsTogether = 1;
  /// Whether the first sums of these rows are there already. Then those that are asked for are two turns later, not one.
  bool isAhead = false;
  /// The rows that are worked on.
  ArrayRef<RangeItem> rows;
  /// The bodies of the loops over their elements.
  SmallVector<ElementLoop> bodies;
  /// Of the element that is worked on, in a row that is gone through as one dimension.
  Value position;
  DenseMap<Value, Storage> storage;
  DenseSet<int> takenOutputs;
};

Storage RowEmitter::chooseStorage(Value value) {
  Type element = elementTypeOf(value);
  auto isFree = [&](unsigned i) {
    return !plan.results[i].isPerRow && elementTypeOf(k.results()[i]) == element && !takenOutputs.contains(i) &&
           isOwnBuffer(k.fusion(), i);
  };
  auto take = [&](unsigned i) {
    takenOutputs.insert(i);
    return Storage{Value(), static_cast<int>(i)};
  };
  for (unsigned i = 0; i < plan.results.size(); ++i)
    if (plan.results[i].value == value && isFree(i))
      return take(i);
  HostSite &host = k.kernel.host;
  IndexMath math(host.prologue(), loc, host);
  SmallVector<Value> dims = k.host.dims(plan.loops.front().reductions.front()->getOperand(0));
  ArrayRef<Value> rowDims = ArrayRef(dims).drop_front(plan.rowsDims.size());
  Value length = rowStride(math, rowDims);
  return {k.kernel.scratch(math.mul(length, emitTogether(math, rowDims)), storageType(element)), -1};
}

void RowEmitter::emitTogether(SmallVectorImpl<RangePart> &parts, bool looksAhead) {
  IndexMath math(k.kernel.prologue(), loc, k.kernel);
  Value length = math.product(plan.rowDims), end = k.kernel.lo();
  auto add = [&](int64_t items, Value limit, bool looksAhead) {
    Value count = math.sub(k.kernel.hi(), end), step = math.constant(items);
    count = math.mul(math.div(count, step), step);
    end = math.add(end, math.select(math.less(limit, length), math.constant(0), count));
    parts.push_back({items, end, looksAhead});
  };
  Value isSmall = math.less(math.product(plan.fullDims), math.constant(kStreamBytes / 4));
  Value isShort = math.constant(kShortRow), isShortOfLarge = math.constant(kLargeTogether / rowsTogether);
  add(rowsTogether, math.select(isSmall, isShort, isShortOfLarge), looksAhead);
  std::optional<int64_t> known = getConstantIntValue(length);
  if (!known || *known > kLargeTogether / rowsTogether)
    add(kLargeTogether / kShortRow, isShort, /*looksAhead=*/false); // as fast in a cache, slower from memory
}

std::pair<Value, SmallVector<Value>> RowEmitter::keptPlace(OpBuilder &b, Value value, unsigned row, ValueRange inner) {
  Storage place = storage.lookup(value);
  if (place.output >= 0)
    return k.outputPlace(place.output, placeOf(b, place.output, fullIndex(rows[row], inner)));
  IndexMath once(k.kernel.prologue(), loc, k.kernel), math(b, loc, k.kernel);
  Value length = rowStride(once, plan.rowDims);
  Value first = k.kernel.scratchStart(once.mul(length, emitTogether(once, plan.rowDims)));
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
  SmallVector<SmallVector<Type>> types;
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

RangeAhead RowEmitter::lookAhead() {
  const RowLoop &first = plan.loops.front();
  auto isFloat = [](dhlo::ReduceOp op) {
    return llvm::all_of(op.getResults(), [](Value sum) { return elementTypeOf(sum).isF32() || elementTypeOf(sum).isF64(); });
  };
  bool keeps = llvm::any_of(plan.kept, [](const KeptValue &kept) { return kept.firstLoop == 0; });
  if (plan.loops.size() < 2 || keeps || !llvm::all_of(first.reductions, isFloat))
    return {};
  RangeAhead ahead;
  for (dhlo::ReduceOp op : first.reductions)
    llvm::append_range(ahead.types, elementTypesOf(op.getResults()));
  ahead.emit = [this](OpBuilder &b, ArrayRef<RangeItem> items) {
    llvm::SaveAndRestore<ArrayRef<RangeItem>> others(rows, items);
    SmallVector<Value> sums = emitReductionLoop(b, 0, plan.loops.front());
    bodies.pop_back(); // asks for nothing
    return sums;
  };
  return ahead;
}

void RowEmitter::emitTurn(OpBuilder &b, const RangeTurn &turn) {
  rows = turn.items;
  bodies.clear();
  isAhead = !turn.ahead.empty();
  if (isAhead)
    bindSums(plan.loops.front(), turn.ahead);
  for (auto [number, loop] : llvm::drop_begin(llvm::enumerate(plan.loops), isAhead ? 1 : 0)) {
    if (isAhead && number + 1 == plan.loops.size())
      turn.emitAhead(b);
    if (loop.reductions.empty())
      emitResultLoop(b, number, loop);
    else
      bindSums(loop, emitReductionLoop(b, number, loop));
  }
  emitPrefetch();
  for (const RangeItem &row : rows)
    emitRowResults(k, plan, b, row.index);
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

} // namespace

void emitRowResults(const KernelEmission &k, const RowPlan &plan, OpBuilder &b, ValueRange row) {
  Location loc = k.fusion().getLoc();
  IndexMath math(b, loc, k.kernel);
  for (auto [i, result] : llvm::enumerate(plan.results)) {
    if (!result.isPerRow)
      continue;
    Value element = k.e.emit(b, loc, result.value, math.reshape(row, plan.rowsDims, k.e.dims(result.value)));
    k.store(b, i, element, math.reshape(row, plan.rowsDims, k.e.dims(k.results()[i])));
  }
}

Launch emitRowSchedule(const KernelEmission &k) {
  RowPlan plan(k.e);
  if (!plan.whyNot.empty()) {
    k.fusion().emitOpError() << "of kind \"row\" " << plan.whyNot;
    return {};
  }
  RowEmitter emitter(k, plan);
  emitter.emit();

  IndexMath math(k.host.site.prologue(), k.fusion().getLoc(), k.host.site);
  // Sizes of the full shape on the host are those of any reduction's input.
  SmallVector<Value> dims = k.host.dims(plan.loops.front().reductions.front()->getOperand(0));
  ValueRange rows = ValueRange(dims).take_front(plan.rowsDims.size());
  Value work = math.mul(emitElementWork(k, /*countLengths=*/false), math.product(ValueRange(dims).drop_front(rows.size())));
  work = math.add(work, math.constant(kWorkOfRow));
  return {math.product(rows), work, emitter.emitTogether(math, ValueRange(dims).drop_front(rows.size()))};
}

} // namespace disc
