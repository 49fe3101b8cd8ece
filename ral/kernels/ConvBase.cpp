// Convolution kernels for any CPU, and the choice between them.
#include "kernels/Conv.h"

using namespace ral;

static constexpr int kBytes = 16, kRows = 6, kVectors = 2, kDepth = 256;
#include "kernels/Conv.inc"

const ConvKernels ral::convKernelsBase = {kLanes, kColumns, convRows,
                                          convDepthwise};

const ConvKernels &ral::convKernels() {
#ifdef RAL_HAS_X86_KERNELS
  static const ConvKernels &chosen =
      __builtin_cpu_supports("avx512f") ? convKernelsAvx512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
          ? convKernelsAvx2
          : convKernelsBase;
  return chosen;
#else
  return convKernelsBase;
#endif
}
