// A small pool of threads, used where the process has no OpenMP runtime.
#ifndef RAL_CORE_THREADPOOL_H
#define RAL_CORE_THREADPOOL_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace ral {

class ThreadPool {
public:
  explicit ThreadPool(int64_t threads);
  ~ThreadPool();

  /// Runs task(arg, i) for i in [0, tasks); the caller takes part, so calls
  /// from several threads and from inside a task make progress.
  void run(int64_t tasks, void (*task)(void *, int64_t), void *arg);

private:
  struct Job {
    void (*task)(void *, int64_t);
    void *arg;
    int64_t next, total; // guarded by the mutex
    int64_t running = 0;
  };
  void work();
  /// Runs one task of `job`; called and returns with the lock held.
  void step(Job &job, std::unique_lock<std::mutex> &lock);

  std::mutex mutex;
  std::condition_variable wake, finished;
  std::deque<Job *> jobs; // those with tasks left to start
  bool stopping = false;
  std::vector<std::thread> threads;
};

} // namespace ral
#endif
