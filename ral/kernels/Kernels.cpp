// The library functions that come with the runtime.
#include "kernels/Kernels.h"
#include "core/Execution.h"

int32_t ral::randomState(ral_exec *exec, const ral_tensor *args, int64_t nargs,
                         const int64_t *, int64_t) {
  if (nargs != 1 || args[0].rank != 1 || args[0].sizes[0] != 2 ||
      args[0].dtype != RAL_U64)
    return exec->fail(RAL_INTERNAL, "ral.random_state: expected a result of "
                                    "type tensor<2xui64>");
  auto *state = static_cast<uint64_t *>(args[0].data);
  state[0] = exec->context.randomStates.fetch_add(1, std::memory_order_relaxed);
  state[1] = 0;
  return 0;
}

void ral::registerKernels(ral_context &context) {
  context.calls.set(*internCallName("ral.gemm"), gemm);
  context.calls.set(*internCallName("ral.stitch"), stitch);
  context.calls.set(*internCallName("ral.conv"), conv);
  context.calls.set(*internCallName("ral.fft"), fft);
  context.calls.set(*internCallName("ral.cholesky"), cholesky);
  context.calls.set(*internCallName("ral.triangular_solve"), triangularSolve);
  context.calls.set(*internCallName("ral.random_state"), randomState);
}
