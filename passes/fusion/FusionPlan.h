// Groups the fusible ops of a block; each group becomes a dhlo.fusion.
#ifndef DISC_PASSES_FUSION_FUSIONPLAN_H
#define DISC_PASSES_FUSION_FUSIONPLAN_H

#include "dialects/dhlo/Dhlo.h"
#include "passes/fusion/OpClass.h"
#include "llvm/ADT/MapVector.h"
#include <memory>
#include <string>

namespace disc {

/// What the code of a group looks like.
struct FusionKind {
  enum Type { None, Loop, Row, Scatter, Sort, Stitch } type = None;
  int64_t rowDims = 0;
  std::string why; // why there is no kind
  explicit operator bool() const { return type != None; }
  llvm::StringRef name() const;
};

/// An op with the tie_shape ops of its results.
struct FusionGroup {
  llvm::SmallVector<mlir::Operation *> ops; // in program order, without ties
  bool contains(mlir::Operation *op) const {
    return llvm::is_contained(ops, op);
  }
};

/// Decides whether `ops` can be one kernel, and of which kind.
FusionKind kindOf(llvm::ArrayRef<mlir::Operation *> ops,
                  OpClasses &classes);

/// The results of `ops` that others use; of an op that is a kernel of its own
/// kind, all results.
llvm::SmallVector<mlir::Value>
outputsOf(llvm::ArrayRef<mlir::Operation *> ops);

/// Says why two ops are not in one kernel or stitch: a remark of category "fusion" on the
/// producer, which names the consumer's place. Without a remark engine nothing happens.
void noteApart(mlir::Operation *producer, mlir::Operation *consumer, llvm::StringRef why);

class FusionPlan {
public:
  struct Limits {
    int64_t maxOps = 256;
  };

  FusionPlan(mlir::Block &block, OpClasses &classes, Limits limits);

  /// Groups producers with their consumers, from the last op to the first.
  void run();
  /// Groups in program order of their last op.
  llvm::SmallVector<FusionGroup *> groups() const;

private:
  bool tryMerge(mlir::Operation *producer, mlir::Operation *consumer);
  /// Why `producer` must not be computed inside the group of `consumer`; empty
  /// if it may.
  std::string refuseEdge(mlir::Operation *producer, mlir::Operation *consumer);
  /// An op outside of the two groups, which lies on a path from one of their ops to another.
  mlir::Operation *opBetween(const FusionGroup &a, const FusionGroup &b) const;
  /// The position after which nothing leads back to ops up to `position`.
  unsigned searchLimit(unsigned position) const;
  int64_t repeatCost(mlir::Operation *op) const;
  bool isBehindReduce(mlir::Operation *op) const;

  mlir::Block &block;
  OpClasses &classes;
  Limits limits;
  llvm::DenseMap<mlir::Operation *, FusionGroup *> groupOf;
  llvm::DenseMap<mlir::Operation *, unsigned> order;
  std::vector<std::unique_ptr<FusionGroup>> storage;
  std::vector<FusionGroup *> large; // groups that have had several ops
  mutable std::vector<unsigned> marks; // by position in the block
  mutable unsigned lastMark = 0;
};

/// Clones the free ops of `block` so that each has one consumer, and constants
/// from above so that consumers in `block` can take them in.
void duplicateFreeOps(mlir::Block &block, OpClasses &classes);

/// Whether `group` needs no kernel: views of buffers, constants.
bool needsNoKernel(const FusionGroup &group);

/// Moves `group` into a new dhlo.fusion at the place of its last op. The block
/// may need `sortTopologically` after.
void buildFusion(const FusionGroup &group, const FusionKind &kind);

} // namespace disc

#endif // DISC_PASSES_FUSION_FUSIONPLAN_H
