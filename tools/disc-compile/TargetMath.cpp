// Arithmetic that the target does better than LLVM's general form of it.
#include "TargetMath.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;

namespace {
class TargetMath {
public:
  TargetMath(Instruction &at, bool isWide) : at(at), b(&at), isWide(isWide) {}
  /// The replacement of a marked division, or null where it stays.
  Value *divide();
  Value *scale();

private:
  Value *roundedFloat(Value *n);
  Value *fma(Value *x, Value *y, Value *z) { return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z}); }
  Value *approximate(Intrinsic::ID id, Value *x) {
    return b.CreateIntrinsic(id, {}, {x, Constant::getNullValue(x->getType()), b.getInt16(0xffff)});
  }
  Value *rsqrt(Value *x);
  Value *quotient(Value *num, Value *den);

  Instruction &at;
  IRBuilder<> b;
  bool isWide;
};
} // namespace

/// One step of Newton's method from 14 bits: y + y/2 (1 - x y^2). Where it is NaN (0, infinities, negative numbers, NaN), the
/// approximation is the result itself.
Value *TargetMath::rsqrt(Value *x) {
  Value *y = approximate(Intrinsic::x86_avx512_rsqrt14_ps_512, x);
  Value *rest = fma(b.CreateFNeg(b.CreateFMul(x, y)), y, ConstantFP::get(x->getType(), 1.0));
  Value *refined = fma(b.CreateFMul(y, ConstantFP::get(x->getType(), 0.5)), rest, y);
  return b.CreateSelect(b.CreateFCmpUNO(refined, refined), y, refined);
}

/// A refined reciprocal, and the quotient corrected by its remainder.
Value *TargetMath::quotient(Value *num, Value *den) {
  Value *y = approximate(Intrinsic::x86_avx512_rcp14_ps_512, den);
  y = fma(fma(b.CreateFNeg(den), y, ConstantFP::get(den->getType(), 1.0)), y, y);
  Value *q = b.CreateFMul(num, y);
  return fma(fma(b.CreateFNeg(q), den, num), y, q);
}

Value *TargetMath::divide() {
  Value *num = at.getOperand(0), *den = at.getOperand(1);
  auto *type = dyn_cast<FixedVectorType>(at.getType());
  if (!isWide || !type || type->getNumElements() != 16 || !type->getElementType()->isFloatTy())
    return nullptr;
  auto *root = dyn_cast<IntrinsicInst>(den);
  if (root && root->getIntrinsicID() == Intrinsic::sqrt && PatternMatch::match(num, PatternMatch::m_FPOne()))
    return rsqrt(root->getArgOperand(0));
  return quotient(num, den);
}

/// The float that `n` is the value of: a number that was rounded to an integer by adding 1.5 2^23, whose low bits then tell it.
Value *TargetMath::roundedFloat(Value *n) {
  constexpr uint32_t kMagicBits = 0x4b400000;
  using namespace PatternMatch;
  Value *shifted;
  if (!match(n, m_Sub(m_BitCast(m_Value(shifted)), m_SpecificInt(kMagicBits))) &&
      !match(n, m_Add(m_BitCast(m_Value(shifted)), m_SpecificInt(APInt(32, -kMagicBits)))))
    return nullptr;
  return shifted->getType() == at.getType() ? b.CreateFSub(shifted, ConstantFP::get(at.getType(), 0x1.8p23)) : nullptr;
}

/// x 2^n; n is in [-300, 300]. One instruction, or two products, so that neither factor overflows.
Value *TargetMath::scale() {
  Value *x = at.getOperand(0), *n = at.getOperand(1);
  if (!x->getType()->getScalarType()->isFloatTy())
    return nullptr;
  if (isWide) {
    auto *type = dyn_cast<FixedVectorType>(x->getType());
    Value *exponent = type && type->getNumElements() == 16 ? roundedFloat(n) : nullptr;
    return exponent ? b.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                                        {x, exponent, Constant::getNullValue(type), b.getInt16(0xffff),
                                         b.getInt32(/*the current rounding mode*/ 4)})
                    : nullptr;
  }
  Value *half = b.CreateAShr(n, 1);
  auto power = [&](Value *exponent) {
    Value *biased = b.CreateAdd(exponent, ConstantInt::get(n->getType(), 127));
    return b.CreateBitCast(b.CreateShl(biased, 23), x->getType());
  };
  return b.CreateFMul(b.CreateFMul(x, power(half)), power(b.CreateSub(n, half)));
}

void disc::useTargetMath(Module &module, TargetMachine &machine) {
  bool isWide = machine.getTargetTriple().isX86() && machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
  for (Function &function : module) {
    SmallVector<Instruction *> marked;
    for (Instruction &at : instructions(function)) {
      auto *call = dyn_cast<IntrinsicInst>(&at);
      bool isScale = call && call->getIntrinsicID() == Intrinsic::ldexp;
      bool isRoot = call && call->getIntrinsicID() == Intrinsic::sqrt && at.hasApproxFunc();
      if (isScale || isRoot || (at.getOpcode() == Instruction::FDiv && at.hasAllowReciprocal()))
        marked.push_back(&at);
    }
    for (Instruction *at : marked) {
      Value *better = isa<IntrinsicInst>(at) ? nullptr : TargetMath(*at, isWide).divide();
      if (auto *call = dyn_cast<IntrinsicInst>(at); call && call->getIntrinsicID() == Intrinsic::ldexp)
        better = TargetMath(*at, isWide).scale();
      at->setHasAllowReciprocal(false);
      at->setHasApproxFunc(false);
      if (better) {
        at->replaceAllUsesWith(better);
        at->eraseFromParent();
      }
    }
  }
}
