// Parallel loops over independent pieces of work that need scratch memory.
#ifndef RAL_KERNELS_BATCH_H
#define RAL_KERNELS_BATCH_H

#include "core/Execution.h"

#include <algorithm>

namespace ral {

/// Runs body(i, scratch) for i in [0, count), `grain` or more of them in a row;
/// `scratch` is memory of `bytes` of the thread. Returns a status code.
template <typename Body>
int32_t forEach(ral_exec *exec, int64_t count, int64_t grain, int64_t bytes,
                const Body &body) {
  struct Job {
    const Body *body;
    char *scratch;
    int64_t bytes;
  };
  const Parallel &parallel = exec->context.parallel;
  grain = std::max<int64_t>(grain, 1);
  bytes = bytes ? (bytes + 63) / 64 * 64 + kBytesBetweenWorkers : 0;
  int64_t total, threads = count / grain > 1 ? parallel.workers() : 1;
  if (count <= 0)
    return RAL_OK;
  if (__builtin_mul_overflow(bytes, threads, &total))
    total = -1; // refused by the allocator
  Job job{&body, static_cast<char *>(exec->alloc(total)), bytes};
  if (!job.scratch)
    return RAL_OUT_OF_MEMORY;
  parallel.run(
      [](void *data, int64_t lo, int64_t hi, int64_t worker) {
        const Job &job = *static_cast<const Job *>(data);
        for (int64_t i = lo; i < hi; ++i)
          (*job.body)(i, job.scratch + worker * job.bytes);
      },
      &job, count, grain);
  exec->dealloc(job.scratch);
  return RAL_OK;
}

} // namespace ral
#endif
