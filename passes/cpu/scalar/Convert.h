// Conversions between element types that other families use too.
#ifndef DISC_PASSES_CPU_SCALAR_CONVERT_H
#define DISC_PASSES_CPU_SCALAR_CONVERT_H

#include "passes/cpu/scalar/Expr.h"

namespace disc::scalar {

/// A scalar of the float type `elementType` (16 bits or fewer) as f32, exactly.
Expr widenFloat(Expr a, mlir::Type elementType);
/// An f32 rounded to nearest even to a float type of 16 bits or fewer, as that
/// type's scalar.
Expr narrowFloat(Expr a, mlir::Type elementType);
/// An f64 rounded to odd to f32: rounding that once more to 16 bits or fewer
/// equals rounding the f64 once.
Expr roundToOdd(Expr a);
/// `dhlo.convert` of one element.
Expr convertElement(Expr a, mlir::Type from, mlir::Type to);

} // namespace disc::scalar

#endif // DISC_PASSES_CPU_SCALAR_CONVERT_H
