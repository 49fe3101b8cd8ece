// Expr's operators: each emits one arith or math op.
#include "passes/cpu/scalar/Expr.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace disc::scalar {

Expr constant(ImplicitLocOpBuilder &b, Type type, double value) {
  auto floatType = cast<FloatType>(type);
  llvm::APFloat f(value);
  bool inexact;
  f.convert(floatType.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
            &inexact);
  return Expr(b, arith::ConstantOp::create(b, b.getFloatAttr(type, f)));
}

Expr constantInt(ImplicitLocOpBuilder &b, Type type, const llvm::APInt &value) {
  return Expr(b, arith::ConstantOp::create(b, b.getIntegerAttr(type, value)));
}

Expr Expr::c(double value) const { return constant(*b, type(), value); }
Expr Expr::ci(const llvm::APInt &value) const {
  return constantInt(*b, type(), value);
}
Expr Expr::ci(int64_t value) const {
  return ci(llvm::APInt(width(), static_cast<uint64_t>(value),
                        /*isSigned=*/true, /*implicitTrunc=*/true));
}

#define DISC_BINARY(name, FloatOp, IntOp)                                      \
  Expr name(Expr a, Expr b) {                                                  \
    return a.isFloat() ? a.emit<arith::FloatOp>(a.value(), b.value())          \
                       : a.emit<arith::IntOp>(a.value(), b.value());           \
  }
DISC_BINARY(operator+, AddFOp, AddIOp)
DISC_BINARY(operator-, SubFOp, SubIOp)
DISC_BINARY(operator*, MulFOp, MulIOp)
#undef DISC_BINARY

Expr operator/(Expr a, Expr b) {
  return a.emit<arith::DivFOp>(a.value(), b.value());
}
Expr operator-(Expr a) {
  return a.isFloat() ? a.emit<arith::NegFOp>(a.value()) : a.ci(0) - a;
}
Expr operator&(Expr a, Expr b) {
  return a.emit<arith::AndIOp>(a.value(), b.value());
}
Expr operator|(Expr a, Expr b) {
  return a.emit<arith::OrIOp>(a.value(), b.value());
}
Expr operator^(Expr a, Expr b) {
  return a.emit<arith::XOrIOp>(a.value(), b.value());
}

Expr operator~(Expr a) { return a ^ a.ci(-1); }

Expr shl(Expr a, unsigned n) {
  return a.emit<arith::ShLIOp>(a.value(), a.ci(n).value());
}
Expr lshr(Expr a, unsigned n) {
  return a.emit<arith::ShRUIOp>(a.value(), a.ci(n).value());
}
Expr ashr(Expr a, unsigned n) {
  return a.emit<arith::ShRSIOp>(a.value(), a.ci(n).value());
}

Expr cmp(arith::CmpFPredicate p, Expr a, Expr b) {
  return a.emit<arith::CmpFOp>(p, a.value(), b.value());
}
Expr cmp(arith::CmpIPredicate p, Expr a, Expr b) {
  return a.emit<arith::CmpIOp>(p, a.value(), b.value());
}

#define DISC_COMPARE(name, floatPredicate, intPredicate)                       \
  Expr name(Expr a, Expr b) {                                                  \
    return a.isFloat() ? cmp(arith::CmpFPredicate::floatPredicate, a, b)       \
                       : cmp(arith::CmpIPredicate::intPredicate, a, b);        \
  }
DISC_COMPARE(lt, OLT, slt)
DISC_COMPARE(le, OLE, sle)
DISC_COMPARE(gt, OGT, sgt)
DISC_COMPARE(ge, OGE, sge)
DISC_COMPARE(eq, OEQ, eq)
DISC_COMPARE(ne, UNE, ne)
#undef DISC_COMPARE

Expr ult(Expr a, Expr b) { return cmp(arith::CmpIPredicate::ult, a, b); }
Expr isNan(Expr a) { return cmp(arith::CmpFPredicate::UNO, a, a); }

