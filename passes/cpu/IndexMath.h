// Index arithmetic that folds as it goes, and the helpers that loops and index maps share.
#ifndef DISC_PASSES_CPU_INDEXMATH_H
#define DISC_PASSES_CPU_INDEXMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/cpu/ElementEmitter.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace disc {

/// Arithmetic on indices and sizes. Division and remainder are of numbers that are not negative.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &b, mlir::Location loc, Site &site) : b(b), loc(loc), site(site) {}

  mlir::Value constant(int64_t value) { return site.constant(value); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y);
  mlir::Value rem(mlir::Value x, mlir::Value y);
  mlir::Value ceilDiv(mlir::Value x, mlir::Value y);
  mlir::Value min(mlir::Value x, mlir::Value y);
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value clamp(mlir::Value x, mlir::Value low, mlir::Value high) { return max(low, min(x, high)); }
  mlir::Value product(mlir::ValueRange values);

  /// The comparison as an i1.
  mlir::Value less(mlir::Value x, mlir::Value y);
  mlir::Value equal(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);

  /// The row-major position of `index` in a shape, and the way back.
  mlir::Value linearise(mlir::ValueRange index, mlir::ValueRange dims);
  mlir::SmallVector<mlir::Value> delinearise(mlir::Value position, mlir::ValueRange dims);
  /// The index in shape `to` of the element at `index` of shape `from`; the shapes have equally many elements.
  mlir::SmallVector<mlir::Value> reshape(mlir::ValueRange index, mlir::ValueRange from, mlir::ValueRange to);

private:
  mlir::Value canonical(mlir::Value value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  Site &site;
};

/// Nested sequential loops from 0 to `bounds`, which carry values; a loop over one element is none. `body` gets the indices and the
/// carried values and returns the next ones.
using LoopBody = llvm::function_ref<mlir::SmallVector<mlir::Value>(mlir::OpBuilder &b, mlir::ValueRange indices, mlir::ValueRange carried)>;
mlir::SmallVector<mlir::Value> emitLoopNest(ElementEmitter &e, mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange bounds,
                                            mlir::ValueRange init, LoopBody body);

/// `then` where the condition holds and `otherwise` elsewhere; only the side that is taken is computed.
using Branch = llvm::function_ref<mlir::Value(mlir::OpBuilder &b)>;
mlir::Value emitIf(ElementEmitter &e, mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition, Branch then, Branch otherwise);

} // namespace disc

#endif // DISC_PASSES_CPU_INDEXMATH_H
