// Constants of long loop bodies that are read where they are used.
#include "ConstantsInMemory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// A body of so many vector operations, with at least so many constants. Where there are still more operations than that, it is no faster.
static constexpr size_t kLongBody = 160, kLongestBody = 440, kManyConstants = 8;

/// The integer that a loop of one block counts with; null where `block` is none, or carries vectors.
static PHINode *getCounter(BasicBlock &block) {
  if (!is_contained(successors(&block), &block))
    return nullptr;
  PHINode *counter = nullptr;
  for (PHINode &phi : block.phis()) {
    if (phi.getType()->isVectorTy())
      return nullptr;
    if (phi.getType()->isIntegerTy(64))
      counter = &phi;
  }
  return counter;
}

static void keepInMemory(BasicBlock &block, PHINode *counter) {
  size_t operations = 0;
  MapVector<Constant *, SmallVector<Use *>> uses;
  for (Instruction &op : block) {
    operations += op.getType()->isVectorTy();
    for (Use &use : op.operands())
      if (auto *vector = dyn_cast<Constant>(use); vector && vector->getType()->isVectorTy() && !vector->isNullValue())
        if (isa_and_nonnull<ConstantFP>(vector->getSplatValue()))
          uses[vector].push_back(&use);
  }
  if (operations < kLongBody || operations > kLongestBody || uses.size() < kManyConstants)
    return;
  SmallVector<Constant *> numbers;
  for (auto &[vector, _] : uses)
    numbers.push_back(vector->getSplatValue());
  auto *layout = ConstantStruct::getAnon(numbers);
  auto *table = new GlobalVariable(*block.getModule(), layout->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, layout);
  IRBuilder<> b(&block, block.getFirstInsertionPt());
  auto *type = FunctionType::get(b.getPtrTy(), {b.getPtrTy(), counter->getType()}, /*isVarArg=*/false);
  Value *address = b.CreateCall(InlineAsm::get(type, "", "=r,0,r", /*hasSideEffects=*/false), {table, counter});
  for (auto [index, entry] : enumerate(uses)) {
    auto &[vector, places] = entry;
    b.SetInsertPoint(cast<Instruction>(places.front()->getUser()));
    LoadInst *number = b.CreateLoad(numbers[index]->getType(), b.CreateStructGEP(layout->getType(), address, index));
    number->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(block.getContext(), {}));
    Value *all = b.CreateVectorSplat(cast<FixedVectorType>(vector->getType())->getNumElements(), number);
    for (Use *use : places)
      use->set(all);
  }
}

void disc::keepConstantsInMemory(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      if (PHINode *counter = getCounter(block))
        keepInMemory(block, counter);
}
