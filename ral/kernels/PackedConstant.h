// Constants of a program as packed right operands of products.
#ifndef RAL_KERNELS_PACKEDCONSTANT_H
#define RAL_KERNELS_PACKEDCONSTANT_H

#include "kernels/PackedGemm.h"

struct ral_exec;

namespace ral {

/// Products of fewer columns are faster as dot products of rows.
constexpr int64_t kFewColumns = 8;

/// The packed form of a matrix of element type `dtype` (f32, f16, bf16), made on
/// its first use and kept with the program, for the kernels of packedGemm().
/// Null where the matrix does not lie in a constant of the program, has few
/// columns, or there is no memory: read it as it is then.
const float *packedConstant(ral_exec *exec, const PackSource &source,
                            int32_t dtype);

} // namespace ral
#endif
