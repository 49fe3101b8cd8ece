// Fused multiply-adds for processors that have none.
#include "FusedMultiplyAdd.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

/// Lanes that are computed side by side: more do not fit into registers.
static constexpr unsigned kLanes = 4;

/// x y + z, rounded once. The product is exact in double. The sum is rounded to odd there: an inexact one becomes the neighbour whose last
/// bit is 1, which never lies in the middle between two floats, so that rounding again gives the float next to the true value.
static Value *compute(IRBuilder<> &b, Value *x, Value *y, Value *z) {
  Type *narrow = x->getType(), *wide = narrow->getWithNewType(b.getDoubleTy()), *word = narrow->getWithNewType(b.getInt64Ty());
  auto number = [&](uint64_t n) { return ConstantInt::get(word, n); };
  Value *product = b.CreateFMul(b.CreateFPExt(x, wide), b.CreateFPExt(y, wide)), *added = b.CreateFPExt(z, wide);
  Value *sum = b.CreateFAdd(product, added), *part = b.CreateFSub(sum, product);
  // Exact; NaN where the sum is no number.
  Value *error = b.CreateFAdd(b.CreateFSub(product, b.CreateFSub(sum, part)), b.CreateFSub(added, part));
  Value *bits = b.CreateBitCast(sum, word);
  Value *isInexact = b.CreateFCmpONE(error, ConstantFP::get(wide, 0.0));
  Value *isEven = b.CreateICmpEQ(b.CreateAnd(bits, number(1)), number(0));
  // The true value lies farther from zero than the sum where both signs agree.
  Value *differ = b.CreateLShr(b.CreateXor(bits, b.CreateBitCast(error, word)), number(63));
  Value *step = b.CreateSub(number(1), b.CreateShl(differ, number(1)));
  Value *odd = b.CreateAdd(bits, b.CreateSelect(b.CreateAnd(isInexact, isEven), step, number(0)));
  return b.CreateFPTrunc(b.CreateBitCast(odd, wide), narrow);
}

/// A function for vectors of `type`: as part of each chain of operations it would make code of thousands of instructions.
static Function *makeFunction(Module &module, FixedVectorType *type) {
  auto *signature = FunctionType::get(type, {type, type, type}, /*isVarArg=*/false);
  auto *function = Function::Create(signature, GlobalValue::InternalLinkage, "disc_fma_" + Twine(type->getNumElements()), module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  function->setDoesNotAccessMemory();
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
  unsigned lanes = type->getNumElements();
  SmallVector<Value *> pieces;
  for (unsigned first = 0; first < lanes; first += kLanes) {
    auto part = [&](unsigned i) {
      return b.CreateShuffleVector(function->getArg(i), createSequentialMask(first, std::min(kLanes, lanes - first), 0));
    };
    pieces.push_back(compute(b, part(0), part(1), part(2)));
  }
  b.CreateRet(pieces.size() == 1 ? pieces.front() : concatenateVectors(b, pieces));
  return function;
}

void disc::emulateFusedMultiplyAdd(Module &module, TargetMachine &machine) {
  const MCSubtargetInfo &features = *machine.getMCSubtargetInfo();
  if (!machine.getTargetTriple().isX86() || features.checkFeatures("+fma") || features.checkFeatures("+fma4"))
    return;
  SmallVector<IntrinsicInst *> found;
  for (Function &function : module)
    for (Instruction &at : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&at); call && call->getIntrinsicID() == Intrinsic::fma && call->getType()->getScalarType()->isFloatTy())
        found.push_back(call);
  DenseMap<Type *, Function *> functions;
  for (IntrinsicInst *call : found) {
    IRBuilder<> b(call);
    auto *type = dyn_cast<FixedVectorType>(call->getType());
    Value *x = call->getArgOperand(0), *y = call->getArgOperand(1), *z = call->getArgOperand(2), *result;
    if (type && type->getNumElements() > kLanes) {
      Function *&function = functions[type];
      if (!function)
        function = makeFunction(module, type);
      result = b.CreateCall(function, {x, y, z});
    } else {
      result = compute(b, x, y, z);
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}
