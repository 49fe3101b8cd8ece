// Computes the sizes of every tensor of a function, and the facts that checks give.
#ifndef DISC_PASSES_SHAPE_SHAPERESOLVER_H
#define DISC_PASSES_SHAPE_SHAPERESOLVER_H

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/shape/Demands.h"
#include "passes/shape/SizeMaterializer.h"

namespace disc {

/// Reads the sizes of all values, op by op, from the ops' shape functions, and
/// learns from checks at the top level of the function what holds whenever the
/// function returns: equal sizes become one, other conditions are true. A fact
/// holds everywhere, so its check stands as soon as its sizes are known.
class ShapeResolver {
public:
  enum Source {
    Checks, // facts are those of the checks in the IR
    Ops,    // what ops demand becomes a fact too, whose check is to be emitted
  };
  ShapeResolver(mlir::func::FuncOp func, Source source);

  /// Runs to a fixed point. The shape functions leave dead ops behind.
  void analyze();

  /// Emits the checks of facts that are known once `op` has run; null: before
  /// any op. With `Source::Ops`, those of what ops demand; else those that the
  /// IR has already, for who rewrites sizes and so makes the old ones trivial.
  void emitReadyChecks(mlir::Operation *op);
  /// Emits the checks of what `op` demands that is no fact, before `op`.
  void emitDemands(mlir::Operation *op);

  ShapeConstraintAnalysis analysis;
  SizeMaterializer materializer;

private:
  struct Fact {
    Size cond;
    llvm::SmallVector<Size> values; // what the message prints
    std::string message;
    mlir::Location loc;
    bool ofCheck;
    llvm::SmallVector<Size> counted = {}; // cond: their product is values[1]
    Size from = nullptr, to = nullptr;    // of an equality: what it replaced
    mlir::Operation *asker = nullptr;     // whose demand `number` it is
    unsigned number = 0;
  };

  void visitBlock(mlir::Block &block);
  void visitOp(mlir::Operation *op);
  void computeDims(mlir::Operation *op);
  void learn(mlir::Operation *op);
  void learnCheck(mlir::lmhlo_disc::CheckOp check);
  void learnFact(Fact fact);
  Fact factOf(const Demand &demand, mlir::Operation *op, unsigned number);
  bool equate(Size a, Size b, Fact &fact);
  void emit(const Fact &fact);

  /// The last op in program order of those that define the symbols of `size`;
  /// fails for symbols that are not defined at the top level of the function.
  bool lastDefinition(Size size, mlir::Operation *&last);
  unsigned orderOf(mlir::Operation *op) const;

  mlir::func::FuncOp func;
  Source source;
  Demands demands;
  llvm::DenseMap<mlir::Operation *, mlir::ReifiedRankedShapedTypeDims> reified;
  llvm::DenseMap<mlir::Operation *, std::vector<Fact>> facts; // by last op
  /// Where a demand is checked already; a later round may state it otherwise.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, mlir::Operation *>
      checkedAt;
  llvm::DenseMap<mlir::Operation *, unsigned> order; // of ops at the top level
  unsigned now = 0;
  bool changed = false;
};

/// Erases ops without uses and effects, inner ones first.
void eraseDeadOps(mlir::func::FuncOp func);

} // namespace disc

#endif // DISC_PASSES_SHAPE_SHAPERESOLVER_H
