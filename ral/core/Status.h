// Status objects and message building.
#ifndef RAL_CORE_STATUS_H
#define RAL_CORE_STATUS_H

#include "disc/ral.h"

#include <sstream>
#include <string>
#include <utility>

struct ral_status_object {
  int32_t code;
  std::string message;
  std::string call;
};

namespace ral {

template <typename... Parts> std::string concat(Parts &&...parts) {
  std::ostringstream out;
  (out << ... << std::forward<Parts>(parts));
  return out.str();
}

/// A new status; falls back to a shared out-of-memory one.
ral_status makeStatus(int32_t code, std::string message, std::string call = {});

/// Runs `body`, turning what the standard library throws into a status.
template <typename Body> ral_status guarded(Body &&body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return makeStatus(RAL_OUT_OF_MEMORY, {});
  } catch (const std::exception &error) {
    return makeStatus(RAL_INTERNAL, error.what());
  }
}

} // namespace ral
#endif
