// Status objects and message building.
#include "core/Status.h"

#include <new>

static ral_status_object *outOfMemory() {
  static ral_status_object status{RAL_OUT_OF_MEMORY, "out of memory", ""};
  return &status;
}

ral_status ral::makeStatus(int32_t code, std::string message,
                           std::string call) {
  if (code == RAL_OUT_OF_MEMORY && message.empty())
    return outOfMemory();
  auto *status = new (std::nothrow)
      ral_status_object{code, std::move(message), std::move(call)};
  return status ? status : outOfMemory();
}

int32_t ral_status_code(ral_status status) {
  return status ? status->code : static_cast<int32_t>(RAL_OK);
}

const char *ral_status_message(ral_status status) {
  return status ? status->message.c_str() : "";
}

const char *ral_status_call(ral_status status) {
  return status ? status->call.c_str() : "";
}

void ral_status_free(ral_status status) {
  if (status != outOfMemory())
    delete status;
}
