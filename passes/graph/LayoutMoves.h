// Moves transposes behind the ops that read them.
#ifndef DISC_PASSES_GRAPH_LAYOUTMOVES_H
#define DISC_PASSES_GRAPH_LAYOUTMOVES_H

#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace disc {

/// `type` with dimension `order[i]` at place i.
mlir::RankedTensorType permuted(mlir::RankedTensorType type,
                                llvm::ArrayRef<int64_t> order);

class LayoutMoves {
public:
  /// `value` with dimension `order[i]` at place i; a transpose of a transpose
  /// is one, or none.
  mlir::Value transpose(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, llvm::ArrayRef<int64_t> order);
  /// The same, of the given type, to be moved on.
  mlir::Value transposeBack(mlir::OpBuilder &builder, mlir::Value value,
                            mlir::RankedTensorType type,
                            llvm::ArrayRef<int64_t> order);
  /// Where operands of `op` are such transposes of one order, and the others
  /// cost nothing to reorder: replaces it by the op on what they read, and a
  /// transpose of each result.
  void moveBehind(mlir::Operation *op);

private:
  mlir::Value before(mlir::OpBuilder &builder, mlir::Value operand,
                     llvm::ArrayRef<int64_t> order);
  mlir::Value broadcastBefore(mlir::OpBuilder &builder, mlir::Operation *op,
                              llvm::ArrayRef<int64_t> order);
  mlir::dhlo::TransposeOp movable(mlir::Value value);

  llvm::DenseSet<mlir::Operation *> ours;
};

} // namespace disc

#endif // DISC_PASSES_GRAPH_LAYOUTMOVES_H
