// Reductions in two kernels: partial results of pieces that go to all threads, and what becomes of them. Pieces follow from sizes alone.
#ifndef DISC_PASSES_CPU_SPLIT_H
#define DISC_PASSES_CPU_SPLIT_H

#include "dialects/dhlo/Dhlo.h"
#include "passes/cpu/Reducer.h"
#include "passes/cpu/Schedule.h"
#include "llvm/ADT/DenseSet.h"

namespace disc {

/// What the first kernel leaves to the second; values of the host.
struct Partials {
  /// How many pieces a row (or column) has, and how many elements all but the last one have.
  mlir::Value pieces, length;
  /// For each reduction its accumulators: [leading dimensions, pieces, columns], as one dimension.
  mlir::SmallVector<mlir::Value> buffers;

  void allocate(const KernelEmission &k, mlir::ArrayRef<mlir::dhlo::ReduceOp> reductions, mlir::Value count);
  void free(const KernelEmission &k);
};

/// A way to split a fusion, if there is one.
class SplitForm {
public:
  virtual ~SplitForm() = default;
  /// Whether sizes make it worth it, as an i1 before the fusion; null where the body has no such form.
  virtual mlir::Value emitCondition(ElementEmitter &host) = 0;
  virtual Launch emitPart(const KernelEmission &k, Partials &partials) = 0;
  virtual Launch emitJoin(const KernelEmission &k, const Partials &partials) = 0;
};
std::unique_ptr<SplitForm> makeRowSplit();
std::unique_ptr<SplitForm> makeColumnSplit();

/// Whether pieces of all reductions may start from a number that changes nothing.
bool haveNeutral(ElementEmitter &e, mlir::ArrayRef<mlir::dhlo::ReduceOp> reductions);
/// Without those that are known to be 1.
mlir::SmallVector<mlir::Value> withoutUnits(mlir::ArrayRef<mlir::Value> dims);

/// Reductions over dimensions that lie side by side, with dimensions before and after them: [kept..., reduced..., kept...].
struct ColumnForm {
  /// On a body that has none, `isValid` is false.
  explicit ColumnForm(ElementEmitter &e);
  /// Places among the kept dimensions, row-major.
  mlir::Value leadingPosition(mlir::OpBuilder &b, ElementEmitter &e, mlir::ValueRange kept) const;
  mlir::Value column(mlir::OpBuilder &b, ElementEmitter &e, mlir::ValueRange kept) const;

  bool isValid = false;
  mlir::SmallVector<mlir::dhlo::ReduceOp> reductions;
  /// Of all their inputs; `first` to `end` are reduced, or of size 1.
  mlir::SmallVector<mlir::Value> dims;
  size_t first = 0, end = 0;
  /// Rows and columns may be gone through as one dimension.
  bool isFlat = false;
  mlir::ArrayRef<mlir::Value> leadingDims() const { return mlir::ArrayRef(dims).take_front(first); }
  mlir::ArrayRef<mlir::Value> rowDims() const { return mlir::ArrayRef(dims).slice(first, end - first); }
  mlir::ArrayRef<mlir::Value> columnDims() const { return mlir::ArrayRef(dims).drop_front(end); }

private:
  bool collect(ElementEmitter &e, mlir::Value tensor, mlir::DenseSet<mlir::Value> &visited);
  bool locate(ElementEmitter &e);

  /// What depends on a reduction.
  mlir::DenseSet<mlir::Value> dependent;
};

/// The second kernel of a column split: partial results as rows.
Launch emitColumnJoin(const KernelEmission &k, const ColumnForm &form, const Partials &partials);

} // namespace disc

#endif // DISC_PASSES_CPU_SPLIT_H
