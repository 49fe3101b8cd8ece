// Integer division and powers that never trap and, up to 32 bits, vectorise.
#include "passes/cpu/scalar/Integer.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace disc::scalar {

/// Quotient where b is neither 0 nor, for a signed minimum, -1.
static Expr safeQuotient(Expr a, Expr b, bool isUnsigned, bool viaFloat) {
  if (!viaFloat)
    return isUnsigned ? a.emit<arith::DivUIOp>(a.value(), b.value())
                      : a.emit<arith::DivSIOp>(a.value(), b.value());
  // The nearest float to a/b truncates to the true quotient while |a| is below
  // 2^(p-1) for a p-bit significand: the distance of a/b from the next integer
  // is at least 1/|b|, more than the rounding error |a/b| * 2^-p.
  OpBuilder &builder = a.builder();
  Type floatType =
      a.width() <= 16 ? builder.getF32Type() : builder.getF64Type();
  Expr q =
      toFloat(a, floatType, isUnsigned) / toFloat(b, floatType, isUnsigned);
  // A quotient of narrow operands fits i32, which converts in vectors; the last
  // step only drops copies of the sign.
  if (a.width() >= 32)
    return toInt(q, a.type(), isUnsigned);
  return resize(toInt(q, builder.getI32Type(), /*isUnsigned=*/false), a.type(),
                /*isUnsigned=*/false);
}

Division divideInt(Expr a, Expr b, bool isUnsigned) {
  Expr zero = a.ci(0), one = a.ci(1), ones = a.ci(-1);
  llvm::APInt divisor;
  if (matchPattern(b.value(), m_ConstantInt(&divisor)) && !divisor.isZero() &&
      (isUnsigned || !divisor.isAllOnes())) {
    // LLVM turns these into multiplications and shifts.
    Expr q = safeQuotient(a, b, isUnsigned, /*viaFloat=*/false);
    Expr r = isUnsigned ? a.emit<arith::RemUIOp>(a.value(), b.value())
                        : a.emit<arith::RemSIOp>(a.value(), b.value());
    return {q, r};
  }
  Expr byZero = eq(b, zero);
  Expr replaced = byZero;
  if (!isUnsigned) {
    llvm::APInt minimum = llvm::APInt::getSignedMinValue(a.width());
    replaced = byZero | (eq(a, a.ci(minimum)) & eq(b, ones));
  }
  // Dividing by 1 instead gives MIN and 0 for MIN / -1.
  Expr divisorOr1 = select(replaced, one, b);
  Expr q = safeQuotient(a, divisorOr1, isUnsigned,
                        /*viaFloat=*/a.width() <= 32 && !a.type().isIndex());
  return {select(byZero, ones, q), select(byZero, a, a - q * divisorOr1)};
}

Expr powInt(Expr a, Expr b, bool isUnsigned) {
  Expr zero = a.ci(0), one = a.ci(1);
  Expr result = one, base = a;
  for (unsigned i = 0; i < a.width(); ++i) {
    Expr bit = ne(lshr(b, i) & one, zero);
    result = select(bit, result * base, result);
    if (i + 1 < a.width())
      base = base * base;
  }
  if (isUnsigned)
    return result;
  Expr odd = ne(b & one, zero);
  Expr inverse = select(eq(a, one), one,
                        select(eq(a, a.ci(-1)), select(odd, a, one), zero));
  return select(lt(b, zero), inverse, result);
}

} // namespace disc::scalar
