// The parallel loop of a context.
#include "core/Parallel.h"
#include "core/Status.h"
#include "core/ThreadPool.h"

#include <algorithm>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>

using namespace ral;

namespace {
struct Pieces {
  ral_loop_fn fn;
  void *args;
  int64_t n, pieces, unit;
};
struct Team {
  const OpenMP *omp;
  void (*task)(void *, int64_t);
  void *arg;
  int64_t tasks;
};
} // namespace

/// How many forks lie between the process that loaded the library and this one.
static std::atomic<int> forks{0};

Parallel::Parallel() {
  [[maybe_unused]] static int registered =
      pthread_atfork(nullptr, nullptr, [] { ++forks; });
  generation = forks.load();
}

Parallel::~Parallel() {
  if (generation != forks)
    (void)pool.release(); // its threads are the parent's
}

/// A fork keeps the calling thread alone. OpenMP runtimes may wait for their
/// team for ever then (libgomp does): the child gets threads of its own.
void Parallel::afterFork() const {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (generation == forks)
    return;
  (void)pool.release();
  pool = std::make_unique<ThreadPool>(numWorkers - 1);
  generation = forks.load();
}

static int64_t availableCpus() {
  cpu_set_t set;
  if (!sched_getaffinity(0, sizeof(set), &set))
    return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

ral_status Parallel::configure(const ral_context_options &options) {
  if (options.threads < 0 || options.threads > 4096)
    return makeStatus(RAL_INVALID_ARGUMENT,
                      concat("option `threads`: expected 0 to 4096, got ",
                             options.threads));
  numWorkers = options.threads;
  if (options.parallel_for) {
    parallelFor = options.parallel_for;
    user = options.user;
    description = "callback";
  } else if (options.parallel == RAL_PARALLEL_SERIAL) {
    numWorkers = 1;
  } else if (options.parallel != RAL_PARALLEL_THREADS &&
             (forks == 0 || options.parallel == RAL_PARALLEL_OPENMP) &&
             (omp = OpenMP::find())) {
    description = "openmp " + omp->name;
    if (!numWorkers)
      numWorkers = omp->maxThreads();
  } else if (options.parallel == RAL_PARALLEL_OPENMP) {
    return makeStatus(RAL_NOT_FOUND,
                      "option `parallel`: no OpenMP runtime is loaded, and "
                      "neither libgomp.so.1 nor libomp.so can be",
                      "dlopen");
  } else {
    description = "threads";
  }
  if (numWorkers <= 0)
    numWorkers = availableCpus();
  if (!omp && !parallelFor && numWorkers > 1)
    pool = std::make_unique<ThreadPool>(numWorkers - 1);
  return nullptr;
}

/// The team may be smaller than asked for (nested regions, limits).
static void runTeamMember(void *data) {
  auto *team = static_cast<Team *>(data);
  int64_t step = team->omp->numThreads();
  for (int64_t i = team->omp->threadNum(); i < team->tasks; i += step)
    team->task(team->arg, i);
}

void Parallel::runTasks(int64_t tasks, void (*task)(void *, int64_t),
                        void *arg) const {
  if (tasks <= 1 || (!omp && !parallelFor && !pool)) {
    for (int64_t i = 0; i < tasks; ++i)
      task(arg, i);
    return;
  }
  if (!parallelFor && generation.load(std::memory_order_acquire) != forks)
    afterFork();
  if (parallelFor) {
    parallelFor(user, tasks, task, arg);
  } else if (omp && !pool) {
    Team team{omp, task, arg, tasks};
    omp->parallel(runTeamMember, &team, unsigned(tasks), 0);
  } else {
    pool->run(tasks, task, arg);
  }
}

static void runPiece(void *data, int64_t index) {
  auto *loop = static_cast<Pieces *>(data);
  int64_t units = (loop->n + loop->unit - 1) / loop->unit;
  int64_t quotient = units / loop->pieces, rest = units % loop->pieces;
  int64_t lo = index * quotient + std::min(index, rest);
  int64_t hi = lo + quotient + (index < rest ? 1 : 0);
  loop->fn(loop->args, lo * loop->unit, std::min(hi * loop->unit, loop->n),
           index);
}

void Parallel::runPieces(ral_loop_fn fn, void *args, int64_t n,
                         int64_t pieces, int64_t unit) const {
  Pieces loop{fn, args, n, pieces, unit};
  runTasks(pieces, runPiece, &loop);
}