Expr select(Expr condition, Expr a, Expr b) {
  return condition.emit<arith::SelectOp>(condition.value(), a.value(),
                                         b.value());
}

Expr fma(Expr a, Expr b, Expr c) {
  return a.emit<math::FmaOp>(a.value(), b.value(), c.value());
}

Expr poly(Expr x, llvm::ArrayRef<double> coefficients) {
  Expr r = x.c(coefficients.back());
  for (double k : llvm::reverse(coefficients.drop_back()))
    r = fma(r, x, k);
  return r;
}

Expr abs(Expr a) { return a.emit<math::AbsFOp>(a.value()); }
Expr sqrt(Expr a) { return a.emit<math::SqrtOp>(a.value()); }
Expr floor(Expr a) { return a.emit<math::FloorOp>(a.value()); }
Expr ceil(Expr a) { return a.emit<math::CeilOp>(a.value()); }
Expr trunc(Expr a) { return a.emit<math::TruncOp>(a.value()); }
Expr roundEven(Expr a) { return a.emit<math::RoundEvenOp>(a.value()); }
Expr copysign(Expr magnitude, Expr sign) {
  return magnitude.emit<math::CopySignOp>(magnitude.value(), sign.value());
}

Expr bits(Expr a) {
  return a.emit<arith::BitcastOp>(a.builder().getIntegerType(a.width()),
                                  a.value());
}
Expr fromBits(Expr a, FloatType type) {
  return a.emit<arith::BitcastOp>(type, a.value());
}

Expr pow2(Expr n, FloatType type) {
  unsigned mantissa = type.getFPMantissaWidth() - 1;
  int64_t bias = llvm::APFloat::semanticsMaxExponent(type.getFloatSemantics());
  return fromBits(shl(n + n.ci(bias), mantissa), type);
}

Expr toFloat(Expr a, Type type, bool isUnsigned) {
  return isUnsigned ? a.emit<arith::UIToFPOp>(type, a.value())
                    : a.emit<arith::SIToFPOp>(type, a.value());
}

Expr toInt(Expr a, Type type, bool isUnsigned) {
  return isUnsigned ? a.emit<arith::FPToUIOp>(type, a.value())
                    : a.emit<arith::FPToSIOp>(type, a.value());
}

Expr resize(Expr a, Type intType, bool isUnsigned) {
  if (a.type() == intType)
    return a;
  if (a.type().isIndex() || intType.isIndex()) {
    // index is 64 bits here; the cast itself would sign-extend or truncate.
    return isUnsigned ? a.emit<arith::IndexCastUIOp>(intType, a.value())
                      : a.emit<arith::IndexCastOp>(intType, a.value());
  }
  if (intType.getIntOrFloatBitWidth() < a.width())
    return a.emit<arith::TruncIOp>(intType, a.value());
  return isUnsigned ? a.emit<arith::ExtUIOp>(intType, a.value())
                    : a.emit<arith::ExtSIOp>(intType, a.value());
}

Expr extend(Expr a, Type floatType) {
  return a.type() == floatType ? a
                               : a.emit<arith::ExtFOp>(floatType, a.value());
}
Expr truncate(Expr a, Type floatType) {
  return a.type() == floatType ? a
                               : a.emit<arith::TruncFOp>(floatType, a.value());
}

Expr scaleByPowerOf2(Expr x, Expr n) {
  return Expr(x.builder(), LLVM::LoadExpOp::create(x.builder(), x.type(), x.value(), n.value()).getResult());
}

// Flags that tools/disc-compile/TargetMath.cpp reads and takes off again.
Expr divideFast(Expr num, Expr den) {
  return num.emit<arith::DivFOp>(num.value(), den.value(), arith::FastMathFlags::arcp);
}

Expr rsqrtFast(Expr x) {
  Expr root = x.emit<math::SqrtOp>(x.value(), arith::FastMathFlags::afn);
  return x.emit<arith::DivFOp>(x.c(1.0).value(), root.value(), arith::FastMathFlags::arcp);
}

} // namespace disc::scalar
