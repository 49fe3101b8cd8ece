// Einstein's notation as products, sums and transposes.
#ifndef DISC_PASSES_INPUT_EINSUM_H
#define DISC_PASSES_INPUT_EINSUM_H

#include "dialects/dhlo/Dhlo.h"

namespace disc {

/// einsum "ij,jk->ik" -> dot_general, transposed to the order of the result.
void expandEinsum(mlir::dhlo::EinsumOp einsum);

/// unary_einsum "ijj->i" -> the diagonal, summed and transposed.
void expandUnaryEinsum(mlir::dhlo::UnaryEinsumOp einsum);

} // namespace disc

#endif // DISC_PASSES_INPUT_EINSUM_H
