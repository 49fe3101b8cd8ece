// Kernels of kind "loop" whose reductions keep the innermost dimension: whole columns of sums advance together, row by row.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/Reducer.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Split.h"

using namespace mlir;

namespace disc {
namespace {

/// Columns of an item; their accumulators stay in the nearest cache.
constexpr int64_t kColumns = 128;
/// With fewer columns a loop over them is no gain.
constexpr int64_t kFewColumns = 8;

class ColumnEmitter {
public:
  explicit ColumnEmitter(const KernelEmission &k)
      : k(k), loc(k.fusion().getLoc()), dims(k.e.dims(k.results().front())) {}

  /// Rows are the partial results of a first kernel.
  ColumnEmitter(const KernelEmission &k, const ColumnForm &form, const Partials &partials) : ColumnEmitter(k) {
    this->form = &form, this->partials = &partials;
    reductions = form.reductions;
    findInner();
  }

  /// Collects the reductions that give an element of the result from the same place. Returns whether the schedule is for this body.
  bool plan() {
    if (!findInner())
      return false;
    if (std::optional<int64_t> size = getConstantIntValue(dims[inner]); size && *size < kFewColumns)
      return false;
    for (Value result : k.results())
      visit(result);
    return !reductions.empty();
  }

  Launch emit();

private:
  /// Which dimension of the result is gone through innermost; false where all are of size 1.
  bool findInner() {
    for (auto [d, dim] : llvm::enumerate(dims))
      if (getConstantIntValue(dim) != 1)
        outer.push_back(d);
    bool found = !outer.empty();
    inner = found ? outer.pop_back_val() : dims.size() - 1;
    return found;
  }
  void visit(Value tensor);
  void emitPartials(OpBuilder &b, dhlo::ReduceOp op, ValueRange index, Value start, Value length);
  SmallVector<Value> items(IndexMath &math, ValueRange sizes) {
    SmallVector<Value> result = llvm::map_to_vector(outer, [&](size_t d) { return Value(sizes[d]); });
    result.push_back(math.ceilDiv(sizes[inner], math.constant(kColumns)));
    return result;
  }
  void emitReduction(OpBuilder &b, dhlo::ReduceOp op, ValueRange index, Value start, Value length);
  SmallVector<Value> at(OpBuilder &b, ValueRange index, Value start, Value column) {
    SmallVector<Value> result = llvm::to_vector(index);
    result[inner] = IndexMath(b, loc, k.kernel).add(start, column);
    return result;
  }
  SmallVector<Value> indexOf(OpBuilder &b, dhlo::ReduceOp op, ValueRange index) {
    return IndexMath(b, loc, k.kernel).reshape(index, dims, k.e.dims(op->getResult(0)));
  }
  Value slot(OpBuilder &b, Value column) { return IndexMath(b, loc, k.kernel).add(base, column); }
  void columns(OpBuilder &b, Value length, llvm::function_ref<void(OpBuilder &, Value)> body) {
    emitLoopNest(k.e, b, loc, length, {}, [&](OpBuilder &b, ValueRange column, ValueRange) -> SmallVector<Value> {
      body(b, column.front());
      return {};
    });
  }

  const KernelEmission &k;
  const ColumnForm *form = nullptr;
  const Partials *partials = nullptr;
  Location loc;
  SmallVector<Value> dims;
  SmallVector<size_t> outer;
  size_t inner = 0;
  SmallVector<dhlo::ReduceOp> reductions;
  DenseSet<Operation *> visited;
  /// The scratch of each reduction's accumulators, and where the worker's part of all of them starts.
  DenseMap<Operation *, SmallVector<Value>> scratch;
  Value base;
};

void ColumnEmitter::visit(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !visited.insert(op).second)
    return;
  if (auto reduce = dyn_cast<dhlo::ReduceOp>(op)) {
    int64_t last = cast<RankedTensorType>(reduce.getInputs().front().getType()).getRank() - 1;
    bool keepsInnermost = last >= 0 && !llvm::is_contained(reduce.getDimensions(), last);
    if (keepsInnermost && withoutUnits(k.e.dims(tensor)) == withoutUnits(dims))
      reductions.push_back(reduce);
    return;
  }
  if (isa<dhlo::TieShapeOp, dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op) || isScalarOp(op))
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        visit(operand);
}

