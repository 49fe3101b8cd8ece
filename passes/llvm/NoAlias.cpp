// Marks kernel arguments whose buffers no other argument overlaps.
#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::lmhlo_disc;

/// The value whose buffer `value` is a view of. A buffer in an arena is a buffer:
/// those that a launch sees are alive together, so they are apart.
static Value getRoot(Value value) {
  while (true) {
    if (value.getDefiningOp<memref::ViewOp>())
      return value;
    if (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      value = view.getViewSource();
    // Kernels see unsigned and boolean buffers as the bytes that they are.
    else if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
      value = cast.getOperand(0);
    else
      return value;
  }
}

static bool isReadOnlyRoot(Value root) {
  Operation *op = root.getDefiningOp();
  return isa_and_nonnull<RecvInputOp, RecvConstantOp, memref::GetGlobalOp>(op);
}

/// Whether the buffer of `root` is new, that is, nothing that existed before
/// `root` can be a part of it.
static bool isNewRoot(Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::ViewOp, BlockBufferOp>(
      root.getDefiningOp());
}

static bool mayOverlap(Value lhs, Value rhs, DominanceInfo &dominance) {
  Value left = getRoot(lhs), right = getRoot(rhs);
  if (left == right)
    return true;
  bool leftNew = isNewRoot(left), rightNew = isNewRoot(right);
  if ((leftNew && rightNew) || (leftNew && isReadOnlyRoot(right)) ||
      (rightNew && isReadOnlyRoot(left)))
    return false;
  // What was there before an allocation and is alive after it lies elsewhere.
  if (leftNew && dominance.properlyDominates(right, left.getDefiningOp()))
    return false;
  if (rightNew && dominance.properlyDominates(left, right.getDefiningOp()))
    return false;
  return true;
}

/// Whether something may be written through `value` or a view of it.
static bool isWritten(Value value) {
  for (Operation *user : value.getUsers()) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects || user->getNumRegions() != 0)
      return true;
    if (effects.getEffectOnValue<MemoryEffects::Write>(value))
      return true;
    for (Value result : user->getResults())
      if (isa<BaseMemRefType, LLVM::LLVMPointerType>(result.getType()) &&
          isWritten(result))
        return true;
  }
  return false;
}

/// Clears the flag of each memref argument that may overlap with a written one.
static void restrict(LaunchOp launch, ArrayRef<bool> written,
                     MutableArrayRef<bool> noAlias, DominanceInfo &dominance) {
  OperandRange args = launch.getArgs();
  for (size_t i = 0; i < args.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (!isa<MemRefType>(args[i].getType()) ||
          !isa<MemRefType>(args[j].getType()) || (!written[i] && !written[j]))
        continue;
      if (mayOverlap(args[i], args[j], dominance))
        noAlias[i] = noAlias[j] = false;
    }
}

namespace disc {

LogicalResult runLlvmNoAlias(ModuleOp module) {
  llvm::MapVector<func::FuncOp, SmallVector<LaunchOp>> launches;
  module.walk([&](LaunchOp launch) {
    if (auto kernel = module.lookupSymbol<func::FuncOp>(launch.getKernel()))
      if (!kernel.isExternal())
        launches[kernel].push_back(launch);
  });
  DominanceInfo dominance(module);
  for (auto &[kernel, sites] : launches) {
    SmallVector<bool> written, noAlias;
    for (BlockArgument argument : kernel.getArguments().drop_back(3)) {
      bool isMemRef = isa<MemRefType>(argument.getType());
      written.push_back(isMemRef && isWritten(argument));
      noAlias.push_back(isMemRef);
    }
    for (LaunchOp launch : sites)
      restrict(launch, written, noAlias, dominance);
    for (auto [index, flag] : llvm::enumerate(noAlias))
      if (flag)
        func::FuncOp(kernel).setArgAttr(
            index, LLVM::LLVMDialect::getNoAliasAttrName(),
            UnitAttr::get(module.getContext()));
  }
  return success();
}

} // namespace disc
