// The product with a packed operand in bf16, with AMX: tiles of 16 x 32 numbers.
#include "kernels/PackedGemm.h"

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ral;

static constexpr int64_t kPanel = 32, kStrip = 32, kUnit = 16, kDepth = 512;
/// More than blockBytes(): rows of a are rounded again for each block, and tiles bring
/// nothing in for the next one.
static inline int64_t bytesHeld() { return 768 << 10; }
static inline int64_t paddedRows(int64_t rows) { return rows <= 16 ? 16 : 32; }
static inline int64_t paddedColumns(int64_t) { return kPanel; }
static void tile(int64_t rows, int64_t columns, const char *a, const char *b,
                 float *c, int64_t ldc, int64_t pairs, bool accumulate,
                 Ahead ahead);
#include "kernels/PackedGemmBf16.inc"

static constexpr int64_t kAhead = 4; // steps of b to prefetch

/// Sixteen rows of 64 bytes in each of the eight tiles.
static void configure() {
  alignas(64) unsigned char config[64] = {1};
  for (int tile = 0; tile < 8; ++tile) {
    config[16 + 2 * tile] = 64;
    config[48 + tile] = 16;
  }
  _tile_loadconfig(config);
}

static inline void prefetchStep(const char *b) {
  for (int64_t line = 0; line < kStepBytes; line += 64)
    _mm_prefetch(b + kAhead * kStepBytes + line, _MM_HINT_T0);
}

/// c [32, 32] (+)= a [32, 32 steps] x b [the same, 32].
static void tile32(const char *a, const char *b, float *c, int64_t ldc,
                   int64_t steps, bool accumulate) {
  int64_t row = ldc * 4, below = 16 * ldc;
  if (accumulate) {
    _tile_loadd(0, c, row);
    _tile_loadd(1, c + 16, row);
    _tile_loadd(2, c + below, row);
    _tile_loadd(3, c + below + 16, row);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  for (int64_t step = 0; step < steps; ++step, a += 2048, b += kStepBytes) {
    _tile_loadd(6, b, 64);
    _tile_loadd(4, a, 64);
    _tile_loadd(7, b + 1024, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(5, a + 1024, 64);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
    prefetchStep(b);
  }
  _tile_stored(0, c, row);
  _tile_stored(1, c + 16, row);
  _tile_stored(2, c + below, row);
  _tile_stored(3, c + below + 16, row);
}

/// The same for 16 rows.
static void tile16(const char *a, const char *b, float *c, int64_t ldc,
                   int64_t steps, bool accumulate) {
  int64_t row = ldc * 4;
  if (accumulate) {
    _tile_loadd(0, c, row);
    _tile_loadd(1, c + 16, row);
  } else {
    _tile_zero(0);
    _tile_zero(1);
  }
  for (int64_t step = 0; step < steps; ++step, a += 1024, b += kStepBytes) {
    _tile_loadd(4, a, 64);
    _tile_loadd(6, b, 64);
    _tile_loadd(7, b + 1024, 64);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    prefetchStep(b);
  }
  _tile_stored(0, c, row);
  _tile_stored(1, c + 16, row);
}

static void tile(int64_t rows, int64_t, const char *a, const char *b, float *c,
                 int64_t ldc, int64_t pairs, bool accumulate, Ahead) {
  int64_t steps = ceilDiv(2 * pairs, kChunk);
  if (rows == 16)
    tile16(a, b, c, ldc, steps, accumulate);
  else
    tile32(a, b, c, ldc, steps, accumulate);
}

static void block(const BlockProduct &p) {
  configure();
  blocks(p);
  _tile_release();
}

static constexpr PackedGemm kernels{"amx bf16", kPanel,     kStrip,
                                    packedBytes, packPanels, block};

bool ral::cpuHasAmx() {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 22 & 1) &&
         (d >> 24 & 1) && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bf16");
}

static bool isAvailable() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return cpuHasAmx() &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

const PackedGemm *ral::packedGemmAmx() {
  static const bool available = isAvailable();
  return available ? &kernels : nullptr;
}
