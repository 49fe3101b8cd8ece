// A BLAS library, loaded at run time.
#include "kernels/Blas.h"

#include <dlfcn.h>
#include <map>
#include <mutex>

using namespace ral;

namespace {
struct Loaded {
  Blas blas{};
  bool usable = false;
  std::string description;
};
} // namespace

static std::string builtIn(const std::string &why) {
  return "built-in (slow): " + why;
}

/// Resolves `name` with the prefix of the scipy-openblas packages or without.
template <typename Fn>
static bool resolve(void *handle, const char *name, Fn &slot) {
  for (const char *prefix : {"scipy_", ""})
    if (void *found = dlsym(handle, (std::string(prefix) + name).c_str())) {
      slot = reinterpret_cast<Fn>(found);
      return true;
    }
  return false;
}

static void load(const std::string &path, Loaded &out) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *error = dlerror();
    out.description = builtIn(error ? error : path);
    return;
  }
  void (*setThreads)(int) = nullptr;
  char *(*config)() = nullptr;
  if (!resolve(handle, "cblas_sgemm", out.blas.sgemm) ||
      !resolve(handle, "cblas_dgemm", out.blas.dgemm) ||
      !resolve(handle, "cblas_sgemv", out.blas.sgemv) ||
      !resolve(handle, "cblas_dgemv", out.blas.dgemv) ||
      !resolve(handle, "openblas_set_num_threads", setThreads)) {
    out.description = builtIn(path + " lacks OpenBLAS entry points");
    return;
  }
  setThreads(1); // our parallel loop splits the work
  resolve(handle, "openblas_get_config", config);
  out.usable = true;
  out.description =
      std::string(config ? config() : "OpenBLAS") + " (" + path + ")";
}

const Blas *ral::loadBlas(const char *path, std::string &description) {
  if (!path || !*path) {
    description = builtIn("no BLAS library was given");
    return nullptr;
  }
  static std::mutex mutex;
  static auto &libraries = *new std::map<std::string, Loaded>();
  std::lock_guard<std::mutex> lock(mutex);
  auto [it, isNew] = libraries.try_emplace(path);
  if (isNew)
    load(path, it->second);
  description = it->second.description;
  return it->second.usable ? &it->second.blas : nullptr;
}
