// Conversion between f32 and the 16-bit floating-point types.
#ifndef RAL_KERNELS_HALFFLOAT_H
#define RAL_KERNELS_HALFFLOAT_H

#include "core/Parallel.h"

namespace ral {

/// `dtype` is RAL_F16 or RAL_BF16.
void widenHalf(const Parallel &parallel, int32_t dtype, const uint16_t *from,
               float *to, int64_t count);
/// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN.
void narrowHalf(const Parallel &parallel, int32_t dtype, const float *from,
                uint16_t *to, int64_t count);

} // namespace ral
#endif
