// Kernels of kind "scatter": the operands are copied, then the updates are applied one after the other.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Schedule.h"

using namespace mlir;

namespace disc {
namespace {

class ScatterEmitter {
public:
  ScatterEmitter(const KernelEmission &k, dhlo::ScatterOp op)
      : k(k), op(op), numbers(op.getScatterDimensionNumbers()), loc(op.getLoc()) {}

  void emit(OpBuilder &b) {
    copyInputs(b);
    // Index by index, and for each the elements of its window: of several updates of an element the last index has the last word.
    SmallVector<Value> dims = k.e.dims(op.getUpdates().front());
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
    llvm::stable_sort(order, [&](int64_t a, int64_t b) { return isOfWindow(a) < isOfWindow(b); });
    SmallVector<Value> bounds = llvm::map_to_vector(order, [&](int64_t d) { return dims[d]; });
    emitLoopNest(k.e, b, loc, bounds, {}, [&](OpBuilder &b, ValueRange indices, ValueRange) -> SmallVector<Value> {
      SmallVector<Value> at(indices.size());
      for (auto [d, index] : llvm::zip_equal(order, indices))
        at[d] = index;
      emitUpdate(b, at);
      return {};
    });
  }

private:
  bool isOfWindow(int64_t d) { return llvm::is_contained(numbers.getUpdateWindowDims(), d); }
  Type elementType(unsigned i) { return getElementTypeOrSelf(op.getInputs()[i].getType()); }

  void copyInputs(OpBuilder &b) {
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      emitLoopNest(k.e, b, loc, k.e.dims(input), {},
                   [&, i = i, input = input](OpBuilder &b, ValueRange at, ValueRange) -> SmallVector<Value> {
                     emitStore(b, loc, k.e.emit(b, loc, input, at), k.kernel.output(i), at, elementType(i));
                     return {};
                   });
  }

  /// The position of component `c` of the start index of the update at `scatterAt`, in `scatter_indices`.
  SmallVector<Value> indexPlace(ValueRange scatterAt, int64_t c) {
    SmallVector<Value> place(scatterAt);
    int64_t vectorDim = numbers.getIndexVectorDim();
    if (vectorDim < cast<RankedTensorType>(op.getScatterIndices().getType()).getRank())
      place.insert(place.begin() + vectorDim, k.e.constant(c));
    return place;
  }

  /// Where in the inputs the update at `at` goes; may be outside.
  SmallVector<Value> target(OpBuilder &b, ValueRange at) {
    IndexMath math(b, loc, k.kernel);
    int64_t rank = cast<RankedTensorType>(op.getInputs().front().getType()).getRank();
    ArrayRef<int64_t> windowDims = numbers.getUpdateWindowDims();
    SmallVector<Value> scatterAt, place(rank, k.e.constant(0));
    for (auto [d, i] : llvm::enumerate(at))
      if (!isOfWindow(d))
        scatterAt.push_back(i);
    for (auto [c, d] : llvm::enumerate(numbers.getScatterDimsToOperandDims()))
      place[d] = k.e.emitIndex(b, loc, op.getScatterIndices(), indexPlace(scatterAt, c));
    // Batching dimensions are positions among the indices' own dimensions, without the index vector.
    for (auto [d, from] : llvm::zip_equal(numbers.getInputBatchingDims(), numbers.getScatterIndicesBatchingDims()))
      place[d] = scatterAt[from - (from > numbers.getIndexVectorDim())];
    size_t next = 0;
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(numbers.getInsertedWindowDims(), d) && !llvm::is_contained(numbers.getInputBatchingDims(), d))
        place[d] = math.add(place[d], at[windowDims[next++]]);
    return place;
  }

  void emitUpdate(OpBuilder &b, ValueRange at) {
    SmallVector<Value> place = target(b, at), dims = k.e.dims(op.getInputs().front());
    Value inside;
    for (auto [i, dim] : llvm::zip_equal(place, dims)) {
      // Unsigned, so that negative positions are outside as well.
      Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, i, dim);
      inside = inside ? Value(arith::AndIOp::create(b, loc, inside, fits)) : fits;
    }
    if (!inside)
      return apply(b, at, place);
    auto branch = scf::IfOp::create(b, loc, inside, /*withElseRegion=*/false);
    OpBuilder then = branch.getThenBodyBuilder();
    ElementEmitter::Scope scope(k.e);
    apply(then, at, place);
  }

  void apply(OpBuilder &b, ValueRange at, ValueRange place) {
    SmallVector<Value> arguments;
    for (unsigned i = 0; i < op.getInputs().size(); ++i)
      arguments.push_back(emitLoad(b, loc, k.kernel.output(i), place, elementType(i)));
    for (Value update : op.getUpdates())
      arguments.push_back(k.e.emit(b, loc, update, at));
    SmallVector<Value> next = k.e.emitRegion(b, loc, op.getUpdateComputation(), arguments);
    for (auto [i, value] : llvm::enumerate(next))
      emitStore(b, loc, value, k.kernel.output(i), place, elementType(i));
  }

  const KernelEmission &k;
  dhlo::ScatterOp op;
  dhlo::ScatterDimensionNumbersAttr numbers;
  Location loc;
};

} // namespace

Launch emitSelectAndScatterSchedule(const KernelEmission &k, dhlo::SelectAndScatterOp op);

Launch emitScatterSchedule(const KernelEmission &k) {
  for (auto select : k.fusion().getBody().front().getOps<dhlo::SelectAndScatterOp>())
    return emitSelectAndScatterSchedule(k, select);
  dhlo::ScatterOp op;
  for (auto scatter : k.fusion().getBody().front().getOps<dhlo::ScatterOp>())
    op = scatter;
  if (!op || op->getNumResults() != k.results().size()) {
    k.fusion().emitOpError("of kind \"scatter\" expected one `dhlo.scatter`, all of whose results are yielded");
    return {};
  }
  Value one = k.e.constant(1);
  emitRangeLoop(k, one, [&](OpBuilder &b, ValueRange) { ScatterEmitter(k, op).emit(b); });
  IndexMath math(k.host.site.prologue(), op.getLoc(), k.host.site);
  return {math.constant(1), math.product(k.hostDims(0))};
}

} // namespace disc
