// Turns size expressions back into SSA values, each once per dominating scope.
#ifndef DISC_PASSES_SHAPE_SIZEMATERIALIZER_H
#define DISC_PASSES_SHAPE_SIZEMATERIALIZER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/shape/SizeExpr.h"
#include <vector>

namespace disc {

/// Walk a function in program order, open a scope around every region, and ask
/// for values at the insertion point of `builder`: equal sizes are the same SSA
/// value wherever that dominates. Sizes of arguments and constants are placed
/// at the start of the function.
class SizeMaterializer {
public:
  SizeMaterializer(mlir::func::FuncOp func, SizeContext &sizes);

  mlir::OpBuilder builder;

  mlir::Value index(Size size, mlir::Location loc);
  /// The same from what `size` was made of, whatever it was equated to since.
  mlir::Value rawIndex(Size size, mlir::Location loc);
  /// A 0/1 expression as i1.
  mlir::Value condition(Size size, mlir::Location loc);

  /// Tells that the index value `value` holds `size` from here on.
  void seed(Size size, mlir::Value value) { scopes.back()[size] = value; }
  /// Whether a check of `cond` here is the first one; later ones of this scope
  /// and those inside are not.
  bool isNew(Size cond);
  void enter() { scopes.emplace_back(); }
  void leave() { scopes.pop_back(); }
  /// Places the builder where sizes of arguments alone are computed.
  void setInsertionPointToPrologue();

private:
  mlir::Value find(Size size) const;
  mlir::Value make(Size size, mlir::Location loc);
  mlir::Value leaf(Size size, mlir::Location loc);
  mlir::Value fold(Size size, mlir::Location loc);

  mlir::func::FuncOp func;
  SizeContext &sizes;
  mlir::Operation *prologueEnd;
  // Sizes by their value; checked conditions are there without one.
  std::vector<llvm::DenseMap<Size, mlir::Value>> scopes;
};

} // namespace disc

#endif // DISC_PASSES_SHAPE_SIZEMATERIALIZER_H
