// and or xor not, shifts by any amount, population count and leading zeros.
#include "passes/cpu/scalar/Families.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

static Expr emitAnd(Context &cx, Args a) { return a[0] & a[1]; }
static Expr emitOr(Context &cx, Args a) { return a[0] | a[1]; }
static Expr emitXor(Context &cx, Args a) { return a[0] ^ a[1]; }
static Expr emitNot(Context &cx, Args a) { return a[0] ^ a[0].ci(-1); }

/// Amounts are unsigned: one of the width or more (or a negative one) shifts
/// everything out.
static Expr inRange(Args a) { return ult(a[1], a[1].ci(a[1].width())); }

static Expr emitShiftLeft(Context &cx, Args a) {
  return select(inRange(a),
                a[0].emit<arith::ShLIOp>(a[0].value(), a[1].value()),
                a[0].ci(0));
}

static Expr emitShiftRightLogical(Context &cx, Args a) {
  return select(inRange(a),
                a[0].emit<arith::ShRUIOp>(a[0].value(), a[1].value()),
                a[0].ci(0));
}

static Expr emitShiftRightArithmetic(Context &cx, Args a) {
  Expr amount = select(inRange(a), a[1], a[1].ci(a[1].width() - 1));
  return a[0].emit<arith::ShRSIOp>(a[0].value(), amount.value());
}

static Expr emitPopulationCount(Context &cx, Args a) {
  return a[0].emit<math::CtPopOp>(a[0].value());
}
static Expr emitLeadingZeros(Context &cx, Args a) {
  return a[0].emit<math::CountLeadingZerosOp>(a[0].value());
}

Rule bitwiseRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("and", {emitAnd})
      .Case("or", {emitOr})
      .Case("xor", {emitXor})
      .Case("not", {emitNot})
      .Case("shift_left", {emitShiftLeft})
      .Case("shift_right_logical", {emitShiftRightLogical})
      .Case("shift_right_arithmetic", {emitShiftRightArithmetic})
      .Case("popcnt", {emitPopulationCount})
      .Case("count_leading_zeros", {emitLeadingZeros})
      .Default({});
}

} // namespace disc::scalar
