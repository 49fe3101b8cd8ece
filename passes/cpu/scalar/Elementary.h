// Straight-line elementary functions on f32 and f64 values: what the families
// build on.
#ifndef DISC_PASSES_CPU_SCALAR_ELEMENTARY_H
#define DISC_PASSES_CPU_SCALAR_ELEMENTARY_H

#include "passes/cpu/scalar/Expr.h"

namespace disc::scalar {

Expr exp(Expr x);
/// exp of min(x, most); NaN passes.
Expr expAtMost(Expr x, double most);
/// exp for arguments whose result is a normal number (or NaN); cheaper.
Expr expBounded(Expr x);
Expr expm1(Expr x);
/// expm1 for arguments in [-80, 0] (or NaN); cheaper. The sign of a zero is lost.
Expr expm1Negative(Expr x);
Expr log(Expr x);
Expr log1p(Expr x);

/// sin and cos of an f32 of any size, computed and returned in f64.
struct SinCos {
  Expr sin;
  Expr cos;
};
SinCos sinCos(Expr x);

/// atan2 of f64 values to about 2^-40, for f32 results.
Expr atan2Double(Expr y, Expr x);

/// An f32 function computed in f64 by `f` and rounded once: for functions whose
/// speed matters less than their accuracy.
template <typename Function> Expr viaDouble(Expr x, Function f) {
  if (x.isF64())
    return f(x);
  return truncate(f(extend(x, x.builder().getF64Type())), x.type());
}

} // namespace disc::scalar

#endif // DISC_PASSES_CPU_SCALAR_ELEMENTARY_H
