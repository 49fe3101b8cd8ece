// The pool, seen through executions: reuse, bounds, failure of the system.
#include "Testing.h"

#include "core/Derived.h"
#include "core/SizeClass.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include <vector>

using namespace testing;

TEST(size_classes_fit_and_grow) {
  for (int i = 0; i < ral::kSizeClasses; ++i) {
    CHECK_EQ(ral::classOf(ral::classBytes(i)), i);
    if (i)
      CHECK_EQ(ral::classOf(ral::classBytes(i - 1) + 1), i);
  }
  for (int64_t bytes = 0; bytes < 100000; bytes += 7)
    CHECK(ral::classBytes(ral::classOf(bytes)) >= bytes);
}

namespace {
/// A pool of its own, and what it asked the system for.
struct OwnPool {
  ral::Pool *pool = ral::Pool::create({});
  ~OwnPool() { pool->drop(); }
  ral::Block *take(int64_t bytes, ral::Block::Kind kind) {
    const char *error = nullptr;
    ral::Block *block = pool->allocate(bytes, &error, kind);
    CHECK(!error);
    std::memset(block->data(), 1, size_t(bytes));
    return block;
  }
  ral_statistics now() {
    ral_statistics out{};
    pool->fill(out);
    return out;
  }
};
constexpr int64_t kMiB = 1 << 20;
} // namespace

TEST(pieces_of_a_chunk_are_joined_again) {
  OwnPool own;
  constexpr auto kind = ral::Block::kTemporary;
  own.pool->release(own.take(10 * kMiB, kind));
  for (int round = 0; round < 6; ++round) {
    ral::Block *pieces[] = {own.take(3 * kMiB, kind), own.take(4 * kMiB, kind), own.take(2 * kMiB, kind)};
    CHECK(own.now().live_bytes >= 9 * kMiB && own.now().live_bytes < 10 * kMiB);
    static constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int piece : orders[round])
      own.pool->release(pieces[piece]);
    ral::Block *whole = own.take(10 * kMiB, kind);
    CHECK(whole->isWholeChunk());
    own.pool->release(whole);
  }
  CHECK_EQ(own.now().system_allocations, 1);
  CHECK_EQ(own.pool->live(), 0);
}

TEST(what_lives_long_does_not_split_what_is_temporary) {
  OwnPool own;
  own.pool->release(own.take(10 * kMiB, ral::Block::kTemporary));
  ral::Block *kept = own.take(1 * kMiB, ral::Block::kLasting);
  ral::Block *whole = own.take(10 * kMiB, ral::Block::kTemporary);
  CHECK_EQ(own.now().system_allocations, 2);
  own.pool->release(whole);
  own.pool->release(kept);
}

TEST(growing_requests_leave_no_generations) {
  OwnPool own;
  for (int64_t size = 8; size <= 64; ++size)
    own.pool->release(own.take(size * kMiB, ral::Block::kTemporary));
  CHECK(own.now().pool_bytes <= 85 * kMiB); // a quarter and 4 MiB above the peak
}

TEST(a_small_output_does_not_keep_the_pages_of_a_large_one) {
  OwnPool own;
  constexpr auto kind = ral::Block::kLasting;
  own.pool->release(own.take(256 * kMiB, kind));
  ral::Block *kept = own.take(1 * kMiB, kind), *other = own.take(1 * kMiB, kind);
  CHECK_EQ(own.now().system_allocations, 1);
  own.pool->release(other);
  for (int i = 0; i < 129; ++i)
    own.pool->tick(); // the peak is forgotten
  CHECK(own.now().pool_bytes <= 66 * kMiB); // a quarter of what is live, and the idle limit
  own.pool->trim(0);
  CHECK(own.now().pool_bytes <= 64 << 10);
  // Its addresses serve again, whole and in pieces.
  ral::Block *large = own.take(200 * kMiB, kind), *rest = own.take(50 * kMiB, kind);
  CHECK_EQ(own.now().system_allocations, 1);
  for (ral::Block *block : {kept, rest, large})
    own.pool->release(block);
  int64_t idle = own.now().pool_bytes; // the rest of the chunk still has no pages
  CHECK(idle >= 251 * kMiB && idle <= 252 * kMiB);
  own.pool->trim(0);
  CHECK_EQ(own.now().pool_bytes, 0);
}

