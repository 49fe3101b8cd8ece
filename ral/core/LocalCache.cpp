// Small idle blocks of one execution slot.
#include "core/Poison.h"
#include "core/Pool.h"

#include <algorithm>

using namespace ral;

LocalCache::LocalCache(Pool &owner) : pool(owner) {
  std::lock_guard<std::mutex> lock(pool.mutex);
  pool.caches.push_back(this);
}

LocalCache::~LocalCache() {
  flush();
  std::lock_guard<std::mutex> lock(pool.mutex);
  pool.caches.erase(std::find(pool.caches.begin(), pool.caches.end(), this));
}

Block *LocalCache::allocate(int64_t bytes, const char **error,
                            Block::Kind kind) {
  if (bytes < 0 || bytes > Block::kLargestSmall)
    return pool.allocate(bytes, error, kind);
  int sizeClass = classOf(bytes);
  Block *block = bins[sizeClass];
  if (!block) {
    block = pool.allocate(classBytes(sizeClass), error);
    if (block)
      markUsed(block, bytes);
    return block;
  }
  if ((*error = pool.admit(block->bytes)))
    return nullptr;
  bins[sizeClass] = block->next;
  idleBytes.store(idleBytes.load(std::memory_order_relaxed) - block->bytes,
                  std::memory_order_relaxed);
  pool.account(block->bytes);
  markUsed(block, bytes);
  return block;
}

void LocalCache::release(Block *block) {
  int64_t idle = idleBytes.load(std::memory_order_relaxed) + block->bytes;
  if (block->kind != Block::kSmall || idle > kIdleLimit)
    return pool.release(block);
  markIdle(block);
  block->state = Block::kIdle;
  block->next = bins[block->sizeClass];
  bins[block->sizeClass] = block;
  idleBytes.store(idle, std::memory_order_relaxed);
  pool.liveBytes.fetch_sub(block->bytes, std::memory_order_relaxed);
}

void LocalCache::flush() {
  Block *chain = nullptr;
  for (Block *&bin : bins)
    while (Block *block = bin) {
      bin = block->next;
      block->next = chain;
      chain = block;
    }
  idleBytes.store(0, std::memory_order_relaxed);
  pool.freeChain(chain);
}
