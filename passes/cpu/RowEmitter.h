// Fills a kernel of kind "row".
#ifndef DISC_PASSES_CPU_ROWEMITTER_H
#define DISC_PASSES_CPU_ROWEMITTER_H

#include "passes/cpu/IndexMath.h"
#include "passes/cpu/RowPlan.h"
#include "passes/cpu/Schedule.h"

namespace disc {

/// Where the elements of a kept value of the current row lie: in the output that they are, or in the worker's scratch, which stays in the
/// cache from row to row.
struct RowStorage {
  mlir::Value scratch;
  int output = -1;
};

/// The body of an emitted loop, with the indices of its element and the point where they are known.
struct ElementLoop {
  ElementLoop(mlir::OpBuilder &b, mlir::ValueRange inner)
      : block(b.getInsertionBlock()),
        last(b.getInsertionPoint() == block->begin() ? nullptr : &*std::prev(b.getInsertionPoint())), inner(inner) {}

  int64_t work() const { return std::distance(block->begin(), block->end()); }
  mlir::OpBuilder begin() const {
    return last ? mlir::OpBuilder(block, std::next(mlir::Block::iterator(last))) : mlir::OpBuilder::atBlockBegin(block);
  }

  mlir::Block *block;
  mlir::Operation *last;
  llvm::SmallVector<mlir::Value> inner;
};

/// Rows, some of them at a time, in the order of their range. In RowSchedule.cpp: which go together, and the loops of them in turn; in
/// RowLoops.cpp: one loop over their elements.
class RowEmitter {
public:
  RowEmitter(const KernelEmission &k, RowPlan &plan, bool isBlock);
  void emit();

  /// How many rows go together at most.
  mlir::Value countTogether(IndexMath &math, mlir::ValueRange rowDims) const;

private:
  /// The first sums of rows, computed before the last loop of the rows before: nothing waits for the last additions of either's sums, nor
  /// for what follows of them. None where there is no other loop, or where the first one keeps what the later ones of the rows before need.
  RangeAhead lookAhead();
  void emitTurn(mlir::OpBuilder &b, const RangeTurn &turn);
  /// The rows that go together: none if they are long.
  void emitTogether(llvm::SmallVectorImpl<RangePart> &parts, bool looksAhead);

  llvm::SmallVector<mlir::Value> fullIndex(const RangeItem &row, mlir::ValueRange inner) const {
    llvm::SmallVector<mlir::Value> index = row.index;
    llvm::append_range(index, inner);
    return index;
  }
  /// The index of output `i` for an index in the full shape.
  llvm::SmallVector<mlir::Value> placeOf(mlir::OpBuilder &b, unsigned i, mlir::ValueRange index) {
    IndexMath math(b, loc, k.kernel);
    return math.reshape(index, plan.fullDims, k.e.dims(k.results()[i]));
  }
  mlir::Value emitElement(mlir::OpBuilder &b, unsigned i, mlir::ValueRange index) {
    IndexMath math(b, loc, k.kernel);
    mlir::Value value = plan.results[i].value;
    return k.e.emit(b, loc, value, math.reshape(index, plan.fullDims, k.e.dims(value)));
  }
  void store(mlir::OpBuilder &b, unsigned i, mlir::Value element, mlir::ValueRange index) {
    k.store(b, i, element, placeOf(b, i, index));
  }

  /// Asks for the elements of the rows after these, so that they are near when their turn comes; and for the places of the results of
  /// short rows, whose last loop has little to do but to store. The loop that does it is not the one that reads them first, and the one
  /// with most work to do meanwhile.
  void emitPrefetch();
  RowStorage chooseStorage(mlir::Value value);
  /// At the start of a loop's body: what earlier loops kept is loaded, what this one shall keep is computed and stored.
  void emitKept(mlir::OpBuilder &b, unsigned number, const RowLoop &loop, unsigned row, mlir::ValueRange inner);
  std::pair<mlir::Value, llvm::SmallVector<mlir::Value>> keptPlace(mlir::OpBuilder &b, mlir::Value value, unsigned row, mlir::ValueRange inner);
  /// The reductions of a loop, of one row after the other.
  llvm::SmallVector<std::pair<unsigned, mlir::dhlo::ReduceOp>> eachReduction(const RowLoop &loop) const {
    llvm::SmallVector<std::pair<unsigned, mlir::dhlo::ReduceOp>> result;
    for (unsigned row = 0; row < rows.size(); ++row)
      for (mlir::dhlo::ReduceOp op : loop.reductions)
        result.emplace_back(row, op);
    return result;
  }
  /// The loops over the elements of a row.
  llvm::SmallVector<mlir::Value> emitElements(mlir::OpBuilder &b, mlir::ValueRange init, LoopBody body);
  /// Its sums.
  llvm::SmallVector<mlir::Value> emitReductionLoop(mlir::OpBuilder &b, unsigned number, const RowLoop &loop);
  void bindSums(const RowLoop &loop, mlir::ValueRange sums);
  void emitResultLoop(mlir::OpBuilder &b, unsigned number, const RowLoop &loop);

  const KernelEmission &k;
  const RowPlan &plan;
  bool isBlock;
  mlir::Location loc;
  int64_t rowsTogether = 1;
  /// Whether the first sums of these rows are there already. Then those that are asked for are two turns later, not one.
  bool isAhead = false;
  /// The rows that are worked on.
  llvm::ArrayRef<RangeItem> rows;
  /// The bodies of the loops over their elements.
  llvm::SmallVector<ElementLoop> bodies;
  /// Of the element that is worked on, in a row that is gone through as one dimension.
  mlir::Value position;
  llvm::DenseMap<mlir::Value, RowStorage> storage;
  llvm::DenseSet<int> takenOutputs;
};

} // namespace disc

#endif // DISC_PASSES_CPU_ROWEMITTER_H
