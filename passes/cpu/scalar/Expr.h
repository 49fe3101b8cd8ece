// A thin value wrapper with operators, in which the scalar families write
// arithmetic as it stands on paper.
#ifndef DISC_PASSES_CPU_SCALAR_EXPR_H
#define DISC_PASSES_CPU_SCALAR_EXPR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include <limits>

namespace disc::scalar {

/// One SSA scalar and the builder that made it. Operators emit arith ops by the
/// type: float or integer.
class Expr {
public:
  Expr() = default;
  Expr(mlir::ImplicitLocOpBuilder &builder, mlir::Value value)
      : b(&builder), v(value) {}

  explicit operator bool() const { return static_cast<bool>(v); }
  mlir::Value value() const { return v; }
  mlir::Type type() const { return v.getType(); }
  mlir::ImplicitLocOpBuilder &builder() const { return *b; }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(type()); }
  bool isF64() const { return type().isF64(); }
  bool isComplex() const { return mlir::isa<mlir::ComplexType>(type()); }
  /// Bits of the type; index counts as 64.
  unsigned width() const {
    return type().isIndex() ? 64 : type().getIntOrFloatBitWidth();
  }

  /// A constant of this expression's type. Floats are rounded to it once.
  Expr c(double value) const;
  Expr ci(int64_t value) const;
  Expr ci(const llvm::APInt &value) const;
  Expr inf() const { return c(std::numeric_limits<double>::infinity()); }
  Expr nan() const { return c(std::numeric_limits<double>::quiet_NaN()); }

  template <typename Op, typename... Args> Expr emit(Args &&...args) const {
    return Expr(*b, b->createOrFold<Op>(std::forward<Args>(args)...));
  }

private:
  mlir::ImplicitLocOpBuilder *b = nullptr;
  mlir::Value v;
};

Expr constant(mlir::ImplicitLocOpBuilder &b, mlir::Type type, double value);
Expr constantInt(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                 const llvm::APInt &value);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b); // floats only: integers divide in Integer.cpp
Expr operator-(Expr a);
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr operator~(Expr a);
inline Expr operator+(Expr a, double b) { return a + a.c(b); }
inline Expr operator-(Expr a, double b) { return a - a.c(b); }
inline Expr operator*(Expr a, double b) { return a * a.c(b); }
inline Expr operator/(Expr a, double b) { return a / a.c(b); }
inline Expr operator+(double a, Expr b) { return b.c(a) + b; }
inline Expr operator-(double a, Expr b) { return b.c(a) - b; }
inline Expr operator*(double a, Expr b) { return b.c(a) * b; }
inline Expr operator/(double a, Expr b) { return b.c(a) / b; }

/// Shifts by a constant smaller than the width.
Expr shl(Expr a, unsigned n);
Expr lshr(Expr a, unsigned n);
Expr ashr(Expr a, unsigned n);

/// Comparisons. Floats: `lt` to `eq` are ordered (false on NaN), `ne` is
/// unordered (true on NaN). Integers: signed; `u` forms unsigned.
Expr cmp(mlir::arith::CmpFPredicate p, Expr a, Expr b);
Expr cmp(mlir::arith::CmpIPredicate p, Expr a, Expr b);
Expr lt(Expr a, Expr b);
Expr le(Expr a, Expr b);
Expr gt(Expr a, Expr b);
Expr ge(Expr a, Expr b);
Expr eq(Expr a, Expr b);
Expr ne(Expr a, Expr b);
Expr ult(Expr a, Expr b);
inline Expr lt(Expr a, double b) { return lt(a, a.c(b)); }
inline Expr le(Expr a, double b) { return le(a, a.c(b)); }
inline Expr gt(Expr a, double b) { return gt(a, a.c(b)); }
inline Expr ge(Expr a, double b) { return ge(a, a.c(b)); }
inline Expr eq(Expr a, double b) { return eq(a, a.c(b)); }
Expr isNan(Expr a);

Expr select(Expr condition, Expr a, Expr b);
inline Expr select(Expr condition, double a, Expr b) {
  return select(condition, b.c(a), b);
}
inline Expr select(Expr condition, Expr a, double b) {
  return select(condition, a, a.c(b));
}

/// a * b + c, rounded once.
Expr fma(Expr a, Expr b, Expr c);
inline Expr fma(Expr a, Expr b, double d) { return fma(a, b, a.c(d)); }
inline Expr fma(Expr a, double b, Expr d) { return fma(a, a.c(b), d); }
inline Expr fma(Expr a, double b, double d) { return fma(a, a.c(b), a.c(d)); }
/// The polynomial with these coefficients, lowest power first, by Horner's rule
/// on fma.
Expr poly(Expr x, llvm::ArrayRef<double> coefficients);

Expr abs(Expr a);
Expr sqrt(Expr a);
Expr floor(Expr a);
Expr ceil(Expr a);
Expr trunc(Expr a);
Expr roundEven(Expr a);
Expr copysign(Expr magnitude, Expr sign);

/// The float's bits as an integer of its width, and back.
Expr bits(Expr a);
Expr fromBits(Expr a, mlir::FloatType type);
/// 2^n for an integer n in the range of normal numbers, as a float of n's
/// width.
Expr pow2(Expr n, mlir::FloatType type);

/// x * 2^n, rounded once; n is an i32 in [-300, 300], x an f32.
Expr scaleByPowerOf2(Expr x, Expr n);
/// num / den for den in [1, 2^32] and |num| <= den, within 0.57 ulp: targets may go through an approximate reciprocal. f32.
Expr divideFast(Expr num, Expr den);
/// 1 / sqrt(x), within 1.5 ulp: targets may refine an approximation. f32 and f64.
Expr rsqrtFast(Expr x);

/// Changes of width and kind; `toInt` wants a value in range.
Expr toFloat(Expr a, mlir::Type type, bool isUnsigned = false);
Expr toInt(Expr a, mlir::Type type, bool isUnsigned = false);
Expr resize(Expr a, mlir::Type intType, bool isUnsigned);
Expr extend(Expr a, mlir::Type floatType);   // arith.extf
Expr truncate(Expr a, mlir::Type floatType); // arith.truncf: f64 -> f32 only

} // namespace disc::scalar

#endif // DISC_PASSES_CPU_SCALAR_EXPR_H
