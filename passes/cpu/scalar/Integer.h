// Integer division and powers that never trap.
#ifndef DISC_PASSES_CPU_SCALAR_INTEGER_H
#define DISC_PASSES_CPU_SCALAR_INTEGER_H

#include "passes/cpu/scalar/Expr.h"

namespace disc::scalar {

struct Division {
  Expr quotient;
  Expr remainder;
};

/// Truncating division: x / 0 is all ones and x rem 0 is x; MIN / -1 is MIN and
/// its remainder 0.
Division divideInt(Expr a, Expr b, bool isUnsigned);

/// a to the power b, wrapping. A negative b gives 1 for a = 1, +-1 for a = -1,
/// and 0 otherwise.
Expr powInt(Expr a, Expr b, bool isUnsigned);

} // namespace disc::scalar

#endif // DISC_PASSES_CPU_SCALAR_INTEGER_H
