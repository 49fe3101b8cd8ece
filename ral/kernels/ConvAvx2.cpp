// Convolution kernels with AVX2 and FMA.
#include "kernels/Conv.h"

using namespace ral;

static constexpr int kBytes = 32, kRows = 6, kVectors = 2, kDepth = 256;
#include "kernels/Conv.inc"

const ConvKernels ral::convKernelsAvx2 = {kLanes, kColumns, convRows,
                                          convDepthwise};
