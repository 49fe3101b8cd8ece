// A context: everything that lives longer than one execution.
#ifndef RAL_CORE_CONTEXT_H
#define RAL_CORE_CONTEXT_H

#include "core/Calls.h"
#include "core/Parallel.h"
#include "core/Pool.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ral {
struct Blas;
struct KernelSet;
}

/// Reference counted: programs keep it.
struct ral_context {
  explicit ral_context(const ral::Pool::Options &options);
  ~ral_context();

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop();

  /// An execution slot for one thread; its small blocks stay with it.
  std::unique_ptr<ral_exec> takeSlot();
  void giveSlot(std::unique_ptr<ral_exec> slot);
  void dropSlots();

  ral::Pool *pool;
  ral::Parallel parallel;
  ral::CallTable calls;
  const ral::Blas *blas = nullptr;
  const ral::KernelSet *kernels = nullptr;
  std::map<std::string, std::string> facts; // constant after creation

  std::atomic<int64_t> constantBytes{0};
  std::atomic<int64_t> executions{0}, failures{0}, libraryCalls{0};
  std::atomic<uint64_t> randomStates{0}; // handed out so far

private:
  std::atomic<int64_t> references{1};
  std::mutex mutex; // guards slots
  std::vector<std::unique_ptr<ral_exec>> slots;
};

#endif
