// The parallel loop of a context.
#include "core/Parallel.h"
#include "core/Range.h"
#include "core/Status.h"
#include "core/ThreadPool.h"

#include <algorithm>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <thread>

using namespace ral;

/// So many are balanced well enough, and still long.
static constexpr int64_t kPiecesPerWorker = 8;
/// Where it is small beside a piece, pieces begin at multiples of this: whole
/// vectors, as many as a loop takes at a time.
static constexpr int64_t kLargestUnit = 128;
static constexpr int64_t kMostWorkers = 4096;

namespace {
/// A loop cut into pieces. Each member of the team has a share of them, the same
/// one for every call, so that it finds in its cache what the last call left
/// there; it goes through it front to back. One that is done takes what others
/// have left, from the back: processors are not equally fast at all times.
struct Loop {
  Loop(ral_loop_fn fn, void *args, int64_t n, int64_t pieces, int64_t unit,
       int64_t members)
      : fn(fn), args(args), n(n), pieces(pieces), unit(unit), members(members) {
    for (int64_t i = 0; i < members; ++i) {
      Range share = ral::pieceOf(pieces, members, i, 1);
      shares[i] = uint64_t(share.lo) << 32 | uint64_t(share.hi);
    }
  }
  bool take(int64_t member, bool isOwner, int64_t &piece);
  void runPiece(int64_t piece, int64_t member) const;

  ral_loop_fn fn;
  void *args;
  int64_t n, pieces, unit, members;
  uint64_t shares[kMostWorkers]; // of each, its first piece and the one behind
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
  if (options.threads < 0 || options.threads > kMostWorkers)
    return makeStatus(RAL_INVALID_ARGUMENT,
                      concat("option `threads`: expected 0 to ", kMostWorkers,
                             ", got ", options.threads));
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
  numWorkers = std::min(numWorkers, kMostWorkers);
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

/// Takes a piece of a member's share, with atomic accesses. Memory is ordered
/// where the team begins and ends.
bool Loop::take(int64_t member, bool isOwner, int64_t &piece) {
  uint64_t *share = &shares[member];
  uint64_t old = __atomic_load_n(share, __ATOMIC_RELAXED), left;
  do {
    uint64_t first = old >> 32, last = old & UINT32_MAX;
    if (first == last)
      return false;
    piece = int64_t(isOwner ? first : last - 1);
    left = isOwner ? old + (uint64_t(1) << 32) : old - 1;
  } while (!__atomic_compare_exchange_n(share, &old, left, /*weak=*/true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return true;
}

void Loop::runPiece(int64_t piece, int64_t member) const {
  Range range = ral::pieceOf(n, pieces, piece, unit);
  if (range.lo < range.hi)
    fn(args, range.lo, range.hi, member);
}

static void runMember(void *data, int64_t member) {
  Loop &loop = *static_cast<Loop *>(data);
  int64_t piece;
  for (int64_t i = 0; i < loop.members; ++i)
    while (loop.take((member + i) % loop.members, i == 0, piece))
      loop.runPiece(piece, member);
}

void Parallel::runPieces(ral_loop_fn fn, void *args, int64_t n,
                         int64_t members, int64_t grain) const {
  int64_t pieces = members * std::min(n / grain / members, kPiecesPerWorker);
  int64_t unit = grain % 4 == 0 ? 4 : 1;
  while (unit < kLargestUnit && n / pieces >= 16 * unit)
    unit *= 2;
  Loop loop(fn, args, n, pieces, unit, members);
  runTasks(members, runMember, &loop);
}
