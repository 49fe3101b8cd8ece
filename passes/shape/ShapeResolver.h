// Computes the sizes of every tensor of a function, and the facts that ops imply.
#ifndef DISC_PASSES_SHAPE_SHAPERESOLVER_H
#define DISC_PASSES_SHAPE_SHAPERESOLVER_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "passes/shape/ShapeConstraintAnalysis.h"
#include "passes/shape/SizeMaterializer.h"
#include "llvm/ADT/SetVector.h"

namespace disc {

/// Reads the sizes of all values, op by op, from the ops' shape functions, and
/// learns which sizes the ops need to be equal. What is learned replaces one
/// size by the other everywhere, and is checked at run time as soon as both are
/// known (`emitChecks`).
class ShapeResolver {
public:
  explicit ShapeResolver(mlir::func::FuncOp func);

  /// Runs to a fixed point. The shape functions leave dead ops behind.
  void analyze();

  /// Emits the checks whose sizes are known before any op of the function.
  void emitEntryChecks() { emitReadyChecks(nullptr); }
  /// Emits the checks that wait for `op`, which was just passed. What an
  /// assertion of the function says is emitted anew if `renewAssertions`: who
  /// rewrites sizes makes the old one trivial.
  void emitReadyChecks(mlir::Operation *op);
  bool renewAssertions = true;

  ShapeConstraintAnalysis analysis;
  SizeMaterializer materializer;

private:
  /// `from` is `to`, and was found to be so by `because`.
  struct Fact {
    Size from, to;
    mlir::Operation *because;
    mlir::Operation *last; // the last op that either is computed from, or null
    bool emitted = false;
  };

  void visitBlock(mlir::Block &block);
  void visitOp(mlir::Operation *op);
  void computeDims(mlir::Operation *op);
  void learn(mlir::Operation *op);
  void learnAssert(mlir::cf::AssertOp assertion);
  void require(Size a, Size b, mlir::Operation *because);
  /// The last op in program order of those that define the symbols of `size`;
  /// fails for symbols that are not defined at the top level of the function.
  bool lastDefinition(Size size, mlir::Operation *&last);

  mlir::func::FuncOp func;
  llvm::DenseMap<mlir::Operation *, mlir::ReifiedRankedShapedTypeDims> reified;
  std::vector<Fact> facts;
  bool changed = false;
};

/// Erases ops without uses and effects, inner ones first.
void eraseDeadOps(mlir::func::FuncOp func);

} // namespace disc

#endif // DISC_PASSES_SHAPE_SHAPERESOLVER_H
