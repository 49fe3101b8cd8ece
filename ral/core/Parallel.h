// The parallel loop of a context.
#ifndef RAL_CORE_PARALLEL_H
#define RAL_CORE_PARALLEL_H

#include "core/OpenMP.h"
#include "disc/ral.h"

#include <atomic>
#include <memory>
#include <string>

namespace ral {

class ThreadPool;

/// A worker's memory ends so many bytes before the next one's begins: no processor
/// reads ahead so far, and takes away what its neighbour writes.
constexpr int64_t kBytesBetweenWorkers = 8192;

class Parallel {
public:
  Parallel();
  ~Parallel();

  /// Chooses the implementation; on failure says why.
  ral_status configure(const ral_context_options &options);

  int64_t workers() const { return numWorkers; }
  const std::string &describe() const { return description; }

  /// Runs fn over [0, n) in contiguous pieces of at least `grain`, or about, on
  /// at most workers() threads; fn gets the number of its thread, below
  /// workers(). Pieces depend on n, grain and workers() alone, which thread runs
  /// one does not. They begin at multiples of 4 where `grain` is one: a kernel
  /// that works on four items at once has the same fours for any number of
  /// workers.
  void run(ral_loop_fn fn, void *args, int64_t n, int64_t grain) const {
    if (n <= 0)
      return;
    grain = grain > 0 ? grain : 1;
    int64_t members = n / grain < numWorkers ? n / grain : numWorkers;
    if (members <= 1)
      return fn(args, 0, n, 0);
    runPieces(fn, args, n, members, grain);
  }

  /// Runs task(arg, i) for i in [0, tasks), tasks <= workers().
  void runTasks(int64_t tasks, void (*task)(void *, int64_t), void *arg) const;

private:
  void runPieces(ral_loop_fn fn, void *args, int64_t n, int64_t members,
                 int64_t grain) const;
  void afterFork() const;

  int64_t numWorkers = 1;
  std::string description = "serial";
  const OpenMP *omp = nullptr;
  mutable std::unique_ptr<ThreadPool> pool; // before `omp`, where both are
  mutable std::atomic<int> generation{0};   // forks before the threads began
  void *user = nullptr;
  void (*parallelFor)(void *, int64_t, void (*)(void *, int64_t),
                      void *) = nullptr;
};

} // namespace ral
#endif
