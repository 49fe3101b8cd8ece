// compare, select, constants, and the questions about finiteness.
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/scalar/ComplexParts.h"
#include "passes/cpu/scalar/Convert.h"
#include "passes/cpu/scalar/Families.h"

#include "dialects/dhlo/Dhlo.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using mlir::dhlo::ComparisonDirection;
using mlir::dhlo::ComparisonType;

namespace disc::scalar {

static arith::CmpFPredicate floatPredicate(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return arith::CmpFPredicate::OEQ;
  case ComparisonDirection::NE:
    return arith::CmpFPredicate::UNE;
  case ComparisonDirection::LT:
    return arith::CmpFPredicate::OLT;
  case ComparisonDirection::LE:
    return arith::CmpFPredicate::OLE;
  case ComparisonDirection::GT:
    return arith::CmpFPredicate::OGT;
  case ComparisonDirection::GE:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("unknown direction");
}

static arith::CmpIPredicate intPredicate(ComparisonDirection direction,
                                         bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (direction) {
  case ComparisonDirection::EQ:
    return P::eq;
  case ComparisonDirection::NE:
    return P::ne;
  case ComparisonDirection::LT:
    return isUnsigned ? P::ult : P::slt;
  case ComparisonDirection::LE:
    return isUnsigned ? P::ule : P::sle;
  case ComparisonDirection::GT:
    return isUnsigned ? P::ugt : P::sgt;
  case ComparisonDirection::GE:
    return isUnsigned ? P::uge : P::sge;
  }
  llvm_unreachable("unknown direction");
}

/// Integers that order as IEEE's totalOrder: -NaN < -inf < ... < -0 < +0 < ...
/// < inf < NaN.
static Expr totalOrderKey(Expr a) {
  Expr x = a.isFloat() ? bits(a) : a;
  return x ^ (ashr(x, x.width() - 1) &
              x.ci(llvm::APInt::getSignedMaxValue(x.width())));
}

static Expr emitCompare(Context &cx, Args a) {
  auto op = cast<mlir::dhlo::CompareOp>(cx.op);
  ComparisonDirection direction = op.getComparisonDirection();
  Type element = cx.operandElement();
  if (isa<ComplexType>(element)) { // only EQ and NE
    Parts x = split(a[0]), y = split(a[1]);
    Expr equal = eq(x.re, y.re) & eq(x.im, y.im);
    return direction == ComparisonDirection::EQ ? equal : ~equal;
  }
  if (!isa<FloatType>(element))
    return cmp(intPredicate(direction, cx.isUnsigned()), a[0], a[1]);
  if (op.getCompareType() == ComparisonType::TOTALORDER)
    return cmp(intPredicate(direction, /*isUnsigned=*/false),
               totalOrderKey(a[0]), totalOrderKey(a[1]));
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  Expr x = isNarrow ? widenFloat(a[0], element) : a[0],
       y = isNarrow ? widenFloat(a[1], element) : a[1];
  return cmp(floatPredicate(direction), x, y);
}

static Expr emitSelect(Context &cx, Args a) { return select(a[0], a[1], a[2]); }

static Expr emitIsFinite(Context &cx, Args a) {
  return lt(abs(a[0]), a[0].inf());
}
static Expr emitIsInf(Context &cx, Args a) { return eq(abs(a[0]), a[0].inf()); }
static Expr emitIsPosInf(Context &cx, Args a) { return eq(a[0], a[0].inf()); }
static Expr emitIsNegInf(Context &cx, Args a) { return eq(a[0], -a[0].inf()); }

static Expr emitConstantLike(Context &cx, Args a) {
  Attribute value = cast<mlir::dhlo::ConstantLikeOp>(cx.op).getValue();
  return Expr(cx.b,
              emitConstantScalar(cx.b, cx.b.getLoc(), value, cx.resultElement));
}

Rule compareRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("compare", {emitCompare, Narrow::Keep})
      .Case("select", {emitSelect, Narrow::Keep})
      .Case("constant_like", {emitConstantLike, Narrow::Keep})
      .Case("is_finite", {emitIsFinite})
      .Case("is_inf", {emitIsInf})
      .Case("is_pos_inf", {emitIsPosInf})
      .Case("is_neg_inf", {emitIsNegInf})
      .Default({});
}

} // namespace disc::scalar
