// What the families of scalar ops share: the context of one emission and each
// family's table.
#ifndef DISC_PASSES_CPU_SCALAR_FAMILIES_H
#define DISC_PASSES_CPU_SCALAR_FAMILIES_H

#include "passes/cpu/scalar/Expr.h"
#include "llvm/ADT/StringRef.h"

namespace disc::scalar {

/// One op being emitted. Element types are the op's own (ui8, bf16, ...), while
/// the arguments have scalar type.
struct Context {
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  mlir::Type resultElement;

  mlir::Type operandElement(unsigned i = 0) const;
  /// Whether integers of this element type compare, divide, shift and widen as
  /// unsigned (ui*, and i1: a boolean).
  static bool isUnsigned(mlir::Type elementType);
  bool isUnsigned() const { return isUnsigned(operandElement()); }
  bool isBool() const { return operandElement().isInteger(1); }
};

using Args = llvm::ArrayRef<Expr>;
/// Emits one op; a null result says the types are not the family's.
using Emit = Expr (*)(Context &cx, Args args);

/// How the op wants floats of less than 32 bits: widened to f32 with the result
/// rounded once, or as they are.
enum class Narrow { Widen, Keep };

struct Rule {
  Emit emit = nullptr;
  Narrow narrow = Narrow::Widen;
  explicit operator bool() const { return emit; }
};

/// Each family answers for the mnemonics it knows, with StableHLO's and CHLO's
/// names.
Rule arithmeticRule(
    llvm::StringRef name); // add subtract multiply divide remainder maximum
                           // minimum negate abs sign clamp square mulhi
Rule compareRule(llvm::StringRef name); // compare select is_finite is_inf
                                        // is_pos_inf is_neg_inf constant_like
Rule bitwiseRule(
    llvm::StringRef name); // and or xor not shifts popcnt count_leading_zeros
Rule convertRule(
    llvm::StringRef name); // convert bitcast_convert reduce_precision copies
Rule roundingRule(llvm::StringRef name);    // floor ceil round_* next_after
Rule exponentialRule(llvm::StringRef name); // exponential log tanh logistic ...
                                            // and hyperbolic functions
Rule trigonometricRule(
    llvm::StringRef name);              // sine cosine tan atan2 asin acos atan
Rule rootRule(llvm::StringRef name);    // sqrt rsqrt cbrt
Rule erfRule(llvm::StringRef name);     // erf erfc erf_inv
Rule gammaRule(llvm::StringRef name);   // lgamma digamma polygamma zeta
Rule besselRule(llvm::StringRef name);  // bessel_i1e
Rule complexRule(llvm::StringRef name); // complex real imag
/// What the other names mean on complex operands.
Rule complexOperandRule(llvm::StringRef name);

} // namespace disc::scalar

#endif // DISC_PASSES_CPU_SCALAR_FAMILIES_H
