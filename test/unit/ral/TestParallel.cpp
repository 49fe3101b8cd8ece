// The parallel loop: every index once, workers apart, work shared.
#include "Testing.h"

#include "core/Parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

using namespace testing;

namespace {
struct Piece {
  int64_t lo, hi, worker;
};

/// What a loop called, and whether a worker had two pieces at a time.
struct Record {
  std::mutex mutex;
  std::vector<Piece> pieces;
  std::array<std::atomic<bool>, 64> busy{};
  std::atomic<bool> overlapped{false};

  static void call(void *data, int64_t lo, int64_t hi, int64_t worker) {
    auto &record = *static_cast<Record *>(data);
    std::atomic<bool> &own = record.busy[size_t(worker)];
    if (own.exchange(true))
      record.overlapped = true;
    {
      std::lock_guard<std::mutex> lock(record.mutex);
      record.pieces.push_back({lo, hi, worker});
    }
    own = false;
  }
};

void configure(ral::Parallel &parallel, int64_t threads) {
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = threads;
  options.parallel = RAL_PARALLEL_THREADS;
  CHECK_EQ(text(parallel.configure(options)), "");
}
} // namespace

TEST(every_index_is_in_one_piece) {
  for (int64_t threads : {1, 2, 3, 7}) {
    ral::Parallel parallel;
    configure(parallel, threads);
    for (int64_t grain : {1, 4, 5, 64, 1000})
      for (int64_t n : {0, 1, 3, 8, 63, 64, 257, 4096, 100003}) {
        Record record;
        parallel.run(Record::call, &record, n, grain);
        std::sort(record.pieces.begin(), record.pieces.end(),
                  [](const Piece &x, const Piece &y) { return x.lo < y.lo; });
        int64_t next = 0;
        for (const Piece &piece : record.pieces) {
          CHECK_EQ(piece.lo, next);
          CHECK(piece.lo < piece.hi);
          CHECK(piece.worker >= 0 && piece.worker < threads);
          CHECK(grain % 4 != 0 || piece.lo % 4 == 0);
          next = piece.hi;
        }
        CHECK_EQ(next, n);
        CHECK(!record.overlapped);
        CHECK(n >= 2 * grain || record.pieces.size() <= 1);
      }
  }
}

/// A slow worker's share is done by the others: the piece that begins at 0 ends
/// when all other indices are done.
TEST(a_slow_worker_holds_up_one_piece) {
  struct Job {
    enum : int64_t { n = 1600 };
    std::atomic<int64_t> done{0}, first{0};
    std::atomic<bool> waited{false};
    static void call(void *data, int64_t lo, int64_t hi, int64_t) {
      Job &job = *static_cast<Job *>(data);
      if (lo == 0) {
        job.first = hi;
        auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (job.done < n - hi && std::chrono::steady_clock::now() < end)
          std::this_thread::yield();
        job.waited = job.done == n - hi;
      }
      job.done += hi - lo;
    }
  };
  for (int64_t threads : {2, 4}) {
    ral::Parallel parallel;
    configure(parallel, threads);
    Job job;
    parallel.run(Job::call, &job, Job::n, 1);
    CHECK_EQ(job.done.load(), int64_t(Job::n));
    CHECK(job.waited);
    CHECK(job.first < Job::n / threads);
  }
}
