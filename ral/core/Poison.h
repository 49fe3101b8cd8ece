// Tells AddressSanitizer which bytes of the pool are in use; nothing in other builds.
#ifndef RAL_CORE_POISON_H
#define RAL_CORE_POISON_H

#include "core/Pool.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace ral {

/// The first `bytes` of the block's data may be used, the rest may not.
inline void markUsed([[maybe_unused]] Block *block,
                     [[maybe_unused]] int64_t bytes) {
#ifdef __SANITIZE_ADDRESS__
  char *data = static_cast<char *>(block->data());
  __asan_unpoison_memory_region(data, size_t(bytes));
  __asan_poison_memory_region(data + bytes, size_t(block->bytes - bytes));
#endif
}

/// Nobody may touch the block's data.
inline void markIdle(Block *block) { markUsed(block, 0); }

/// A block is about to begin in memory that nobody uses.
inline void markHeader([[maybe_unused]] Block *block) {
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(block, sizeof(Block));
#endif
}

/// The whole block goes back to who gave it.
inline void markReturned(Block *block) { markUsed(block, block->bytes); }

} // namespace ral
#endif
