// Orders buffers in an arena, from their lifetimes and sizes at sample points.
#ifndef DISC_PASSES_BUFFERIZE_ARENAPLAN_H
#define DISC_PASSES_BUFFERIZE_ARENAPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace disc {

/// A buffer: alive from `begin` to `end`, both included; `bytes` at each sample, above 0.
struct ArenaTenant {
  int64_t begin, end;
  llvm::SmallVector<int64_t, 4> bytes;
};

struct ArenaPlan {
  /// The tenants, each after those it lies on.
  llvm::SmallVector<unsigned> order;
  /// For each tenant those it lies on: it begins where the last of them ends. What
  /// these lie on is left out where it follows.
  llvm::SmallVector<llvm::SmallVector<unsigned>> below;
  /// Those that nothing lies on: the arena ends where the last of them ends.
  llvm::SmallVector<unsigned> tops;
  /// At each sample: the arena's bytes, and the most that is alive at a time.
  llvm::SmallVector<int64_t, 4> bytes, bound;
};

ArenaPlan planArena(llvm::ArrayRef<ArenaTenant> tenants);

} // namespace disc

#endif // DISC_PASSES_BUFFERIZE_ARENAPLAN_H
