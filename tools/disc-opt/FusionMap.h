// Which op of a program ends in which kernel, product or stitch.
#ifndef DISC_TOOLS_DISC_OPT_FUSIONMAP_H
#define DISC_TOOLS_DISC_OPT_FUSIONMAP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace disc {

/// An op as phase `fusion` found it.
struct Node {
  std::string name, place;
  mlir::Location loc;
  llvm::SmallVector<unsigned, 1> units;
};

/// A piece of work after the phase.
struct Unit {
  std::string name, kind; // kind: "kernel", "product", "view", "constant", "call", "control flow", "host"
  mlir::Operation *op;
  unsigned stitch = 0; // 0: in none
  llvm::SmallVector<unsigned> ops;
  llvm::SetVector<unsigned> readers;
};

/// What a pass said of two ops, or groups of ops.
struct Remark {
  llvm::SmallVector<unsigned> producers, consumers;
  std::string why;
};

/// Before phase `fusion` every op gets a number, which its clones in fusions keep (in their locations). The passes of the phase remark on pairs
/// that they keep apart; afterwards the IR shows which unit of work each number ended in.
class FusionMap {
public:
  /// Runs the pipeline from phase `from` up to `fusion`, included.
  mlir::LogicalResult run(mlir::ModuleOp module, llvm::StringRef from);

  bool isIn(unsigned node, unsigned unit) const { return llvm::is_contained(nodes[node].units, unit); }
  llvm::SmallVector<unsigned> unitsOf(llvm::ArrayRef<unsigned> ops) const;

  std::vector<Node> nodes;
  std::vector<Node> written; // the ops of the file, whose places the user knows
  std::vector<Unit> units;
  std::vector<Remark> remarks;
  llvm::StringMap<unsigned> counts; // units of each kind, and stitches

private:
  void tag(mlir::ModuleOp module);
  void addUnit(mlir::Operation *op, llvm::StringRef kind, unsigned stitch);
  void addUnits(mlir::Block &block, unsigned stitch);
  void connect();

  llvm::DenseMap<mlir::Operation *, unsigned> unitAt;
};

} // namespace disc

#endif // DISC_TOOLS_DISC_OPT_FUSIONMAP_H
