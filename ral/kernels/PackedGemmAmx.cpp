// The product with a packed operand in bf16, with AMX: tiles of 16 x 32 numbers,
// sums in f32. Operands are rounded to nearest even, denormal ones are zero.
#include "kernels/PackedGemm.h"

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ral;

// Functions are static: code for one instruction set must not stand in for
// another.
static constexpr int64_t kPanel = 32, kChunk = 32; // columns, rows of b in a step
static constexpr int64_t kStrip = 32;              // rows of a
static constexpr int64_t kDepth = 512;             // rows of b in a block
static constexpr int64_t kBlockBytes = 768 << 10;  // of b
static constexpr int64_t kStepBytes = kPanel * kChunk * 2;
static constexpr int64_t kAhead = 4; // steps of b to prefetch

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t packedBytes(int64_t k, int64_t n) {
  return ceilDiv(n, kPanel) * ceilDiv(k, kChunk) * kStepBytes;
}

/// Sixteen rows of 64 bytes in each of the eight tiles.
static void configure() {
  alignas(64) unsigned char config[64] = {1};
  for (int tile = 0; tile < 8; ++tile) {
    config[16 + 2 * tile] = 64;
    config[48 + tile] = 16;
  }
  _tile_loadconfig(config);
}

/// to [16] = pairs of bf16: `even` and `odd` are the rows 2r and 2r + 1.
static inline void storePairs(__m512 even, __m512 odd, char *to) {
  constexpr __mmask16 all = 0xffff;
  __m512i low = _mm512_maskz_cvtepu16_epi32(all, (__m256i)_mm512_cvtneps_pbh(even));
  __m512i high = _mm512_maskz_cvtepu16_epi32(all, (__m256i)_mm512_cvtneps_pbh(odd));
  _mm512_store_si512(to, _mm512_or_si512(low, _mm512_maskz_slli_epi32(all, high, 16)));
}

/// One step of a panel: rows [k, k + 32) and columns [n, n + 32) of b.
static void packStep(const PackSource &p, int64_t k, int64_t n, char *to) {
  alignas(64) float rows[kChunk][kPanel];
  int64_t depth = least(kChunk, p.k - k), columns = least(kPanel, p.n - n);
  for (int64_t i = 0; i < kChunk; ++i)
    for (int64_t j = 0; j < kPanel; ++j)
      rows[i][j] = 0.0f;
  if (p.transposed) {
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < depth; ++i)
        rows[i][j] = p.data[(n + j) * p.ld + k + i];
  } else {
    for (int64_t i = 0; i < depth; ++i)
      for (int64_t j = 0; j < columns; ++j)
        rows[i][j] = p.data[(k + i) * p.ld + n + j];
  }
  for (int64_t half = 0; half < 2; ++half)
    for (int64_t r = 0; r < 16; ++r, to += 64)
      storePairs(_mm512_load_ps(rows[2 * r] + 16 * half),
                 _mm512_load_ps(rows[2 * r + 1] + 16 * half), to);
}

static void packPanels(const PackSource &p, int64_t n0, int64_t n1, void *to) {
  int64_t steps = ceilDiv(p.k, kChunk);
  for (int64_t n = n0; n < n1; n += kPanel)
    for (int64_t step = 0; step < steps; ++step)
      packStep(p, step * kChunk, n,
               static_cast<char *>(to) +
                   (n / kPanel * steps + step) * kStepBytes);
}

/// Rows of a as bf16: [depth / 32][padded rows][32]. Zero where k is outside
/// [0, depth), which starts `before` its first step.
static void convertRows(const float *a, int64_t lda, int64_t aStep, int64_t rows,
                        int64_t padded, int64_t before, int64_t depth, char *to) {
  int64_t steps = ceilDiv(before + depth, kChunk);
  for (int64_t step = 0; step < steps; ++step)
    for (int64_t i = 0; i < padded; ++i, to += 64) {
      int64_t k = step * kChunk - before;
      const float *from = a + i * lda + k * aStep;
      alignas(64) float edge[kChunk];
      if (i >= rows || k < 0 || k + kChunk > depth || aStep != 1) {
        for (int64_t x = 0; x < kChunk; ++x)
          edge[x] = i < rows && k + x >= 0 && k + x < depth
                        ? a[i * lda + (k + x) * aStep]
                        : 0.0f;
        from = edge;
      }
      _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(
                                 _mm512_loadu_ps(from + 16), _mm512_loadu_ps(from)));
    }
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

