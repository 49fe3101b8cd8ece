// The weights of convolutions as the kernels read them.
#include "kernels/ConvWeights.h"

#include "core/Execution.h"
#include "core/Tensor.h"
#include "kernels/HalfFloat.h"
#include "kernels/KernelSet.h"

using namespace ral;

/// What the packed form depends on beside the sizes, in one number; -1 when a
/// number is too large for that.
static int64_t codeOf(const ConvProblem &p, const ral_tensor &rhs, int64_t orders) {
  if (p.groups >= int64_t(1) << 32)
    return -1;
  int64_t reversed = 0;
  for (const ConvDim &dim : p.dims)
    reversed = reversed * 2 + dim.reversed;
  return ((p.groups * 32 + rhs.dtype) * 8 + reversed) * 32768 + orders;
}

/// Packs into a block of the pool: an execution's memory does not outlive it.
static Block *pack(const ral_context &context, const ConvProblem &p,
                   const ral_tensor &rhs) {
  const ConvKernels &kernels = *context.kernels->conv;
  const char *error;
  int64_t count = elementCount(rhs.sizes, rhs.rank);
  int64_t size = sizeof(float);
  Block *wide = nullptr;
  auto *from = static_cast<const float *>(rhs.data);
  if (rhs.dtype != RAL_F32) {
    wide = context.pool->allocate(count * size, &error);
    if (!wide)
      return nullptr;
    widenHalf(context.parallel, rhs.dtype,
              static_cast<const uint16_t *>(rhs.data),
              static_cast<float *>(wide->data()), count);
    from = static_cast<float *>(wide->data());
  }
  Block *packed =
      context.pool->allocate(packedConvElements(p, kernels) * size, &error);
  struct Packing {
    const ConvProblem &p;
    const ConvKernels &kernels;
    const float *from;
    float *to;
  } packing{p, kernels, from, packed ? static_cast<float *>(packed->data()) : nullptr};
  if (packed)
    context.parallel.run(
        [](void *data, int64_t lo, int64_t hi, int64_t) {
          const Packing &packing = *static_cast<Packing *>(data);
          packConvWeights(packing.p, packing.kernels, packing.from, packing.to, lo,
                          hi);
        },
        &packing, planConv(p, kernels, 1).panels, 1);
  if (wide)
    context.pool->release(wide);
  return packed;
}

ConvWeights::ConvWeights(ral_exec *exec, const ConvProblem &p,
                         const ral_tensor &rhs, int64_t orders)
    : pool(*exec->context.pool) {
  ral_program *program = exec->program;
  int64_t code = codeOf(p, rhs, orders);
  // The last number tells it from the forms of matrices.
  Derived::Key key{rhs.data, {code, p.groupChannels(), p.features,
                              p.taps() * 4096 + p.dims[2].kernel, -p.dims[1].kernel - 1}};
  bool keeps = program && code >= 0 && p.dims[2].kernel < 4096;
  if (keeps)
    if (const void *found = program->derived.find(key)) {
      data = static_cast<const float *>(found);
      return;
    }
  block = pack(exec->context, p, rhs);
  if (!block)
    return;
  data = static_cast<const float *>(block->data());
  int64_t bytes = byteCount(rhs.sizes, rhs.rank, rhs.dtype);
  if (!keeps || !program->isConstant(rhs.data, bytes) ||
      program->derived.bytes() + block->bytes > 4 * program->constantBytes)
    return;
  if (const void *kept = program->derived.keep(key, block)) {
    data = static_cast<const float *>(kept);
    block = nullptr;
    return;
  }
  block = nullptr; // keep has released it
  data = nullptr;
}

ConvWeights::~ConvWeights() {
  if (block)
    pool.release(block);
}
