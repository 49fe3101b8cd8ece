// The memory pool of a context: keeps pages and cuts what is asked for out of them.
#include "core/Pool.h"
#include "core/Poison.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace ral;

static constexpr int64_t kHugePage = int64_t(2) << 20;
static constexpr int64_t kDefaultIdleLimit = int64_t(64) << 20;
static constexpr int64_t kTicksPerWindow = 64;
/// Pieces begin at multiples of this in their chunk.
static constexpr int64_t kPage = 4096;
/// Idle bytes that new chunks leave above the recent peak and a quarter of it.
static constexpr int64_t kChunkSlack = int64_t(4) << 20;
static constexpr int64_t kHeader = sizeof(Block);

void BlockList::push(Block *block) {
  block->prev = nullptr;
  block->next = head;
  if (head)
    head->prev = block;
  head = block;
}

void BlockList::remove(Block *block) {
  (block->prev ? block->prev->next : head) = block->next;
  if (block->next)
    block->next->prev = block->prev;
}

/// Up to this many bytes chunks come from malloc. Larger ones are mappings of their own: malloc would cut
/// them out of its heap once it has freed one of their size, and keep their pages below whatever else lives there.
#ifdef __SANITIZE_ADDRESS__
static constexpr size_t kLargestFromMalloc = SIZE_MAX; // which watches their ends, and whether they leak
#else
static constexpr size_t kLargestFromMalloc = size_t(Block::kLargestSmall + kHeader);
#endif

