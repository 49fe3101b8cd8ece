// Divisions by what is the same in all iterations of a loop.
#ifndef DISC_PASSES_CPU_VECTORDIVISION_H
#define DISC_PASSES_CPU_VECTORDIVISION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/cpu/LoopForm.h"

namespace disc {

/// Divides vectors of f32 by a uniform divisor as correctly as a division does, in a fraction of its time: a product with the reciprocal,
/// corrected by the remainder. P. Markstein (IBM Journal of Research and Development 34, 1990) shows that the quotient is the correctly
/// rounded one where neither it nor the remainder leaves the range of normal numbers; where one may, the vector is divided.
class VectorDivision {
public:
  /// Prepares the divisors of the loop's divisions, at `b`.
  VectorDivision(mlir::OpBuilder &b, const LoopForm &form);

  /// The quotient of a vector of dividends, or null where `op` is a division of another kind.
  mlir::Value emit(mlir::OpBuilder &b, mlir::arith::DivFOp op, mlir::Value dividends) const;

private:
  struct Divisor {
    mlir::Value value, negated, reciprocal; // vectors
    /// The bits of a dividend whose quotient is right whatever its size is: those of +0, or of a NaN.
    mlir::Value exempt;
  };
  llvm::DenseMap<mlir::Value, Divisor> divisors;
};

} // namespace disc

#endif // DISC_PASSES_CPU_VECTORDIVISION_H
