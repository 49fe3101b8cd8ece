// The OpenMP runtime that the process has, found at run time.
#include "core/OpenMP.h"

#include <dlfcn.h>
#include <link.h>
#include <mutex>

using namespace ral;

static bool resolve(void *handle, OpenMP &omp) {
  auto get = [&](auto &slot, const char *name) {
    slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(
        dlsym(handle, name));
    return slot != nullptr;
  };
  return get(omp.parallel, "GOMP_parallel") &&
         get(omp.maxThreads, "omp_get_max_threads") &&
         get(omp.threadNum, "omp_get_thread_num") &&
         get(omp.numThreads, "omp_get_num_threads");
}

/// Takes the first loaded object named like an OpenMP runtime: extension
/// modules are loaded privately, so the global scope may not show theirs.
static int visitObject(dl_phdr_info *info, size_t, void *result) {
  std::string path = info->dlpi_name ? info->dlpi_name : "";
  std::string base = path.substr(path.rfind('/') + 1);
  for (const char *stem : {"libgomp", "libomp", "libiomp5"})
    if (!base.compare(0, std::char_traits<char>::length(stem), stem)) {
      *static_cast<std::string *>(result) = path;
      return 1;
    }
  return 0;
}

static bool findOpenMP(OpenMP &omp) {
  if (resolve(RTLD_DEFAULT, omp)) {
    Dl_info info;
    bool known = dladdr(reinterpret_cast<void *>(omp.parallel), &info) &&
                 info.dli_fname;
    omp.name = known ? info.dli_fname : "loaded";
    return true;
  }
  std::string loaded;
  dl_iterate_phdr(visitObject, &loaded);
  if (!loaded.empty())
    if (void *handle = dlopen(loaded.c_str(), RTLD_NOW | RTLD_NOLOAD))
      if (resolve(handle, omp)) {
        omp.name = loaded;
        return true;
      }
  for (const char *name : {"libgomp.so.1", "libomp.so.5", "libomp.so"})
    if (void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
      if (resolve(handle, omp)) {
        omp.name = name;
        return true;
      }
      dlclose(handle);
    }
  return false;
}

const OpenMP *OpenMP::find() {
  static std::mutex mutex;
  static OpenMP omp;
  static bool found = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (!found)
    found = findOpenMP(omp);
  return found ? &omp : nullptr;
}
