// Constants of a program as packed right operands of products.
#include "kernels/PackedConstant.h"

#include "core/Execution.h"
#include "kernels/HalfFloat.h"
#include "kernels/KernelSet.h"

using namespace ral;

namespace {
struct Job {
  PackSource source;
  const PackedGemm &kernels;
  void *to;
};
} // namespace

static void packPanels(void *data, int64_t lo, int64_t hi, int64_t) {
  const Job &job = *static_cast<Job *>(data);
  int64_t panel = job.kernels.panel, end = hi * panel;
  job.kernels.pack(job.source, lo * panel,
                   end < job.source.n ? end : job.source.n, job.to);
}

/// Packs to `to`; false when memory for the conversion is missing.
static bool packWide(const ral_context &context, PackSource source,
                     int64_t count, int32_t dtype,
                     const PackedGemm &kernels, void *to) {
  Block *wide = nullptr;
  if (dtype != RAL_F32) {
    const char *error;
    wide = context.pool->allocate(count * int64_t(sizeof(float)), &error);
    if (!wide)
      return false;
    widenHalf(context.parallel, dtype,
              reinterpret_cast<const uint16_t *>(source.data),
              static_cast<float *>(wide->data()), count);
    source.data = static_cast<float *>(wide->data());
  }
  Job job{source, kernels, to};
  context.parallel.run(packPanels, &job,
                       (source.n + kernels.panel - 1) / kernels.panel, 1);
  if (wide)
    context.pool->release(wide);
  return true;
}

const PackedGemm &ral::kernelsFor(const ral_exec *exec, int32_t dtype) {
  bool bf16 = dtype == RAL_BF16 ||
              (dtype == RAL_F32 && exec->program->signature.bf16Products);
  const KernelSet &set = *exec->context.kernels;
  return bf16 ? set.packedBf16() : *set.packed;
}

PackedRhs ral::packedConstant(ral_exec *exec, const PackSource &source,
                              int32_t dtype) {
  const PackedGemm &kernels = kernelsFor(exec, dtype);
  PackedRhs none{&kernels};
  if (source.k == 0 || source.n < kFewColumns)
    return none;
  ral_program &program = *exec->program;
  Derived::Key key{source.data,
                   {source.k, source.n, source.ld, source.transposed, dtype}};
  if (const void *found = program.derived.find(key))
    return {&kernels, found};
  int64_t rows = source.transposed ? source.n : source.k;
  int64_t columns = source.transposed ? source.k : source.n;
  int64_t count = (rows - 1) * source.ld + columns;
  if (!program.isConstant(source.data, count * ral_dtype_bytes(dtype)))
    return none;
  // A constant is packed in a form or two, not in ever new ones.
  int64_t bytes = kernels.packedBytes(source.k, source.n);
  if (program.derived.bytes() + bytes > 4 * program.constantBytes)
    return none;
  const ral_context &context = exec->context;
  const char *error;
  Block *block = context.pool->allocate(bytes, &error);
  if (!block)
    return none;
  if (!packWide(context, source, count, dtype, kernels, block->data())) {
    context.pool->release(block);
    return none;
  }
  return {&kernels, program.derived.keep(key, block)};
}
