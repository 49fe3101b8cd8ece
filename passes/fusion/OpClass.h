// What kind of work an op is, seen by the fusion planner.
#ifndef DISC_PASSES_FUSION_OPCLASS_H
#define DISC_PASSES_FUSION_OPCLASS_H

#include "passes/shape/ShapeConstraintAnalysis.h"
#include <deque>

namespace disc {

/// The value that stands for `result` in the IR: its tie_shape if there is one.
mlir::Value tiedValue(mlir::Value result);
/// The value under a tie_shape.
mlir::Value untied(mlir::Value value);

enum class OpClass {
  Barrier,     // stays outside of fusions: library calls, control flow, sort, ...
  View,        // a reshape that only reinterprets a buffer, unless fused
  Source,      // reads no tensor: constants, iota, tensors made of scalars
  Elementwise, // element i of the result needs element i of the operands
  Broadcast,   // elements of the operand repeat
  IndexMap,    // elements move; each is read about once
  Gather,      // elements move by computed positions
  Reduce,      // dhlo.reduce
  Alone,       // a kernel of its own kind: scatter, sort
  Heavy,       // many operand elements for each of the result: small dot, window
};

/// Classes and sizes of ops, each computed once. The IR must not change.
class OpClasses {
public:
  explicit OpClasses(ShapeConstraintAnalysis &analysis) : analysis(analysis) {}

  SizeContext &sizeContext() { return analysis.sizes(); }
  OpClass of(mlir::Operation *op);
  /// The sizes of `value`, as its tie_shape says them.
  llvm::ArrayRef<Size> dims(mlir::Value value);
  /// A reshape that adds or removes dimensions of size 1 and nothing else.
  bool isUnitReshape(mlir::Operation *op);
  /// Whether repeating `op` in every consumer costs nothing to speak of: its
  /// element is a constant, a position, or an element of an operand.
  bool isFree(mlir::Operation *op);

private:
  /// Whether all elements of the result are one value that constants give.
  bool isUniform(mlir::Operation *op);
  OpClass compute(mlir::Operation *op);
  bool computeFree(mlir::Operation *op);
  bool computeUniform(mlir::Operation *op);
  bool isSplit(mlir::Operation *op);

  ShapeConstraintAnalysis &analysis;
  llvm::DenseMap<mlir::Operation *, OpClass> classes;
  llvm::DenseMap<mlir::Operation *, bool> free, uniform;
  llvm::DenseMap<mlir::Value, llvm::ArrayRef<Size>> sizes;
  std::deque<llvm::SmallVector<Size, 4>> storage; // what `sizes` refers to
};

/// Rough cost of one element, in additions.
int64_t elementCost(mlir::Operation *op);

} // namespace disc

#endif // DISC_PASSES_FUSION_OPCLASS_H