#ifndef __SANITIZE_ADDRESS__ // which keeps freed memory for a while
/// Bytes of the process that have pages.
static int64_t resident() {
  int64_t all = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

TEST(chunks_that_went_back_keep_no_pages) {
  OwnPool own;
  std::vector<void *> others;
  int64_t before = resident();
  for (int64_t size = 24; size > 0; --size) {
    ral::Block *chunk = own.take(size * kMiB, ral::Block::kTemporary);
    others.push_back(std::malloc(100000)); // lives on beside it
    CHECK(others.back());
    own.pool->release(chunk);
    own.pool->trim(0);
  }
  CHECK(resident() - before <= 4 * kMiB);
  for (void *other : others)
    std::free(other);
}
#endif

TEST(same_shape_asks_the_system_once) {
  ral_context *context = makeContext();
  ral_program *program = openMock(context);
  MockCall call(100000);
  CHECK_EQ(call.run(program), "");
  call.release();
  int64_t before = statistics(context).system_allocations;
  for (int i = 0; i < 100; ++i) {
    CHECK_EQ(call.run(program), "");
    call.release();
  }
  CHECK_EQ(statistics(context).system_allocations, before);
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(memory_stays_flat_over_distinct_shapes) {
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = 1;
  options.idle_limit = 1 << 20;
  ral_context *context = nullptr;
  CHECK_EQ(text(ral_context_create(&options, &context)), "");
  ral_program *program = openMock(context);
  int64_t highest = 0;
  for (int64_t i = 1; i <= 10000; ++i) {
    MockCall call(i * 7919 % 10007);
    CHECK_EQ(call.run(program), "");
    ral_statistics now = statistics(context);
    highest = std::max(highest, now.live_bytes + now.pool_bytes);
  }
  // The largest shape holds two outputs of 160 kB; 4 MiB may wait in the
  // execution's own cache.
  CHECK(highest < (1 << 20) + (4 << 20) + 2 * 500000);
  ral_context_trim(context);
  CHECK_EQ(statistics(context).pool_bytes, int64_t(0));
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(idle_memory_goes_back_after_a_large_shape) {
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = 1;
  options.idle_limit = 1 << 20;
  ral_context *context = nullptr;
  CHECK_EQ(text(ral_context_create(&options, &context)), "");
  ral_program *program = openMock(context);
  {
    MockCall large(1000000);
    CHECK_EQ(large.run(program), "");
  }
  CHECK(statistics(context).pool_bytes > 30000000);
  for (int i = 0; i < 200; ++i) {
    MockCall small(10);
    CHECK_EQ(small.run(program), "");
  }
  CHECK(statistics(context).pool_bytes < 4000000);
  ral_program_close(program);
  ral_context_destroy(context);
}

namespace {
struct Limited {
  int64_t left, held;
};
} // namespace

TEST(failing_allocator_is_an_error_value) {
  Limited limited{1 << 20, 0};
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = 1;
  options.user = &limited;
  options.alloc = [](void *user, size_t bytes, size_t alignment) -> void * {
    auto *self = static_cast<Limited *>(user);
    if (int64_t(bytes) > self->left)
      return nullptr;
    self->left -= int64_t(bytes);
    self->held += int64_t(bytes);
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded);
  };
  options.free = [](void *user, void *data, size_t bytes) {
    auto *self = static_cast<Limited *>(user);
    self->left += int64_t(bytes);
    self->held -= int64_t(bytes);
    std::free(data);
  };
  ral_context *context = nullptr;
  CHECK_EQ(text(ral_context_create(&options, &context)), "");
  ral_program *program = openMock(context);
  MockCall large(100000);
  std::string got = large.run(program);
  CHECK_EQ(got.substr(0, 60),
           "cannot allocate 1600000 bytes: the system has none left (liv");
  for (int64_t rows : {10000, 20000, 5000, 25000}) { // needs trimming between
    MockCall call(rows);
    CHECK_EQ(call.run(program), "");
    CHECK(call.isRight());
  }
  ral_program_close(program);
  ral_context_destroy(context);
  CHECK_EQ(limited.held, int64_t(0));
}

TEST(memory_limit_is_kept) {
  ral_context_options options{};
  options.size = sizeof(options);
  options.threads = 1;
  options.memory_limit = 1 << 20;
  ral_context *context = nullptr;
  CHECK_EQ(text(ral_context_create(&options, &context)), "");
  ral_program *program = openMock(context);
  MockCall large(50000);
  CHECK(large.run(program).find("memory limit leaves") != std::string::npos);
  MockCall small(20000);
  CHECK_EQ(small.run(program), "");
  ral_program_close(program);
  ral_context_destroy(context);
}

TEST(what_is_derived_of_constants_is_kept_once) {
  ral::Pool *pool = ral::Pool::create({});
  const char *error;
  {
    ral::Derived derived(*pool);
    float constant[4];
    ral::Derived::Key key{constant, {1, 2}}, other{constant, {1, 3}};
    CHECK(!derived.find(key));
    const void *first = derived.keep(key, pool->allocate(1000, &error));
    CHECK(derived.keep(key, pool->allocate(1000, &error)) == first);
    CHECK(derived.find(key) == first);
    CHECK(!derived.find(other));
    int64_t one = derived.bytes();
    CHECK(one >= 1000);
    derived.keep(other, pool->allocate(1000, &error));
    CHECK_EQ(derived.bytes(), 2 * one);
    derived.clear();
    CHECK(!derived.find(key));
    CHECK_EQ(pool->live(), 0);
    derived.keep(key, pool->allocate(1000, &error));
  }
  CHECK_EQ(pool->live(), 0);
  pool->drop();
}
