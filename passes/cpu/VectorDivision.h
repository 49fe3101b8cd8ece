// Divisions by what is the same in all iterations of a loop.
#ifndef DISC_PASSES_CPU_VECTORDIVISION_H
#define DISC_PASSES_CPU_VECTORDIVISION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/cpu/LoopForm.h"
#include "llvm/ADT/DenseSet.h"

namespace disc {

/// Divides vectors of f32 by a uniform divisor as correctly as a division does, in a fraction of its time: a product with the reciprocal,
/// corrected by the remainder. P. Markstein (IBM Journal of Research and Development 34, 1990) shows that the quotient is the correctly
/// rounded one where neither it nor the remainder leaves the range of normal numbers; where one may, the vectors are divided.
class VectorDivision {
public:
  /// Prepares the divisors of the loop's divisions, at `b`.
  VectorDivision(mlir::OpBuilder &b, const LoopForm &form);

  /// The ops of the loop's body in an order in which those divisions that can be checked together are one step.
  llvm::ArrayRef<mlir::SmallVector<mlir::Operation *>> order() const { return steps; }
  /// A dividend's vector, and the divisor as the loop has it.
  struct Operands {
    mlir::Value dividend, divisor;
  };
  /// Whether `emit` divides it.
  bool accepts(mlir::Operation *op) const { return accepted.contains(op); }
  /// The quotients, in the order of `operands`.
  mlir::SmallVector<mlir::Value> emit(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Operands> operands) const;

private:
  void prepare(mlir::OpBuilder &b, const LoopForm &form, mlir::arith::DivFOp op);
  void arrange(mlir::scf::ForOp loop);

  struct Divisor {
    mlir::Value value, reciprocal, negatedReciprocal; // vectors
    /// What is added to the bits of a quotient before they are compared with the least ones: -1 makes the largest number of a zero, whose
    /// sign is right where the divisor is positive.
    mlir::Value bias;
  };
  llvm::DenseMap<mlir::Value, Divisor> divisors;
  llvm::DenseSet<mlir::Operation *> accepted;
  mlir::SmallVector<mlir::SmallVector<mlir::Operation *>> steps;
};

} // namespace disc

#endif // DISC_PASSES_CPU_VECTORDIVISION_H