static size_t wholePages(size_t bytes) {
  static const auto page = size_t(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

static void *mapPages(size_t bytes, size_t alignment) {
  size_t room = wholePages(bytes), slack = alignment > wholePages(1) ? alignment : 0;
  if (room < bytes || room + slack < room)
    return nullptr;
  void *mapping = mmap(nullptr, room + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return nullptr;
  if (!slack)
    return mapping;
  auto *begin = static_cast<char *>(mapping);
  size_t before = (alignment - reinterpret_cast<uintptr_t>(begin) % alignment) % alignment;
  if (before)
    munmap(begin, before);
  munmap(begin + before + room, slack - before); // not empty: `before` is less
  return begin + before;
}

static void *systemAlloc(void *, size_t bytes, size_t alignment) {
  void *data = nullptr;
  if (bytes > kLargestFromMalloc)
    data = mapPages(bytes, alignment);
  else if (posix_memalign(&data, alignment, bytes))
    return nullptr;
  if (data && alignment >= size_t(kHugePage)) // fewer page faults; only a hint
    madvise(data, bytes, MADV_HUGEPAGE);
  return data;
}

static void systemFree(void *, void *data, size_t bytes) {
  if (bytes > kLargestFromMalloc)
    munmap(data, wholePages(bytes));
  else
    std::free(data);
}

bool Pool::arePagesOurs() const { return options.alloc == systemAlloc; }

Pool::Pool(const Options &given) : options(given) {
  if (!options.alloc) {
    options.alloc = systemAlloc;
    options.free = systemFree;
  }
  if (options.memoryLimit <= 0)
    options.memoryLimit =
        int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGESIZE));
  options.memoryLimit =
      std::min(options.memoryLimit, int64_t(1) << (kLargestLog2 - 1));
  if (options.idleLimit <= 0)
    options.idleLimit = kDefaultIdleLimit;
}

Pool::~Pool() { trim(0); }

void Pool::drop() {
  if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete this;
}

/// Why a request of `bytes` cannot be met, or null.
const char *Pool::admit(int64_t bytes) {
  if (bytes < 0)
    return "a negative size (a size overflowed?)";
  if (bytes > options.memoryLimit)
    return "more than the memory limit";
  if (bytes > options.memoryLimit - live())
    return "more than the memory limit leaves";
  return nullptr;
}

void Pool::account(int64_t bytes) {
  int64_t now = liveBytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  requests.fetch_add(1, std::memory_order_relaxed);
  for (auto *peak : {&windowPeak, &peakBytes}) {
    int64_t seen = peak->load(std::memory_order_relaxed);
    while (seen < now && !peak->compare_exchange_weak(
                             seen, now, std::memory_order_relaxed)) {
    }
  }
}

/// How many idle bytes may be kept when `more` are about to be live.
int64_t Pool::idleBound(int64_t more, int64_t slack) const {
  int64_t now = live() + more;
  int64_t peak = std::max({previousPeak.load(std::memory_order_relaxed),
                           windowPeak.load(std::memory_order_relaxed), now});
  return std::max<int64_t>(peak + peak / 4 + slack - now, 0);
}

void Pool::tick() {
  if (ticks.fetch_add(1, std::memory_order_relaxed) % kTicksPerWindow !=
      kTicksPerWindow - 1)
    return;
  previousPeak.store(windowPeak.load(std::memory_order_relaxed),
                     std::memory_order_relaxed);
  windowPeak.store(live(), std::memory_order_relaxed);
  trim(idleBound(0, options.idleLimit));
}

Block *Pool::takeSmall(int sizeClass) {
  Block *block = bins[Block::kSmall][sizeClass].head;
  if (block)
    unlinkIdle(block);
  return block;
}

/// The smallest idle piece of at least `bytes`, cut to that.
Block *Pool::takePiece(int64_t bytes, Block::Kind kind) {
  Block *best = nullptr;
  for (int i = binOf(bytes); i < kSizeClasses && !best; ++i)
    for (Block *block = bins[kind][i].head; block; block = block->next)
      if (block->bytes >= bytes && (!best || block->bytes < best->bytes))
        best = block;
  if (!best)
    return nullptr;
  unlinkIdle(best);
  if (best->bytes - bytes < kPage)
    return best;
  auto *rest = reinterpret_cast<Block *>(static_cast<char *>(best->data()) + bytes);
  markHeader(rest);
  new (rest) Block{};
  rest->kind = kind;
  rest->bytes = best->bytes - bytes - kHeader;
  rest->mapped = std::min(rest->bytes, best->mapped);
  rest->before = best;
  rest->isLast = best->isLast;
  if (Block *next = rest->after())
    next->before = rest;
  best->isLast = false;
  best->bytes = bytes;
  putIdle(rest);
  return best;
}

/// Joins a block that is in no bin with its idle neighbours.
Block *Pool::merge(Block *block) {
  auto join = [](Block *low, Block *high) {
    low->bytes += high->bytes + kHeader;
    low->mapped += high->mapped + kHeader;
    low->isLast = high->isLast;
    if (Block *next = low->after())
      next->before = low;
    markIdle(low);
    return low;
  };
  if (Block *next = block->after(); next && next->idle) {
    unlinkIdle(next);
    join(block, next);
  }
  Block *before = block->before;
  if (!before || !before->idle)
    return block;
  unlinkIdle(before);
  return join(before, block);
}

Block *Pool::allocateFromSystem(int64_t bytes, Block::Kind kind) {
  size_t alignment = bytes >= kHugePage ? size_t(kHugePage) : 64;
  void *data = options.alloc(options.user, size_t(bytes + kHeader), alignment);
  if (!data)
    return nullptr;
  systemRequests.fetch_add(1, std::memory_order_relaxed);
  Block *block = new (data) Block{};
  block->bytes = bytes;
  block->kind = kind;
  block->isLast = true;
  return block;
}

Block *Pool::allocate(int64_t bytes, const char **error, Block::Kind kind) {
  if ((*error = admit(bytes)))
    return nullptr;
  bool isSmall = bytes <= Block::kLargestSmall;
  int64_t room = isSmall ? classBytes(classOf(bytes))
                         : (bytes + kHeader + kPage - 1) / kPage * kPage - kHeader;
  if (isSmall)
    kind = Block::kSmall;
  Block *block;
  Evicted evicted;
  {
    std::lock_guard<std::mutex> lock(mutex);
    block = isSmall ? takeSmall(classOf(bytes)) : takePiece(room, kind);
    // What was too small gives way to a chunk that serves it and smaller ones.
    if (!block)
      evicted = evict(idleBound(room, std::min(kChunkSlack, options.idleLimit)));
  }
  giveBack(evicted);
  if (!block && !(block = allocateFromSystem(room, kind))) {
    trim(0);
    if (!(block = allocateFromSystem(room, kind))) {
      *error = "the system has none left";
      return nullptr;
    }
  }
  if (isSmall)
    block->sizeClass = classOf(bytes);
  account(block->bytes);
  markUsed(block, bytes);
  return block;
}

void Pool::release(Block *block) {
  markIdle(block);
  block->state = Block::kIdle;
  liveBytes.fetch_sub(block->bytes, std::memory_order_relaxed);
  Evicted evicted;
  {
    std::lock_guard<std::mutex> lock(mutex);
    block->mapped = block->bytes;
    putIdle(merge(block));
    evicted = evict(idleBound(0, options.idleLimit));
  }
  giveBack(evicted);
}

void Pool::putIdle(Block *block) {
  block->idle = true;
  if (block->kind != Block::kSmall)
    block->sizeClass = binOf(block->bytes);
  bins[block->kind][block->sizeClass].push(block);
  block->newer = nullptr;
  block->older = newest;
  (newest ? newest->newer : oldest) = block;
  newest = block;
  idleBytes += block->mapped;
}

void Pool::unlinkIdle(Block *block) {
  block->idle = false;
  bins[block->kind][block->sizeClass].remove(block);
  (block->older ? block->older->newer : oldest) = block->newer;
  (block->newer ? block->newer->older : newest) = block->older;
  idleBytes -= block->mapped;
}

Pool::Evicted Pool::evict(int64_t keep) {
  Evicted evicted;
  for (Block *block = oldest, *newer; block && idleBytes > keep; block = newer) {
    newer = block->newer;
    bool isWhole = block->isWholeChunk();
    if (!isWhole && !(arePagesOurs() && block->mapped > Block::kLargestSmall))
      continue;
    unlinkIdle(block);
    Block *&chain = isWhole ? evicted.chunks : evicted.pieces;
    block->next = chain;
    chain = block;
  }
  return evicted;
}

/// What neighbours of a piece use keeps its addresses, but not its pages.
void Pool::giveBack(Evicted evicted) {
  freeChain(evicted.chunks);
  if (!evicted.pieces)
    return;
  static const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  for (Block *piece = evicted.pieces; piece; piece = piece->next) {
    auto data = reinterpret_cast<uintptr_t>(piece->data());
    uintptr_t from = (data + page - 1) / page * page, to = (data + uintptr_t(piece->bytes)) / page * page;
    if (from < to && madvise(reinterpret_cast<void *>(from), to - from, MADV_DONTNEED) == 0)
      piece->mapped -= std::min(piece->mapped, int64_t(to - from));
  }
  std::lock_guard<std::mutex> lock(mutex);
  while (Block *piece = evicted.pieces) {
    evicted.pieces = piece->next;
    putIdle(merge(piece));
  }
}

void Pool::freeChain(Block *chain) {
  while (chain) {
    Block *next = chain->next;
    markReturned(chain);
    options.free(options.user, chain, size_t(chain->bytes + kHeader));
    chain = next;
  }
}

void Pool::trim(int64_t keep) {
  Evicted evicted;
  {
    std::lock_guard<std::mutex> lock(mutex);
    evicted = evict(keep);
  }
  giveBack(evicted);
}

void Pool::fill(ral_statistics &out) {
  out.live_bytes = live();
  out.peak_bytes = peakBytes.load(std::memory_order_relaxed);
  out.allocations = requests.load(std::memory_order_relaxed);
  out.system_allocations = systemRequests.load(std::memory_order_relaxed);
  std::lock_guard<std::mutex> lock(mutex);
  out.pool_bytes = idleBytes;
  for (LocalCache *cache : caches)
    out.pool_bytes += cache->idleBytes.load(std::memory_order_relaxed);
}
