// Convolution kernels for any CPU.
#include "kernels/Conv.h"

using namespace ral;

#ifdef RAL_HAS_X86_KERNELS // 16 registers
static constexpr int kVectors = 2;
#else // 32
static constexpr int kVectors = 4;
#endif
static constexpr int kBytes = 16, kRows = 6, kDepth = 256;
#include "kernels/Conv.inc"

const ConvKernels ral::convKernelsBase = {kLanes, kColumns, convRows,
                                          convDepthwise};
