// The library functions that come with the runtime.
#include "kernels/Kernels.h"

void ral::registerKernels(ral_context &context) {
  context.calls.set(*internCallName("ral.gemm"), gemm);
}
