// Size classes of small blocks, and bins of idle ones: multiples of 64 bytes up to 1 KiB,
// then eight steps for each doubling (at most 12.5 % is wasted).
#ifndef RAL_CORE_SIZECLASS_H
#define RAL_CORE_SIZECLASS_H

#include <cstdint>

namespace ral {

constexpr int kSmallClasses = 16;  // 64, 128, ..., 1024
constexpr int kLargestLog2 = 46;   // requests above 64 TiB are refused earlier
constexpr int kSizeClasses = kSmallClasses + 8 * (kLargestLog2 - 10);

inline int64_t classBytes(int sizeClass) {
  if (sizeClass < kSmallClasses)
    return int64_t(sizeClass + 1) * 64;
  int step = sizeClass - kSmallClasses;
  int64_t base = int64_t(1024) << (step / 8);
  return base + base / 8 * (step % 8 + 1);
}

/// The smallest class of at least `bytes`; `bytes` <= 2^kLargestLog2.
inline int classOf(int64_t bytes) {
  if (bytes <= 1024)
    return bytes <= 64 ? 0 : int((bytes - 1) / 64);
  int log2 = 63 - __builtin_clzll(static_cast<uint64_t>(bytes - 1));
  int64_t eighth = int64_t(1) << (log2 - 3);
  int step = int((bytes - 1 - (int64_t(1) << log2)) / eighth);
  return kSmallClasses + 8 * (log2 - 10) + step;
}

/// The largest class of at most `bytes`, or the first: where an idle piece waits.
inline int binOf(int64_t bytes) {
  int found = classOf(bytes);
  return found && classBytes(found) > bytes ? found - 1 : found;
}

} // namespace ral
#endif
