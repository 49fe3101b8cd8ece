// floor, ceil, rounding to integers, and the next float after another.
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

static Expr emitFloor(Context &cx, Args a) { return floor(a[0]); }
static Expr emitCeil(Context &cx, Args a) { return ceil(a[0]); }
static Expr emitRoundEven(Context &cx, Args a) { return roundEven(a[0]); }

/// Halves away from zero: truncation after adding the largest float below one
/// half, which cannot carry a value below .5 over it.
static Expr emitRoundAway(Context &cx, Args a) {
  Expr x = a[0];
  double belowHalf = x.isF64() ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
  return copysign(trunc(x + copysign(x.c(belowHalf), x)), x);
}

/// x moved by one unit in its bits towards y; y itself when equal, NaN when
/// either is.
static Expr emitNextAfter(Context &cx, Args a) {
  Expr x = a[0], y = a[1];
  auto type = cast<FloatType>(cx.resultElement);
  Expr xb = x.isFloat() ? bits(x) : x, yb = y.isFloat() ? bits(y) : y;
  llvm::APInt signMask = llvm::APInt::getSignMask(xb.width());
  llvm::APInt infinity =
      llvm::APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt();
  Expr zero = xb.ci(0), sign = xb.ci(signMask), xm = xb & xb.ci(~signMask),
       ym = yb & yb.ci(~signMask);
  Expr isNan = ult(xb.ci(infinity), xm) | ult(xb.ci(infinity), ym);
  Expr bothZero = eq(xm | ym, zero);
  Expr fromZero = eq(xm, zero);
  // Towards zero when y is smaller in magnitude or of the other sign.
  Expr down = ne(xb & sign, yb & sign) | ult(ym, xm);
  Expr moved = xb + select(down, xb.ci(-1), xb.ci(1));
  moved = select(fromZero, (yb & sign) | xb.ci(1), moved);
  moved = select(eq(xb, yb) | bothZero, yb, moved);
  Expr nan =
      xb.ci(llvm::APFloat::getNaN(type.getFloatSemantics()).bitcastToAPInt());
  moved = select(isNan, nan, moved);
  return x.isFloat() ? fromBits(moved, type) : moved;
}

Rule roundingRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("floor", {emitFloor})
      .Case("ceil", {emitCeil})
      .Case("round_nearest_even", {emitRoundEven})
      .Case("round_nearest_afz", {emitRoundAway})
      .Case("next_after", {emitNextAfter, Narrow::Keep})
      .Default({});
}

} // namespace disc::scalar
