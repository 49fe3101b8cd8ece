// Matrix products over the workers of a context.
#ifndef RAL_KERNELS_GEMMPRODUCT_H
#define RAL_KERNELS_GEMMPRODUCT_H

#include "kernels/GemmPlan.h"
#include "kernels/PackedConstant.h"

namespace ral {

/// out = lhs x rhs, by the kernels of `packed` where it pays; its panels stand for
/// rhs where it has some. False when memory for the work is missing, which `exec`
/// knows then.
bool productF32(ral_exec *exec, const GemmProblem &problem, PackedRhs packed);
void productF64(ral_exec *exec, const GemmProblem &problem);

} // namespace ral
#endif
