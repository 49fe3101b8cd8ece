// Kernels of kind "row": rows in parallel; in a row one loop for each level of reductions, then the loop that stores the results. Short
// rows go through these loops several at a time: a sum takes a while to come out of its last elements, and one row alone would wait.
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/Reducer.h"
#include "passes/cpu/RowEmitter.h"
#include "passes/cpu/Streams.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace disc {

/// Rows of at most this many elements are short. A worker's kept elements of as many rows as go together stay in the first cache.
static constexpr int64_t kShortRow = 512;
static constexpr int64_t kRowsTogether = 4;
/// Of results that are large, so many elements at most. More would leave for memory at once, in one loop, than a processor keeps waiting
/// while it goes on: 64 vectors.
static constexpr int64_t kLargeTogether = 1024;
/// What a row costs whatever its length is, in additions: its sums come out of vectors, its last one is masked.
static constexpr int64_t kWorkOfRow = 1024;

RowEmitter::RowEmitter(const KernelEmission &k, RowPlan &plan, bool isBlock)
    : k(k), plan(plan), isBlock(isBlock), loc(k.fusion().getLoc()) {
  IndexMath math(k.kernel.prologue(), loc, k.kernel);
  std::optional<int64_t> length = getConstantIntValue(math.product(plan.rowDims));
  std::optional<int64_t> count = getConstantIntValue(math.product(plan.rowsDims));
  // Loops over vectors add up in an order of ours, the same for four rows and for one that is left over; LLVM would choose others.
  if (length.value_or(0) <= kShortRow && count.value_or(kRowsTogether) >= kRowsTogether && plan.readsSideBySide())
    rowsTogether = kRowsTogether;
  if (rowsTogether > 1) // What is left over is added up as they are.
    k.kernel.function()->setAttr("disc.rows_together", UnitAttr::get(k.kernel.function().getContext()));
  for (const KeptValue &kept : plan.kept)
    storage[kept.value] = chooseStorage(kept.value);
}

void RowEmitter::emit() {
  SmallVector<RangePart> parts;
  RangeAhead ahead = lookAhead();
  bool looksAhead = !ahead.types.empty();
  if (rowsTogether > 1)
    emitTogether(parts, looksAhead);
  parts.push_back({1, k.kernel.hi(), looksAhead});
  emitRangeLoops(k, plan.rowsDims, parts, [&](OpBuilder &b, const RangeTurn &turn) { emitTurn(b, turn); }, ahead);
}

Value RowEmitter::countTogether(IndexMath &math, ValueRange rowDims) const {
  if (rowsTogether == 1)
    return math.constant(1);
  return math.select(math.less(math.constant(kShortRow), math.product(rowDims)), math.constant(1), math.constant(rowsTogether));
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
  Value isShort = math.constant(kShortRow), isShortOfLarge = math.constant(kLargeTogether / rowsTogether);
  if (isBlock)
    return add(rowsTogether, isShort, looksAhead);
  Value isSmall = math.less(math.product(plan.fullDims), math.constant(kStreamBytes / 4));
  add(rowsTogether, math.select(isSmall, isShort, isShortOfLarge), looksAhead);
  std::optional<int64_t> known = getConstantIntValue(length);
  if (!known || *known > kLargeTogether / rowsTogether)
    add(kLargeTogether / kShortRow, isShort, /*looksAhead=*/false); // as fast in a cache, slower from memory
}

RangeAhead RowEmitter::lookAhead() {
  const RowLoop &first = plan.loops.front();
  auto isFloat = [](dhlo::ReduceOp op) {
    return llvm::all_of(elementTypesOf(op.getResults()), [](Type type) { return type.isF32() || type.isF64(); });
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

Launch emitRowSchedule(const KernelEmission &k, bool isBlock) {
  RowPlan plan(k.e);
  if (!plan.whyNot.empty()) {
    k.fusion().emitOpError() << "of kind \"row\" " << plan.whyNot;
    return {};
  }
  RowEmitter emitter(k, plan, isBlock);
  emitter.emit();

  IndexMath math(k.host.site.prologue(), k.fusion().getLoc(), k.host.site);
  // Sizes of the full shape on the host are those of any reduction's input.
  SmallVector<Value> dims = k.host.dims(plan.loops.front().reductions.front()->getOperand(0));
  ValueRange rows = ValueRange(dims).take_front(plan.rowsDims.size());
  Value work = math.mul(emitElementWork(k, /*countLengths=*/false), math.product(ValueRange(dims).drop_front(rows.size())));
  work = math.add(work, math.constant(kWorkOfRow));
  return {math.product(rows), work, emitter.countTogether(math, ValueRange(dims).drop_front(rows.size()))};
}

} // namespace disc
