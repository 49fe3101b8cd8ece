// Which functions go together, and what the parts know of each other.
#include "Parts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// An op of the program is compiled in so much less time than one of a kernel.
constexpr int64_t kProgramOpsPerKernelOp = 16;

using Ops = llvm::SetVector<Operation *>;

struct Group {
  SmallVector<LLVM::LLVMFuncOp> functions;
  int64_t work = 0;
};

int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

class KernelSplit {
public:
  KernelSplit(ModuleOp module) : module(module) {
    SymbolTable symbols(module);
    for (Operation &op : *module.getBody()) {
      SymbolTable::UseRange all = *SymbolTable::getSymbolUses(&op);
      for (const SymbolTable::SymbolUse &use : all)
        if (Operation *used = symbols.lookup(use.getSymbolRef().getRootReference()))
          uses[&op].insert(used);
    }
  }
  SmallVector<OwningOpRef<ModuleOp>> run(unsigned count);

private:
  static bool isKernel(Operation *op) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    return function && !function.isExternal() && function.getLinkage() == LLVM::Linkage::Internal;
  }
  /// Kernels that use each other.
  SmallVector<Group> collectGroups();
  bool isMovable(const Group &group);
  OwningOpRef<ModuleOp> move(const Group &part);
  /// Leaves a declaration where the program uses the function.
  void leaveDeclaration(LLVM::LLVMFuncOp function);

  ModuleOp module;
  llvm::DenseMap<Operation *, Ops> uses;
};

SmallVector<Group> KernelSplit::collectGroups() {
  llvm::EquivalenceClasses<Operation *> classes;
  for (Operation &op : *module.getBody())
    if (isKernel(&op)) {
      classes.insert(&op);
      for (Operation *used : uses[&op])
        if (isKernel(used))
          classes.unionSets(&op, used);
    }
  llvm::MapVector<Operation *, Group> groups;
  for (Operation &op : *module.getBody())
    if (isKernel(&op)) {
      Group &group = groups[classes.getLeaderValue(&op)];
      group.functions.push_back(cast<LLVM::LLVMFuncOp>(op));
      group.work += countOps(&op);
    }
  return llvm::to_vector(llvm::make_second_range(groups));
}

bool KernelSplit::isMovable(const Group &group) {
  return llvm::all_of(group.functions, [&](LLVM::LLVMFuncOp function) {
    return llvm::all_of(uses[function], [](Operation *used) {
      auto global = dyn_cast<LLVM::GlobalOp>(used);
      return isa<LLVM::LLVMFuncOp>(used) || (global && global.getConstant() && global.getLinkage() == LLVM::Linkage::Internal);
    });
  });
}

void KernelSplit::leaveDeclaration(LLVM::LLVMFuncOp function) {
  OpBuilder b(function);
  auto declaration = cast<LLVM::LLVMFuncOp>(b.insert(function->cloneWithoutRegions()));
  for (LLVM::LLVMFuncOp one : {function, declaration}) {
    one.setLinkage(LLVM::Linkage::External);
    one.setVisibility_(LLVM::Visibility::Hidden);
    one.setDsoLocal(true);
  }
}

OwningOpRef<ModuleOp> KernelSplit::move(const Group &part) {
  OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
  (*result)->setAttrs(module->getAttrDictionary());
  OpBuilder b = OpBuilder::atBlockEnd(result->getBody());
  Ops needed;
  for (LLVM::LLVMFuncOp function : part.functions)
    for (Operation *used : uses[function])
      if (!llvm::is_contained(part.functions, used))
        needed.insert(used);
  for (Operation *op : needed)
    b.clone(*op);
  for (LLVM::LLVMFuncOp function : part.functions) {
    if (llvm::any_of(uses, [&](auto &use) { return use.second.contains(function) && !isKernel(use.first); }))
      leaveDeclaration(function);
    function->moveBefore(result->getBody(), result->getBody()->end());
  }
  return result;
}

SmallVector<OwningOpRef<ModuleOp>> KernelSplit::run(unsigned count) {
  SmallVector<Group> groups = collectGroups();
  count = std::min<size_t>(count, groups.size());
  if (!count || !llvm::all_of(groups, [&](const Group &group) { return isMovable(group); }))
    return {};
  llvm::stable_sort(groups, [](const Group &x, const Group &y) { return x.work > y.work; });
  int64_t all = countOps(module), ofKernels = 0;
  for (const Group &group : groups)
    ofKernels += group.work;
  SmallVector<Group> parts(count);
  parts.back().work = (all - ofKernels) / kProgramOpsPerKernelOp; // who has the last part compiles the program too
  for (Group &group : groups) {
    Group &part = *llvm::min_element(parts, [](const Group &x, const Group &y) { return x.work < y.work; });
    part.work += group.work;
    llvm::append_range(part.functions, group.functions);
  }
  SmallVector<OwningOpRef<ModuleOp>> results;
  for (const Group &part : parts)
    if (!part.functions.empty())
      results.push_back(move(part));
  return results;
}

} // namespace

SmallVector<OwningOpRef<ModuleOp>> disc::takeKernels(ModuleOp module, unsigned count) { return KernelSplit(module).run(count); }
