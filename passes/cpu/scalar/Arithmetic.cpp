// add subtract multiply divide remainder maximum minimum negate abs sign clamp
// square mulhi, on integers, booleans and floats.
#include "passes/cpu/scalar/Families.h"
#include "passes/cpu/scalar/Integer.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace disc::scalar {

// Booleans: + is or, * is and.
static Expr emitAdd(Context &cx, Args a) {
  return cx.isBool() ? a[0] | a[1] : a[0] + a[1];
}
static Expr emitSubtract(Context &cx, Args a) { return a[0] - a[1]; }
static Expr emitMultiply(Context &cx, Args a) {
  return cx.isBool() ? a[0] & a[1] : a[0] * a[1];
}

static Expr emitDivide(Context &cx, Args a) {
  return a[0].isFloat() ? a[0] / a[1]
                        : divideInt(a[0], a[1], cx.isUnsigned()).quotient;
}

static Expr emitRemainder(Context &cx, Args a) {
  if (a[0].isFloat()) // C's fmod: exact, with the sign of the dividend
    return a[0].emit<arith::RemFOp>(a[0].value(), a[1].value());
  return divideInt(a[0], a[1], cx.isUnsigned()).remainder;
}

/// NaN wins and -0 < +0, as IEEE 754's maximum has it.
static Expr maximum(Expr a, Expr b, bool isUnsigned) {
  if (a.isFloat())
    return a.emit<arith::MaximumFOp>(a.value(), b.value());
  return isUnsigned ? a.emit<arith::MaxUIOp>(a.value(), b.value())
                    : a.emit<arith::MaxSIOp>(a.value(), b.value());
}

static Expr minimum(Expr a, Expr b, bool isUnsigned) {
  if (a.isFloat())
    return a.emit<arith::MinimumFOp>(a.value(), b.value());
  return isUnsigned ? a.emit<arith::MinUIOp>(a.value(), b.value())
                    : a.emit<arith::MinSIOp>(a.value(), b.value());
}

static Expr emitMaximum(Context &cx, Args a) {
  return maximum(a[0], a[1], cx.isUnsigned());
}
static Expr emitMinimum(Context &cx, Args a) {
  return minimum(a[0], a[1], cx.isUnsigned());
}

static Expr emitClamp(Context &cx, Args a) {
  return minimum(maximum(a[1], a[0], cx.isUnsigned()), a[2], cx.isUnsigned());
}

static Expr emitNegate(Context &cx, Args a) { return -a[0]; }

static Expr emitAbs(Context &cx, Args a) {
  if (a[0].isFloat())
    return abs(a[0]);
  return cx.isUnsigned() ? a[0] : select(lt(a[0], a[0].ci(0)), -a[0], a[0]);
}

static Expr emitSign(Context &cx, Args a) {
  Expr x = a[0];
  if (x.isFloat()) // NaN, +0 and -0 stay as they are
    return select(cmp(arith::CmpFPredicate::ONE, x, x.c(0)),
                  copysign(x.c(1), x), x);
  Expr positive = select(ne(x, x.ci(0)), x.ci(1), x.ci(0));
  return cx.isUnsigned() ? positive
                         : select(lt(x, x.ci(0)), x.ci(-1), positive);
}

static Expr emitSquare(Context &cx, Args a) { return a[0] * a[0]; }

/// The upper half of the product at double width.
static Expr emitMulhi(Context &cx, Args a) {
  if (a[0].width() == 64) {
    OpBuilder &b = cx.b;
    auto high = [&](auto op) { return Expr(cx.b, op.getResult(1)); };
    return cx.isUnsigned() ? high(arith::MulUIExtendedOp::create(
                                 b, cx.b.getLoc(), a[0].value(), a[1].value()))
                           : high(arith::MulSIExtendedOp::create(
                                 b, cx.b.getLoc(), a[0].value(), a[1].value()));
  }
  Type wide = cx.b.getI64Type();
  Expr product =
      resize(a[0], wide, cx.isUnsigned()) * resize(a[1], wide, cx.isUnsigned());
  return resize(lshr(product, a[0].width()), a[0].type(), /*isUnsigned=*/true);
}

Rule arithmeticRule(StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("add", {emitAdd})
      .Case("subtract", {emitSubtract})
      .Case("multiply", {emitMultiply})
      .Case("divide", {emitDivide})
      .Case("remainder", {emitRemainder})
      .Case("maximum", {emitMaximum})
      .Case("minimum", {emitMinimum})
      .Case("clamp", {emitClamp})
      .Case("negate", {emitNegate})
      .Case("abs", {emitAbs})
      .Case("sign", {emitSign})
      .Case("square", {emitSquare})
      .Case("mulhi", {emitMulhi})
      .Default({});
}

} // namespace disc::scalar
