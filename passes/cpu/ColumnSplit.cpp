// Sums of columns whose rows lie one after the other: pieces of the rows go to all threads. Where columns are few, a group of rows is gone
// through like one row; each row of a group has accumulators of its own.
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Split.h"

using namespace mlir;

namespace disc {
namespace {

/// Accumulators of this many columns stay in the first cache; whole rows are read.
constexpr int64_t kMostColumns = 4096;
constexpr int64_t kSlots = kMostColumns; // a worker's accumulators
/// Few columns leave most of a vector empty, so that less work is worth the second kernel.
constexpr int64_t kFewColumns = 64, kElementsOfFew = 8192, kElementsOfMany = 262144;
constexpr int64_t kRowsOfMany = 512;
constexpr int64_t kShortestPiece = 32768, kLeastRows = 32, kMostPieces = 64;
/// Of few columns so many rows, `1 << shift`, are a group: their accumulators are whole vectors, and several of them.
constexpr int64_t kGroupShift = 6;

class ColumnSplit : public SplitForm {
public:
  Value emitCondition(ElementEmitter &host) override;
  Launch emitPart(const KernelEmission &k, Partials &partials) override;
  Launch emitJoin(const KernelEmission &k, const Partials &partials) override {
    return emitColumnJoin(k, ColumnForm(k.e), partials);
  }
};

/// The first kernel.
class PartEmitter {
public:
  PartEmitter(const KernelEmission &k, const ColumnForm &form, const Partials &partials)
      : k(k), form(form), partials(partials), loc(k.fusion().getLoc()), once(k.kernel.prologue(), loc, k.kernel),
        rows(once.product(form.rowDims())), columns(once.product(form.columnDims())), pieceRows(k.kernel.scalar(partials.length)) {
    for (dhlo::ReduceOp op : form.reductions)
      reducers.emplace_back(k.e, op.getLoc(), op.getBody());
  }
  void emit();

private:
  /// A loop over accumulators: the current values are those of `body`.
  void advance(OpBuilder &b, Value count, llvm::function_ref<Value(OpBuilder &, size_t, Value)> body);
  Value load(OpBuilder &b, size_t i, Value slot) {
    return emitLoad(b, loc, scratch[i], IndexMath(b, loc, k.kernel).add(base, slot), reducers[i].elementTypes().front());
  }
  Value combine(OpBuilder &b, size_t i, Value sum, Value element, Type from) { return reducers[i].combine(b, sum, element, from).front(); }
  void emitRows(OpBuilder &b, ValueRange leading, Value start, Value count);
  void emitFold(OpBuilder &b);
  SmallVector<Value> placeOf(OpBuilder &b, ValueRange leading, Value start, Value row, Value at);

