// The OpenMP runtime that the process has, found at run time.
#ifndef RAL_CORE_OPENMP_H
#define RAL_CORE_OPENMP_H

#include <string>

namespace ral {

/// The entry points that GNU's and LLVM's OpenMP runtimes share.
struct OpenMP {
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  int (*maxThreads)();
  int (*threadNum)();
  int (*numThreads)();
  std::string name;

  /// Prefers a runtime that is loaded (a second pool fights the first), then
  /// loads one by name; null when there is none.
  static const OpenMP *find();
};

} // namespace ral
#endif
