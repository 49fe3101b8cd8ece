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

/// "ral.stitch": products and kernels that keep to their rows (see
/// lmhlo_disc.stitch). args are lhs [B?, M, K], rhs, out of each product, f32; of
/// block buffers `data` is null. ints: see readStitch in Stitch.cpp.
int32_t stitch(ral_exec *exec, const ral_tensor *args, int64_t nargs,
               const int64_t *ints, int64_t nints);

/// "ral.conv": args lhs [N, spatial..., C], rhs (any order of dimensions), low
/// and high padding [spatial dimensions, 2] (i32, i64 or index; may be left out),
/// out [N, spatial..., F]; all f32, f16 or bf16. ints = {spatial dimensions (1 to
/// 3), feature groups, rhs's dimension of input features, of output features, of
/// each spatial one; for each spatial one: stride, lhs dilation, rhs dilation,
/// reversed, low padding}.
int32_t conv(ral_exec *exec, const ral_tensor *args, int64_t nargs,
             const int64_t *ints, int64_t nints);

/// "ral.fft": args in, out of one rank, f32/c64 or f64/c128: transforms over the
/// last dimensions. ints = {inverse, length of each dimension}; real input gives
/// and real output takes the first half of the spectrum. Inverse ones divide by
/// the lengths.
int32_t fft(ral_exec *exec, const ral_tensor *args, int64_t nargs,
            const int64_t *ints, int64_t nints);

/// "ral.cholesky": args a [B..., N, N], out; f32, f64, c64 or c128; ints =
/// {lower}. Reads that triangle; the other one of the result is 0. NaN where
/// `a` is not positive definite.
int32_t cholesky(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                 const int64_t *ints, int64_t nints);

/// "ral.triangular_solve": args a [B..., N, N], b, out; op(a) x = b with b
/// [B..., N, M], or x op(a) = b with b [B..., M, N]; f32, f64, c64 or c128. ints =
/// {left, lower, unit diagonal, transpose, conjugate}.
int32_t triangularSolve(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                        const int64_t *ints, int64_t nints);

/// "ral.random_state": out ui64 [2], different in each call of a context and the
/// same in equal sequences of calls.
int32_t randomState(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                    const int64_t *ints, int64_t nints);

} // namespace ral
#endif
