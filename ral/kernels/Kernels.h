// The library functions that come with the runtime.
#ifndef RAL_KERNELS_KERNELS_H
#define RAL_KERNELS_KERNELS_H

#include "core/Context.h"

namespace ral {

void registerKernels(ral_context &context);

/// "ral.gemm": args lhs [B..., M, K], rhs [B..., K, N], out [B..., M, N], all
/// f32, f64, f16 or bf16; ints = {transpose lhs, transpose rhs}. Operands may be
/// strided: where rows or columns are contiguous they are read in place.
int32_t gemm(ral_exec *exec, const ral_tensor *args, int64_t nargs,
             const int64_t *ints, int64_t nints);

} // namespace ral
#endif
