// Convolution kernels with AVX-512.
#include "kernels/Conv.h"

using namespace ral;

static constexpr int kBytes = 64, kRows = 6, kVectors = 4, kDepth = 128;
#include "kernels/Conv.inc"

const ConvKernels ral::convKernelsAvx512 = {kLanes, kColumns, convRows,
                                            convDepthwise};
