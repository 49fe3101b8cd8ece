// Convolution kernels for any CPU.
#include "kernels/Conv.h"

using namespace ral;

static constexpr int kBytes = 16, kRows = 6, kVectors = 2, kDepth = 256;
#include "kernels/Conv.inc"

const ConvKernels ral::convKernelsBase = {kLanes, kColumns, convRows,
                                          convDepthwise};