static void tile(int64_t padded, const char *a, const char *b, float *c,
                 int64_t ldc, int64_t steps, bool accumulate) {
  if (padded == 16)
    tile16(a, b, c, ldc, steps, accumulate);
  else
    tile32(a, b, c, ldc, steps, accumulate);
}

/// Where c has fewer rows or columns than the tiles: through a buffer.
static void edgeTile(int64_t rows, int64_t padded, int64_t columns, const char *a,
                     const char *b, float *c, int64_t ldc, int64_t steps,
                     bool accumulate) {
  alignas(64) float edge[kStrip * kPanel];
  if (accumulate)
    for (int64_t i = 0; i < padded; ++i)
      for (int64_t j = 0; j < kPanel; ++j)
        edge[i * kPanel + j] =
            i < rows && j < columns ? c[i * ldc + j] : 0.0f;
  tile(padded, a, b, edge, kPanel, steps, accumulate);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      c[i * ldc + j] = edge[i * kPanel + j];
}

static void clear(const BlockProduct &p) {
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n1 - p.n0; ++j)
      p.c[i * p.ldc + j] = 0.0f;
}

/// Rows [k0, k1) of b times rows of a, for columns [n0, n1).
static void blockOf(const BlockProduct &p, int64_t n0, int64_t n1, int64_t k0,
                    int64_t k1, bool accumulate) {
  alignas(64) char strip[(kDepth + kChunk) * kStrip * 2];
  int64_t firstStep = k0 / kChunk, steps = ceilDiv(k1, kChunk) - firstStep;
  auto *panels = static_cast<const char *>(p.b->data);
  int64_t panelBytes = ceilDiv(p.b->k, kChunk) * kStepBytes;
  for (int64_t i = 0; i < p.m; i += kStrip) {
    int64_t rows = least(kStrip, p.m - i), padded = rows <= 16 ? 16 : 32;
    convertRows(p.a + i * p.lda + (k0 - p.k0) * p.aStep, p.lda, p.aStep, rows,
                padded, k0 - firstStep * kChunk, k1 - k0, strip);
    for (int64_t n = n0; n < n1; n += kPanel) {
      int64_t columns = least(kPanel, n1 - n);
      const char *b = panels + n / kPanel * panelBytes + firstStep * kStepBytes;
      float *c = p.c + i * p.ldc + (n - p.n0);
      if (rows == padded && columns == kPanel)
        tile(padded, strip, b, c, p.ldc, steps, accumulate);
      else
        edgeTile(rows, padded, columns, strip, b, c, p.ldc, steps, accumulate);
    }
  }
}

static void block(const BlockProduct &p) {
  if (p.m <= 0 || p.n1 <= p.n0)
    return;
  if (p.k1 <= p.k0)
    return p.accumulate ? void() : clear(p);
  configure();
  int64_t held = kBlockBytes / (least(kDepth, p.k1 - p.k0) * 2) / kPanel + 1;
  for (int64_t n = p.n0; n < p.n1; n += held * kPanel)
    for (int64_t k = p.k0; k < p.k1;) {
      int64_t end = least(k / kDepth * kDepth + kDepth, p.k1);
      blockOf(p, n, least(n + held * kPanel, p.n1), k, end,
              p.accumulate || k > p.k0);
      k = end;
    }
  _tile_release();
}

static constexpr PackedGemm kernels{"amx bf16", kPanel,     kStrip,
                                    packedBytes, packPanels, block};

/// The CPU has the instructions and Linux lets the process use the tiles.
static bool isAvailable() {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 22 & 1) ||
      !(d >> 24 & 1) || !__builtin_cpu_supports("avx512f") ||
      !__builtin_cpu_supports("avx512bf16"))
    return false;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

const PackedGemm *ral::packedGemmAmx() {
  static const bool available = isAvailable();
  return available ? &kernels : nullptr;
}
