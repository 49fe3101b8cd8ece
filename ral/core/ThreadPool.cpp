// A small pool of threads, used where the process has no OpenMP runtime.
#include "core/ThreadPool.h"

#include <algorithm>

using namespace ral;

ThreadPool::ThreadPool(int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    threads.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadPool::step(Job &job, std::unique_lock<std::mutex> &lock) {
  int64_t index = job.next++;
  if (job.next == job.total)
    jobs.erase(std::find(jobs.begin(), jobs.end(), &job));
  ++job.running;
  lock.unlock();
  job.task(job.arg, index);
  lock.lock();
  if (--job.running == 0 && job.next == job.total)
    finished.notify_all();
}

void ThreadPool::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    wake.wait(lock, [this] { return stopping || !jobs.empty(); });
    if (stopping)
      return;
    step(*jobs.front(), lock);
  }
}

void ThreadPool::run(int64_t tasks, void (*task)(void *, int64_t), void *arg) {
  if (tasks <= 0)
    return;
  Job job{task, arg, 0, tasks};
  std::unique_lock<std::mutex> lock(mutex);
  jobs.push_back(&job);
  if (tasks > 2)
    wake.notify_all();
  else if (tasks == 2)
    wake.notify_one();
  while (job.next < job.total)
    step(job, lock);
  finished.wait(lock, [&] { return job.running == 0; });
}
