// Frees every buffer after its last use.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// The buffers that one block owns.
class BlockOwnership {
public:
  explicit BlockOwnership(Block &block) : block(block) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block))
      for (Region &region : op.getRegions())
        if (isControlFlow(&op))
          for (Block &inner : region)
            BlockOwnership(inner).run();
    collect();
    for (auto copy : llvm::make_early_inc_range(block.getOps<memref::CopyOp>()))
      elide(copy);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isa<LoopLikeOpInterface>(op) && isControlFlow(&op))
        for (OpOperand &operand : op.getOpOperands())
          handOver(operand);
    Operation *terminator = &block.back();
    if (isa<scf::YieldOp, scf::ConditionOp>(terminator))
      for (OpOperand &operand : terminator->getOpOperands())
        handOver(operand);
    for (Value root : owned)
      if (!gone.contains(root))
        freeAfterLastUse(root);
  }

private:
  static bool isControlFlow(Operation *op) {
    return isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
               scf::WhileOp, scf::ForOp>(op);
  }

  void collect() {
    if (isa_and_nonnull<scf::WhileOp, scf::ForOp>(block.getParentOp()))
      for (BlockArgument argument : block.getArguments())
        addOwned(argument);
    for (Operation &op : block)
      if (isa<memref::AllocOp>(op) || isControlFlow(&op))
        for (Value result : op.getResults())
          addOwned(result);
  }

  void addOwned(Value value) {
    if (isa<MemRefType>(value.getType()))
      owned.insert(value);
  }

  /// The value that `value` is a view of. A select of buffers is its own root,
  /// which nobody owns.
  static Value getRoot(Value value) {
    while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      value = view.getViewSource();
    return value;
  }

  /// Every op that may touch the buffer of `root`, directly or through a view.
  static void collectUses(Value value, SmallVectorImpl<OpOperand *> &uses) {
    for (OpOperand &use : value.getUses()) {
      uses.push_back(&use);
      if (isa<ViewLikeOpInterface, arith::SelectOp>(use.getOwner()))
        for (Value result : use.getOwner()->getResults())
          collectUses(result, uses);
    }
  }

  /// Whether `operand` is the last use of `root`, whose owner is this block.
  bool isLastUse(Value root, OpOperand &operand) {
    SmallVector<OpOperand *> uses;
    collectUses(root, uses);
    Operation *at = operand.getOwner();
    return llvm::all_of(uses, [&](OpOperand *use) {
      Operation *user = block.findAncestorOpInBlock(*use->getOwner());
      return use == &operand || (user != at && user->isBeforeInBlock(at));
    });
  }

  /// alloc %a; copy %s, %a; ... %a ... -> ... %s ..., when the copy is the last
  /// use of %s. Upstream copies what a loop carries in this way.
  void elide(memref::CopyOp copy) {
    Value source = copy.getSource(), target = copy.getTarget();
    auto alloc = target.getDefiningOp<memref::AllocOp>();
    if (!alloc || alloc->getBlock() != &block || !owned.contains(source) ||
        source.getType() != target.getType() ||
        !isLastUse(source, copy.getSourceMutable()))
      return;
    for (Operation *user : target.getUsers())
      if (user != copy &&
          block.findAncestorOpInBlock(*user)->isBeforeInBlock(copy))
        return;
    target.replaceAllUsesWith(source);
    owned.remove(target);
    copy.erase();
    alloc.erase();
  }

  /// Gives the buffer of `operand` to its user: the buffer itself where this
  /// block owns it and has no use for it any more, else a copy.
  void handOver(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      return;
    Value root = getRoot(operand.get());
    if (owned.contains(root) && !gone.contains(root) &&
        isLastUse(root, operand)) {
      gone.insert(root);
      return;
    }
    OpBuilder builder(operand.getOwner());
    Location loc = operand.getOwner()->getLoc();
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            memref::DimOp::create(builder, loc, operand.get(), dim));
    Value copy = memref::AllocOp::create(builder, loc, type, sizes);
    memref::CopyOp::create(builder, loc, operand.get(), copy);
    operand.set(copy);
  }

  void freeAfterLastUse(Value root) {
    SmallVector<OpOperand *> uses;
    collectUses(root, uses);
    Operation *last = root.getDefiningOp();
    for (OpOperand *use : uses) {
      Operation *user = block.findAncestorOpInBlock(*use->getOwner());
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
    // What a function returns goes to its caller.
    if (last && last->hasTrait<OpTrait::IsTerminator>())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    if (last)
      builder.setInsertionPointAfter(last);
    memref::DeallocOp::create(builder, root.getLoc(), root);
  }

  Block &block;
  llvm::SetVector<Value> owned;
  llvm::DenseSet<Value> gone;
};

} // namespace

namespace disc {

LogicalResult runBufferizeDealloc(func::FuncOp function) {
  if (function.isExternal())
    return success();
  // With unstructured control flow RAL frees at the end of the execution.
  if (!function.getBody().hasOneBlock())
    return success();
  BlockOwnership(function.front()).run();
  return success();
}

} // namespace disc
