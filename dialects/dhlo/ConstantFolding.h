// Elementwise functions applied to constants.
#ifndef DISC_DIALECTS_DHLO_CONSTANTFOLDING_H
#define DISC_DIALECTS_DHLO_CONSTANTFOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::dhlo {

/// Constants with more elements are not folded: the program would grow.
constexpr int64_t kMaxFoldedElements = 65536;

/// Integers of a tensor with the signedness that its element type means; i1 is
/// unsigned.
inline bool isUnsignedElement(Type element) {
  return element.isUnsignedInteger() || element.isSignlessInteger(1);
}

using FoldInts =
    llvm::function_ref<std::optional<APInt>(const APInt &, const APInt &)>;
using FoldFloats = llvm::function_ref<std::optional<APFloat>(const APFloat &,
                                                             const APFloat &)>;

/// The value of an elementwise op on two constants, by the function for the
/// kind of their elements; null when an operand is not constant, when the
/// result is dynamic or large, or when a function does not know.
Attribute foldBinary(Attribute lhs, Attribute rhs, Type result, FoldInts ints,
                     FoldFloats floats);

/// The predicate of two constants, elementwise.
Attribute foldPredicate(
    Attribute lhs, Attribute rhs, Type result,
    llvm::function_ref<bool(const APInt &, const APInt &)> ints,
    llvm::function_ref<bool(const APFloat &, const APFloat &)> floats);

/// `value` converted to the element type of `result` as `dhlo.convert` does.
Attribute foldConvert(Attribute value, Type result);

/// Whether all elements of the constant `value` are the integer, respectively
/// number, `number`. Zero of floats is +0 alone, as -0 behaves differently.
bool isSplatOf(Attribute value, int64_t number);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_CONSTANTFOLDING_H
