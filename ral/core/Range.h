// Parts of a range of numbers.
#ifndef RAL_CORE_RANGE_H
#define RAL_CORE_RANGE_H

#include <algorithm>
#include <cstdint>

namespace ral {

struct Range {
  int64_t lo, hi;
};

/// The part [lo, hi) of [0, extent) that is piece `index` of `pieces`, all about as
/// long; bounds are multiples of `unit`.
inline Range pieceOf(int64_t extent, int64_t pieces, int64_t index,
                     int64_t unit) {
  int64_t units = extent / unit + (extent % unit != 0);
  int64_t quotient = units / pieces, rest = units % pieces;
  int64_t lo = index * quotient + std::min(index, rest);
  int64_t hi = lo + quotient + (index < rest ? 1 : 0);
  return {std::min(lo * unit, extent), std::min(hi * unit, extent)};
}

} // namespace ral
#endif
