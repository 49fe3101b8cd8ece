// Our own matrix product for sizes where a library's packing costs more than
// it saves: few rows, or a short inner dimension.
#ifndef RAL_KERNELS_DIRECTGEMM_H
#define RAL_KERNELS_DIRECTGEMM_H

#include <cstdint>

namespace ral {

/// c [m, n] = a [m, k] x b; b is [k, n], or [n, k] when bTransposed. Rows are
/// contiguous, ld* are the distances between them.
struct DirectProduct {
  const float *a, *b;
  float *c;
  int64_t lda, ldb, ldc;
  int64_t m, n, k;
  bool bTransposed;
};

using DirectGemmFn = void (*)(const DirectProduct &);

// One for each instruction set; KernelSet.h chooses.
void directGemmBase(const DirectProduct &);
void directGemmAvx2(const DirectProduct &);
void directGemmAvx512(const DirectProduct &);

} // namespace ral
#endif
