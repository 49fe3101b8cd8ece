// Matrix products over the workers of a context.
#ifndef RAL_KERNELS_GEMMPRODUCT_H
#define RAL_KERNELS_GEMMPRODUCT_H

#include "kernels/GemmPlan.h"

struct ral_exec;

namespace ral {

/// out = lhs x rhs; `packed` stands for rhs where it is not null. False when
/// memory for the work is missing, which `exec` knows then.
bool productF32(ral_exec *exec, const GemmProblem &problem,
                const float *packed);
void productF64(ral_exec *exec, const GemmProblem &problem);

} // namespace ral
#endif