/// The accumulators of `length` columns: started, then advanced by one row of elements after the other.
void ColumnEmitter::emitReduction(OpBuilder &b, dhlo::ReduceOp op, ValueRange index, Value start, Value length) {
  Reducer reducer(k.e, op.getLoc(), op.getBody());
  SmallVector<Value> initial = llvm::map_to_vector(op.getInitValues(), [&](Value init) { return k.e.emit(b, loc, init, {}); });
  initial = reducer.start(b, initial, elementTypesOf(op.getInitValues()));
  SmallVector<Value> &buffers = scratch[op];
  auto storeAll = [&](OpBuilder &b, ValueRange values, Value column) {
    for (auto [value, buffer, type] : llvm::zip_equal(values, buffers, reducer.elementTypes()))
      emitStore(b, loc, value, buffer, slot(b, column), type);
  };
  columns(b, length, [&](OpBuilder &b, Value column) { storeAll(b, initial, column); });
  if (partials)
    return emitPartials(b, op, index, start, length);

  SmallVector<int64_t> reduced = llvm::to_vector(op.getDimensions());
  llvm::sort(reduced);
  Value input = op.getInputs().front();
  SmallVector<Value> bounds = llvm::map_to_vector(reduced, [&](int64_t d) { return k.e.dim(input, d); });
  emitLoopNest(k.e, b, loc, bounds, {}, [&](OpBuilder &b, ValueRange rows, ValueRange) -> SmallVector<Value> {
    columns(b, length, [&](OpBuilder &b, Value column) {
      SmallVector<Value> kept = indexOf(b, op, at(b, index, start, column)), place, elements, sums;
      for (int64_t d = 0, r = 0, rank = kept.size() + reduced.size(); d < rank; ++d)
        place.push_back(llvm::is_contained(reduced, d) ? rows[r++] : kept[d - r]);
      for (Value tensor : op.getInputs())
        elements.push_back(k.e.emit(b, loc, tensor, place));
      for (auto [buffer, type] : llvm::zip_equal(buffers, reducer.elementTypes()))
        sums.push_back(emitLoad(b, loc, buffer, slot(b, column), type));
      storeAll(b, reducer.combine(b, sums, elements, elementTypesOf(op.getInputs())), column);
    });
    return {};
  });
}

/// The pieces of `length` columns, one after the other.
void ColumnEmitter::emitPartials(OpBuilder &b, dhlo::ReduceOp op, ValueRange index, Value start, Value length) {
  Reducer reducer(k.e, op.getLoc(), op.getBody());
  Type type = reducer.elementTypes().front();
  size_t number = llvm::find(reductions, op) - reductions.begin();
  Value sums = scratch[op].front(), memref = k.kernel.other(partials->buffers[number]);
  Value pieces = k.kernel.scalar(partials->pieces);
  Value width = IndexMath(k.kernel.prologue(), loc, k.kernel).product(form->columnDims());
  emitLoopNest(k.e, b, loc, pieces, {}, [&](OpBuilder &b, ValueRange piece, ValueRange) -> SmallVector<Value> {
    columns(b, length, [&](OpBuilder &b, Value column) {
      IndexMath math(b, loc, k.kernel);
      SmallVector<Value> kept = indexOf(b, op, at(b, index, start, column));
      Value row = math.add(math.mul(form->leadingPosition(b, k.e, kept), pieces), piece.front());
      Value element = emitLoad(b, loc, memref, math.add(math.mul(row, width), form->column(b, k.e, kept)), type);
      Value sum = emitLoad(b, loc, sums, slot(b, column), type);
      emitStore(b, loc, reducer.combine(b, sum, element, type).front(), sums, slot(b, column), type);
    });
    return {};
  });
}

Launch ColumnEmitter::emit() {
  HostSite &host = k.kernel.host;
  IndexMath math(host.prologue(), loc, host);
  for (dhlo::ReduceOp op : reductions)
    for (Type type : Reducer(k.e, op.getLoc(), op.getBody()).elementTypes())
      scratch[op].push_back(k.kernel.scratch(math.constant(kColumns), storageType(type)));
  IndexMath once(k.kernel.prologue(), loc, k.kernel);
  base = k.kernel.scratchStart(once.constant(kColumns));

  emitRangeLoop(k, items(once, dims), [&](OpBuilder &b, ValueRange item) {
    IndexMath math(b, loc, k.kernel);
    SmallVector<Value> index(dims.size(), k.e.constant(0));
    for (auto [d, i] : llvm::zip(outer, item))
      index[d] = i;
    Value start = math.mul(item.back(), math.constant(kColumns));
    Value length = math.min(math.constant(kColumns), math.sub(dims[inner], start));
    for (dhlo::ReduceOp op : reductions)
      emitReduction(b, op, index, start, length);
    columns(b, length, [&](OpBuilder &b, Value column) {
      SmallVector<Value> place = at(b, index, start, column);
      for (dhlo::ReduceOp op : reductions) {
        Reducer reducer(k.e, op.getLoc(), op.getBody());
        SmallVector<Value> sums;
        for (auto [buffer, type] : llvm::zip_equal(scratch[op], reducer.elementTypes()))
          sums.push_back(emitLoad(b, loc, buffer, slot(b, column), type));
        sums = reducer.finish(b, sums, elementTypesOf(op->getResults()));
        for (auto [result, sum] : llvm::zip_equal(op->getResults(), sums))
          k.e.bind(result, indexOf(b, op, place), sum);
      }
      emitResults(k, b, place);
    });
  });

  SmallVector<Value> sizes = k.hostDims(0);
  Value work = partials ? partials->pieces : emitElementWork(k, /*countLengths=*/true);
  work = math.mul(work, math.min(sizes[inner], math.constant(kColumns)));
  return {math.product(items(math, sizes)), work};
}

} // namespace

Launch emitColumnJoin(const KernelEmission &k, const ColumnForm &form, const Partials &partials) {
  return ColumnEmitter(k, form, partials).emit();
}

Launch emitColumnSchedule(const KernelEmission &k) {
  ColumnEmitter columns(k);
  return columns.plan() ? columns.emit() : Launch();
}

} // namespace disc
