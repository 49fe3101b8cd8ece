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
  /// The maximum with 0, or null.
  Value *positive();

private:
  /// `x` with the classes of `from`'s values that `table` names replaced.
  Value *fixUp(Value *x, Value *from, uint32_t table) {
    auto *type = FixedVectorType::get(b.getInt32Ty(), 16);
    return b.CreateIntrinsic(Intrinsic::x86_avx512_mask_fixupimm_ps_512, {},
                             {x, from, ConstantInt::get(type, table), b.getInt32(0), b.getInt16(0xffff), b.getInt32(kCurrentRounding)});
  }
  Value *roundedFloat(Value *n);
  Value *scaleWide(Value *x, Value *exponent);
  Value *fma(Value *x, Value *y, Value *z) { return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z}); }
  Value *approximate(Intrinsic::ID id, Value *x) {
    return b.CreateIntrinsic(id, {}, {x, Constant::getNullValue(x->getType()), b.getInt16(0xffff)});
  }
  Value *rsqrt(Value *x);
  Value *quotient(Value *num, Value *den);

  static constexpr int kCurrentRounding = 4;

  Instruction &at;
  IRBuilder<> b;
  bool isWide;
};
} // namespace

static bool isWideFloat(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 16 && vector->getElementType()->isFloatTy();
}

/// One step of Newton's method from 14 bits: y + y/2 (1 - x y^2); of zeros and infinity it would be NaN.
Value *TargetMath::rsqrt(Value *x) {
  Value *y = approximate(Intrinsic::x86_avx512_rsqrt14_ps_512, x);
  Value *rest = fma(b.CreateFNeg(b.CreateFMul(x, y)), y, ConstantFP::get(x->getType(), 1.0));
  Value *refined = fma(b.CreateFMul(y, ConstantFP::get(x->getType(), 0.5)), rest, y);
  return fixUp(refined, x, /*infinity: 0, zero: infinity of its sign*/ 0x00800600);
}

/// The quotient by a reciprocal of 14 bits, and once more that of the remainder.
Value *TargetMath::quotient(Value *num, Value *den) {
  Value *y = approximate(Intrinsic::x86_avx512_rcp14_ps_512, den);
  Value *q = b.CreateFMul(num, y);
  return fma(fma(b.CreateFNeg(q), den, num), y, q);
}

Value *TargetMath::divide() {
  Value *num = at.getOperand(0), *den = at.getOperand(1);
  if (!isWide || !isWideFloat(at.getType()))
    return nullptr;
  auto *root = dyn_cast<IntrinsicInst>(den);
  if (root && root->getIntrinsicID() == Intrinsic::sqrt && PatternMatch::match(num, PatternMatch::m_FPOne()))
    return rsqrt(root->getArgOperand(0));
  return quotient(num, den);
}

Value *TargetMath::positive() {
  using namespace PatternMatch;
  Value *x;
  if (!isWide || !isWideFloat(at.getType()) ||
      !match(&at, m_CombineOr(m_Intrinsic<Intrinsic::maximum>(m_Value(x), m_PosZeroFP()),
                              m_Intrinsic<Intrinsic::maximum>(m_PosZeroFP(), m_Value(x)))))
    return nullptr;
  return fixUp(x, x, /*zeros and what is negative: 0, NaN: quiet*/ 0x18181822);
}

/// Whether nothing but `end` sees what is computed from `value`, in one block and without effects.
static bool onlyReaches(Value *value, Instruction *end) {
  SmallVector<Instruction *> todo;
  SmallPtrSet<Instruction *, 32> seen = {end};
  auto add = [&](Value *v) {
    for (User *user : v->users())
      if (auto *next = cast<Instruction>(user); seen.insert(next).second)
        todo.push_back(next);
  };
  for (add(value); !todo.empty();) {
    Instruction *next = todo.pop_back_val();
    if (next->getParent() != end->getParent() || next->mayHaveSideEffects() || next->isTerminator() || seen.size() > 64)
      return false;
    add(next);
  }
  return true;
}

/// x 2^n. A select of it or 0 is a mask of the instruction: what selects by the same condition before it, lest what is thrown away
/// underflows, is not needed.
Value *TargetMath::scaleWide(Value *x, Value *exponent) {
  using namespace PatternMatch;
  Value *condition, *kept;
  auto *chosen = at.hasOneUse() ? cast<Instruction>(at.user_back()) : nullptr;
  if (chosen && match(chosen, m_Select(m_Value(condition), m_Specific(&at), m_PosZeroFP())))
    for (User *user : condition->users())
      if (auto *other = cast<Instruction>(user);
          other != chosen && match(other, m_Select(m_Specific(condition), m_Value(kept), m_PosZeroFP())) && onlyReaches(other, chosen))
        other->replaceAllUsesWith(kept);
  return b.CreateIntrinsic(Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                           {x, exponent, Constant::getNullValue(at.getType()), b.getInt16(0xffff), b.getInt32(kCurrentRounding)});
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
    Value *exponent = isWideFloat(x->getType()) ? roundedFloat(n) : nullptr;
    return exponent ? scaleWide(x, exponent) : nullptr;
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
      Intrinsic::ID id = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
      bool isRoot = id == Intrinsic::sqrt && at.hasApproxFunc();
      if (id == Intrinsic::ldexp || id == Intrinsic::maximum || isRoot || (at.getOpcode() == Instruction::FDiv && at.hasAllowReciprocal()))
        marked.push_back(&at);
    }
    for (Instruction *at : marked) {
      TargetMath math(*at, isWide);
      Value *better = nullptr;
      if (auto *call = dyn_cast<IntrinsicInst>(at))
        better = call->getIntrinsicID() == Intrinsic::ldexp     ? math.scale()
                 : call->getIntrinsicID() == Intrinsic::maximum ? math.positive()
                                                                : nullptr;
      else
        better = math.divide();
      at->setHasAllowReciprocal(false);
      at->setHasApproxFunc(false);
      if (better) {
        at->replaceAllUsesWith(better);
        at->eraseFromParent();
      }
    }
  }
}
