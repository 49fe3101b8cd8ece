// How a reduction accumulates: the types it uses and the code that takes one more element in.
#ifndef DISC_PASSES_CPU_REDUCER_H
#define DISC_PASSES_CPU_REDUCER_H

#include "passes/cpu/ElementEmitter.h"

namespace disc {

/// A region that combines accumulators with elements, as in reduce and reduce_window. Sums, products, maxima and minima of floats become
/// one instruction that may be reassociated (max and min need no permission); those of f16 and bf16 accumulate in f32 and round once.
class Reducer {
public:
  Reducer(ElementEmitter &e, mlir::Location loc, mlir::Region &body);

  /// The number that changes nothing when it is combined with; null where the region is no op that has one.
  mlir::TypedAttr getNeutral() const;

  /// Accumulators that start with `initial`, elements of the types `from`.
  mlir::SmallVector<mlir::Value> start(mlir::OpBuilder &b, mlir::ValueRange initial, mlir::TypeRange from) const;
  mlir::SmallVector<mlir::Value> combine(mlir::OpBuilder &b, mlir::ValueRange accumulators, mlir::ValueRange elements,
                                         mlir::TypeRange from) const;
  /// The accumulators as elements of the types `to`.
  mlir::SmallVector<mlir::Value> finish(mlir::OpBuilder &b, mlir::ValueRange accumulators, mlir::TypeRange to) const;

  /// Element types of the accumulators.
  llvm::ArrayRef<mlir::Type> elementTypes() const { return types; }

private:
  mlir::SmallVector<mlir::Value> convert(mlir::OpBuilder &b, mlir::ValueRange values, mlir::TypeRange from, mlir::TypeRange to) const;

  ElementEmitter &e;
  mlir::Location loc;
  mlir::Region &body;
  /// The op of `x, y -> x op y`, when that is all the body does, and when it is one of the fast forms.
  mlir::Operation *single = nullptr, *fast = nullptr;
  mlir::SmallVector<mlir::Type> types;
};

/// The element types of tensors.
mlir::SmallVector<mlir::Type> elementTypesOf(mlir::ValueRange tensors);

} // namespace disc

#endif // DISC_PASSES_CPU_REDUCER_H
