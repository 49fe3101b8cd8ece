// Arithmetic on complex numbers held as two real scalars.
#ifndef DISC_PASSES_CPU_SCALAR_COMPLEXPARTS_H
#define DISC_PASSES_CPU_SCALAR_COMPLEXPARTS_H

#include "passes/cpu/scalar/Expr.h"

namespace disc::scalar {

struct Parts {
  Expr re;
  Expr im;
};

Parts split(Expr z);
Expr join(Parts z);
/// Both parts as f64, and back to the element type of `type`.
Parts widen(Parts z);
Expr joinAs(Parts z, mlir::Type complexType);

Parts operator+(Parts a, Parts b);
Parts operator-(Parts a, Parts b);
Parts operator*(Parts a, Parts b);
/// Smith's algorithm: no overflow on the way.
Parts operator/(Parts a, Parts b);
inline Parts operator-(Parts a) { return {-a.re, -a.im}; }
inline Parts conj(Parts a) { return {a.re, -a.im}; }
/// a times i, and a times -i.
inline Parts timesI(Parts a) { return {-a.im, a.re}; }
inline Parts timesMinusI(Parts a) { return {a.im, -a.re}; }

Expr hypot(Parts a);
Parts sqrt(Parts a);
Parts exp(Parts a);
Parts log(Parts a);
Parts log1p(Parts a);

} // namespace disc::scalar

#endif // DISC_PASSES_CPU_SCALAR_COMPLEXPARTS_H
