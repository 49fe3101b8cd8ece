// The memory pool of a context: keeps pages and cuts what is asked for out of them.
#ifndef RAL_CORE_POOL_H
#define RAL_CORE_POOL_H

#include "core/SizeClass.h"
#include "disc/ral.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace ral {

/// The header of every allocation; the data follow it. A large one is a piece of a
/// chunk, which came from the system as a whole; a small one is a chunk alone.
struct alignas(64) Block {
  enum State : int8_t { kIdle, kOwned, kHandedOut };
  enum Kind : int8_t { kSmall, kTemporary, kLasting, kKinds };
  static constexpr int64_t kLargestSmall = 64 << 10;

  Block *prev, *next;   // in its bin, or in its execution's list
  Block *older, *newer; // among the pool's idle blocks
  Block *before;        // its neighbour in the chunk; guarded by the pool's mutex, as all below but the state
  int64_t bytes;        // capacity of the data
  int64_t mapped;       // of an idle one: how many of its bytes have pages, at most
  int16_t sizeClass;    // its bin
  State state;
  Kind kind;
  bool idle, isLast; // waits in the pool; has no neighbour after it

  void *data() { return this + 1; }
  static Block *of(void *data) { return static_cast<Block *>(data) - 1; }
  Block *after() { return isLast ? nullptr : reinterpret_cast<Block *>(static_cast<char *>(data()) + bytes); }
  bool isWholeChunk() const { return !before && isLast; }
};
static_assert(sizeof(Block) == 64, "data must stay 64-byte aligned");

/// A doubly linked ring of blocks through prev/next.
struct BlockList {
  Block *head = nullptr;
  void push(Block *block);
  void remove(Block *block);
};

class Pool;

/// Small idle blocks of one execution slot: used by one thread at a time, so
/// without locks.
class LocalCache {
public:
  explicit LocalCache(Pool &pool);
  ~LocalCache();
  /// Memory of at least `bytes`; null with `error` set when there is none.
  Block *allocate(int64_t bytes, const char **error, Block::Kind kind);
  void release(Block *block);
  void flush();

private:
  friend class Pool;
  static constexpr int64_t kIdleLimit = 4 << 20;
  static constexpr int kClasses = kSmallClasses + 8 * 6; // up to Block::kLargestSmall

  Pool &pool;
  Block *bins[kClasses] = {};
  std::atomic<int64_t> idleBytes{0};
};

/// Reference counted, because outputs outlive their context.
class Pool {
public:
  struct Options {
    int64_t memoryLimit = 0, idleLimit = 0;
    void *user = nullptr;
    void *(*alloc)(void *, size_t, size_t) = nullptr;
    void (*free)(void *, void *, size_t) = nullptr;
  };

  static Pool *create(const Options &options) { return new Pool(options); }
  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  void drop();

  /// `kind` is kTemporary for what the execution frees before it ends. It does not share
  /// chunks with what may live long, so that its chunks are whole again between calls.
  Block *allocate(int64_t bytes, const char **error,
                  Block::Kind kind = Block::kLasting);
  void release(Block *block);
  /// Gives idle memory back until at most `keep` idle bytes are left here.
  void trim(int64_t keep);
  /// Called after each execution: lets the remembered peak decay.
  void tick();

  int64_t memoryLimit() const { return options.memoryLimit; }
  int64_t live() const { return liveBytes.load(std::memory_order_relaxed); }
  void fill(ral_statistics &out);

private:
  friend class LocalCache;
  explicit Pool(const Options &options);
  ~Pool();

  const char *admit(int64_t bytes);
  void account(int64_t bytes);
  Block *takeSmall(int sizeClass);
  Block *takePiece(int64_t bytes, Block::Kind kind);
  Block *allocateFromSystem(int64_t bytes, Block::Kind kind);
  void putIdle(Block *block);
  void unlinkIdle(Block *block);
  Block *merge(Block *block);
  /// Whether pages inside a chunk may be given back.
  bool arePagesOurs() const;
  /// Idle blocks beyond `keep` bytes, the oldest first, which the caller gives back without the lock.
  struct Evicted {
    Block *chunks = nullptr, *pieces = nullptr;
  };
  Evicted evict(int64_t keep);
  void giveBack(Evicted evicted);
  void freeChain(Block *chain);
  int64_t idleBound(int64_t more, int64_t slack) const;

  Options options;
  std::atomic<int64_t> references{1};
  std::atomic<int64_t> liveBytes{0}, peakBytes{0}, windowPeak{0};
  std::atomic<int64_t> requests{0}, systemRequests{0}, ticks{0};
  std::atomic<int64_t> previousPeak{0};

  std::mutex mutex; // guards what follows
  BlockList bins[Block::kKinds][kSizeClasses];
  Block *oldest = nullptr, *newest = nullptr;
  int64_t idleBytes = 0;
  std::vector<LocalCache *> caches;
};

} // namespace ral
#endif
