// What a row kernel computes in which loop, and which elements it keeps from one loop to the next.
#ifndef DISC_PASSES_CPU_ROWPLAN_H
#define DISC_PASSES_CPU_ROWPLAN_H

#include "dialects/dhlo/Dhlo.h"
#include "passes/cpu/Schedule.h"
#include "llvm/ADT/SetVector.h"

namespace disc {

/// A value of the row's full shape that several loops need and that costs more to compute again than to keep.
struct KeptValue {
  mlir::Value value;
  /// The loop that computes and stores it.
  unsigned firstLoop = 0;
};

/// One loop over the elements of a row.
struct RowLoop {
  /// Reductions of this loop; none of them needs another one's result. Empty for the last loop, which stores the results.
  llvm::SmallVector<mlir::dhlo::ReduceOp> reductions;
  /// Kept values that earlier loops stored and this one reads.
  llvm::SetVector<mlir::Value> reads;
};

/// A result of the fusion: an element of `value` (the yielded tensor without reshapes on top) per element of a row, or one per row.
struct RowResult {
  mlir::Value value;
  bool isPerRow = false;
};

class RowPlan {
public:
  /// Reads the plan off the body, with sizes of the emitter's site.
  explicit RowPlan(ElementEmitter &e);

  /// What a row fusion must not be and the body is; empty when there is a plan.
  std::string whyNot;
  /// Sizes of the leading dimensions, of the row's own, and of both.
  llvm::SmallVector<mlir::Value> rowsDims, rowDims, fullDims;
  /// Several dimensions of a row are gone through as one.
  bool isFlat = false;
  llvm::SmallVector<RowLoop> loops;
  llvm::SmallVector<KeptValue> kept;
  llvm::SmallVector<RowResult> results;

  /// Whether the elements of each sum lie side by side in what they are read from, so that its loop is one over vectors.
  bool readsSideBySide();

private:
  bool isFull(mlir::Value tensor);
  bool canBeFlat();
  bool collectLoops();
  bool collectResults();
  unsigned getLevel(mlir::Value tensor, llvm::DenseMap<mlir::Value, unsigned> &levels);
  /// Cost of computing an element of `tensor`, a value of full shape.
  int64_t getCost(mlir::Value tensor);
  /// Full-shape operands whose elements at the same index are what an element of `tensor` is made of.
  llvm::SmallVector<mlir::Value> sources(mlir::Value tensor);
  void collectKept();
  void dropCheapKept(llvm::DenseMap<mlir::Value, unsigned> &keptAt);

  ElementEmitter &e;
  mlir::Block &body;
  llvm::DenseSet<mlir::Operation *> rowReductions;
  llvm::DenseMap<mlir::Value, int64_t> costs;
};

/// Computes and stores the results that a row has one of.
void emitRowResults(const KernelEmission &k, const RowPlan &plan, mlir::OpBuilder &b, mlir::ValueRange row);

} // namespace disc

#endif // DISC_PASSES_CPU_ROWPLAN_H
