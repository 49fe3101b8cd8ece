// Library functions by name.
#include "core/Calls.h"

#include <deque>
#include <mutex>

using namespace ral;

const CallName *ral::internCallName(const char *name) {
  static std::mutex mutex;
  static auto &names = *new std::deque<CallName>(); // outlives all artifacts
  std::lock_guard<std::mutex> lock(mutex);
  for (const CallName &known : names)
    if (known.name == name)
      return &known;
  if (names.size() == size_t(kMaxCallNames))
    return nullptr;
  names.push_back({static_cast<int32_t>(names.size()), name});
  return &names.back();
}
