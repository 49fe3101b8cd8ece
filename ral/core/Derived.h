// What kernels made of a program's constants, kept as long as these.
#ifndef RAL_CORE_DERIVED_H
#define RAL_CORE_DERIVED_H

#include "core/Pool.h"

#include <array>
#include <map>
#include <mutex>
#include <new>

namespace ral {

/// Packed matrices, for example. Calls of a program share it.
class Derived {
public:
  /// The constant's memory, and how it was read and written.
  struct Key {
    const void *data;
    std::array<int64_t, 5> form;
    bool operator<(const Key &other) const {
      return data != other.data ? data < other.data : form < other.form;
    }
  };

  explicit Derived(Pool &pool) : pool(pool) {}
  ~Derived() { clear(); }

  /// Null when nothing was kept.
  const void *find(const Key &key) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = blocks.find(key);
    return it == blocks.end() ? nullptr : it->second->data();
  }
  /// Takes the block. Of two made at the same time the first is kept; null
  /// when there is no memory to remember it.
  const void *keep(const Key &key, Block *block) {
    std::lock_guard<std::mutex> lock(mutex);
    try {
      auto [it, isNew] = blocks.try_emplace(key, block);
      if (isNew)
        total += block->bytes;
      else
        pool.release(block);
      return it->second->data();
    } catch (const std::bad_alloc &) {
      pool.release(block);
      return nullptr;
    }
  }
  int64_t bytes() {
    std::lock_guard<std::mutex> lock(mutex);
    return total;
  }
  void clear() {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto &entry : blocks)
      pool.release(entry.second);
    blocks.clear();
    total = 0;
  }

private:
  Pool &pool;
  std::mutex mutex; // guards what follows
  std::map<Key, Block *> blocks;
  int64_t total = 0;
};

} // namespace ral
#endif