  const KernelEmission &k;
  const ColumnForm &form;
  const Partials &partials;
  Location loc;
  IndexMath once;
  Value rows, columns, pieceRows;
  SmallVector<Reducer> reducers;
  SmallVector<Value> scratch;
  Value base, shift, groupRows, slots;
};

void PartEmitter::advance(OpBuilder &b, Value count, llvm::function_ref<Value(OpBuilder &, size_t, Value)> body) {
  emitLoopNest(k.e, b, loc, count, {}, [&](OpBuilder &b, ValueRange at, ValueRange) -> SmallVector<Value> {
    SmallVector<Value> next;
    for (size_t i = 0; i < reducers.size(); ++i)
      next.push_back(body(b, i, at.front()));
    for (auto [i, value] : llvm::enumerate(next))
      emitStore(b, loc, value, scratch[i], IndexMath(b, loc, k.kernel).add(base, at.front()), reducers[i].elementTypes().front());
    return {};
  });
}

/// The index of an element of a group of rows, the first of which is `row`.
SmallVector<Value> PartEmitter::placeOf(OpBuilder &b, ValueRange leading, Value start, Value row, Value at) {
  SmallVector<Value> index = llvm::to_vector(leading);
  IndexMath math(b, loc, k.kernel);
  if (form.isFlat) {
    llvm::append_range(index, k.e.unfold(b, loc, math.add(start, at), ArrayRef(form.dims).drop_front(form.first)));
    return index;
  }
  llvm::append_range(index, math.delinearise(row, form.rowDims()));
  for (Value dim : form.columnDims())
    index.push_back(getConstantIntValue(dim) == 1 ? math.constant(0) : at);
  return index;
}

/// `count` rows from `start` on, group by group.
void PartEmitter::emitRows(OpBuilder &b, ValueRange leading, Value start, Value count) {
  Value groups = IndexMath(b, loc, k.kernel).ceilDiv(count, groupRows);
  emitLoopNest(k.e, b, loc, groups, {}, [&](OpBuilder &b, ValueRange group, ValueRange) -> SmallVector<Value> {
    IndexMath math(b, loc, k.kernel);
    Value done = math.mul(group.front(), groupRows), row = math.add(start, done);
    Value here = math.mul(math.min(groupRows, math.sub(count, done)), columns), first = math.mul(row, columns);
    advance(b, here, [&](OpBuilder &b, size_t i, Value at) {
      ValueRange inputs = dhlo::ReduceOp(form.reductions[i]).getInputs();
      Value element = k.e.emit(b, loc, inputs.front(), placeOf(b, leading, first, row, at));
      return combine(b, i, load(b, i, at), element, elementTypesOf(inputs).front());
    });
    return {};
  });
}

/// The accumulators of all rows of a group become those of one: one half is added to the other until a row is left.
void PartEmitter::emitFold(OpBuilder &b) {
  emitLoopNest(k.e, b, loc, shift, {}, [&](OpBuilder &b, ValueRange step, ValueRange) -> SmallVector<Value> {
    IndexMath math(b, loc, k.kernel);
    Value half = arith::ShRUIOp::create(b, loc, slots, math.add(step.front(), math.constant(1)));
    advance(b, half, [&](OpBuilder &b, size_t i, Value at) {
      Value other = load(b, i, IndexMath(b, loc, k.kernel).add(half, at));
      return combine(b, i, load(b, i, at), other, reducers[i].elementTypes().front());
    });
    return {};
  });
}

void PartEmitter::emit() {
  for (const Reducer &reducer : reducers)
    scratch.push_back(k.kernel.scratch(k.kernel.host.constant(kSlots), storageType(reducer.elementTypes().front()), /*isPadded=*/false));
  base = k.kernel.scratchStart(once.constant(kSlots));
  shift = once.constant(0);
  if (form.isFlat)
    shift = once.select(once.less(once.constant(kFewColumns), columns), shift, once.constant(kGroupShift));
  Value one = once.constant(1);
  groupRows = k.kernel.prologue().createOrFold<arith::ShLIOp>(loc, one, shift);
  slots = once.mul(columns, groupRows);

  SmallVector<Value> items = llvm::to_vector(form.leadingDims());
  items.push_back(k.kernel.scalar(partials.pieces));
  emitRangeLoop(k, items, [&](OpBuilder &b, ValueRange item) {
    IndexMath math(b, loc, k.kernel);
    Value start = math.mul(item.back(), pieceRows);
    advance(b, slots, [&](OpBuilder &b, size_t i, Value) -> Value {
      return arith::ConstantOp::create(b, loc, reducers[i].getNeutral());
    });
    emitRows(b, item.drop_back(), start, math.min(pieceRows, math.sub(rows, start)));
    if (form.isFlat)
      emitFold(b);
    Value place = math.mul(math.linearise(item, items), columns);
    emitLoopNest(k.e, b, loc, columns, {}, [&](OpBuilder &b, ValueRange at, ValueRange) -> SmallVector<Value> {
      IndexMath math(b, loc, k.kernel);
      for (auto [i, buffer] : llvm::enumerate(partials.buffers))
        emitStore(b, loc, load(b, i, at.front()), k.kernel.other(buffer), math.add(place, at.front()),
                  reducers[i].elementTypes().front());
      return {};
    });
  });
}

Value ColumnSplit::emitCondition(ElementEmitter &host) {
  if (host.site.fusion.getKind() != "loop")
    return {};
  ColumnForm form(host);
  if (!form.isValid)
    return {};
  IndexMath math(host.site.prologue(), host.site.loc(), host.site);
  Value rows = math.product(form.rowDims()), columns = math.product(form.columnDims());
  Value areFew = math.less(columns, math.constant(kFewColumns));
  Value least = math.select(areFew, math.constant(kElementsOfFew), math.constant(kElementsOfMany));
  Value leastRows = math.select(areFew, math.constant(1), math.constant(kRowsOfMany));
  Value isMuch = math.less(math.sub(least, math.constant(1)), math.mul(rows, columns));
  isMuch = math.both(isMuch, math.less(math.sub(leastRows, math.constant(1)), rows));
  return math.both(isMuch, math.less(columns, math.constant(kMostColumns + 1)));
}

Launch ColumnSplit::emitPart(const KernelEmission &k, Partials &partials) {
  ColumnForm form(k.e), hostForm(k.host);
  IndexMath host(k.host.site.prologue(), k.fusion().getLoc(), k.host.site);
  Value rows = host.product(hostForm.rowDims()), columns = host.product(hostForm.columnDims());
  Value ofWork = host.ceilDiv(host.constant(kShortestPiece), host.max(columns, host.constant(1)));
  Value ofPieces = host.max(host.ceilDiv(rows, host.constant(kMostPieces)), host.constant(kLeastRows));
  partials.length = host.max(ofWork, ofPieces);
  partials.pieces = host.ceilDiv(rows, partials.length);
  Value range = host.mul(host.product(hostForm.leadingDims()), partials.pieces);
  partials.allocate(k, form.reductions, host.mul(range, columns));
  PartEmitter(k, form, partials).emit();
  Value elements = host.mul(partials.length, columns);
  return {range, host.mul(emitElementWork(k, /*countLengths=*/false), elements)};
}

} // namespace

std::unique_ptr<SplitForm> makeColumnSplit() { return std::make_unique<ColumnSplit>(); }

} // namespace disc
