// Library functions by name.
#ifndef RAL_CORE_CALLS_H
#define RAL_CORE_CALLS_H

#include "disc/ral.h"

#include <array>
#include <atomic>
#include <string>

namespace ral {

constexpr int32_t kMaxCallNames = 4096;

/// A name's place in every context's table; lives as long as the process. Call
/// sites keep a pointer to it, so that one artifact may serve many contexts.
struct CallName {
  int32_t index;
  std::string name;
};

/// Null when there are too many names.
const CallName *internCallName(const char *name);

class CallTable {
public:
  ral_library_fn get(const CallName &name) const {
    return functions[name.index].load(std::memory_order_acquire);
  }
  void set(const CallName &name, ral_library_fn fn) {
    functions[name.index].store(fn, std::memory_order_release);
  }

private:
  std::array<std::atomic<ral_library_fn>, kMaxCallNames> functions{};
};

} // namespace ral
#endif
