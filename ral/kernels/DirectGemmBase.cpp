// The direct product for any CPU, and the choice between them.
#include "kernels/DirectGemm.h"

using namespace ral;

static constexpr int kBytes = 16, kRows = 6, kVectors = 2, kDotRows = 2;
#include "kernels/DirectGemm.inc"

void ral::directGemmBase(const DirectProduct &p) { product(p); }

DirectGemmFn ral::directGemm() {
#ifdef RAL_HAS_X86_KERNELS
  static const DirectGemmFn chosen =
      __builtin_cpu_supports("avx512f") ? directGemmAvx512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          ? directGemmAvx2
          : directGemmBase;
  return chosen;
#else
  return directGemmBase;
#endif
}
