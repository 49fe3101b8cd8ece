// The product with a packed operand in bf16, with AVX512-BF16: each instruction
// adds the products of a pair of bf16 to each of 16 sums, of which 24 vectors stay
// in registers.
#include "kernels/PackedGemm.h"

#include <immintrin.h>

using namespace ral;

static constexpr int64_t kPanel = 48, kStrip = 8, kUnit = 1, kDepth = 768;
static inline int64_t bytesHeld() { return ral::blockBytes(); }
static inline int64_t paddedRows(int64_t rows) { return rows; }
static inline int64_t paddedColumns(int64_t columns) {
  return (columns + 15) / 16 * 16;
}
static void tile(int64_t rows, int64_t columns, const char *a, const char *b,
                 float *c, int64_t ldc, int64_t pairs, bool accumulate,
                 Ahead ahead);
#include "kernels/PackedGemmBf16.inc"

using Pair = int32_t __attribute__((may_alias));
static constexpr int64_t kAheadBytes = 2 * kStepBytes; // of b to prefetch

/// Unrolled, or else the sums are an array in memory.
#define EACH(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < count; ++i)

/// c [Rows, 16 Vectors] (+)= a [Rows, 2 pairs] x b [the same, 16 Vectors].
template <int Rows, int Vectors>
static void tileOfSize(const char *a, const char *b, float *c, int64_t ldc,
                       int64_t pairs, bool accumulate, Ahead ahead) {
  __m512 sum[Rows][Vectors];
  float *to = c;
  EACH(i, Rows) {
    EACH(j, Vectors)
      sum[i][j] = accumulate ? _mm512_loadu_ps(to + 16 * j) : __m512{};
    to += ldc;
  }
  for (; pairs > 0; pairs -= 16, a += 64 * Rows, b += kStepBytes) {
    const char *row = b, *factors = a;
    for (int64_t last = least(16, pairs); last > 0; --last, row += 64, factors += 4) {
      _mm_prefetch(ahead.from, _MM_HINT_T1);
      ahead.from += ahead.step;
      __m512i pair[Vectors];
      EACH(j, Vectors) {
        pair[j] = _mm512_load_si512(row + 1024 * j);
        _mm_prefetch(row + 1024 * j + kAheadBytes, _MM_HINT_T0);
      }
      EACH(i, Rows) {
        __m512i factor = _mm512_set1_epi32(*reinterpret_cast<const Pair *>(factors + 64 * i));
        asm("" : "+v"(factor)); // read once from memory
        EACH(j, Vectors)
          sum[i][j] = _mm512_dpbf16_ps(sum[i][j], (__m512bh)factor, (__m512bh)pair[j]);
      }
    }
  }
  EACH(i, Rows) {
    EACH(j, Vectors)
      _mm512_storeu_ps(c + 16 * j, sum[i][j]);
    c += ldc;
  }
}

#undef EACH

template <int Rows, int Vectors>
static void tileOf(int64_t rows, int64_t columns, const char *a, const char *b,
                   float *c, int64_t ldc, int64_t pairs, bool accumulate,
                   Ahead ahead) {
  if constexpr (Vectors > 1)
    if (columns < 16 * Vectors)
      return tileOf<Rows, Vectors - 1>(rows, columns, a, b, c, ldc, pairs, accumulate,
                                       ahead);
  if constexpr (Rows > 1)
    if (rows < Rows)
      return tileOf<Rows - 1, Vectors>(rows, columns, a, b, c, ldc, pairs, accumulate,
                                       ahead);
  tileOfSize<Rows, Vectors>(a, b, c, ldc, pairs, accumulate, ahead);
}

static void tile(int64_t rows, int64_t columns, const char *a, const char *b,
                 float *c, int64_t ldc, int64_t pairs, bool accumulate,
                 Ahead ahead) {
  tileOf<kStrip, kPanel / 16>(rows, columns, a, b, c, ldc, pairs, accumulate, ahead);
}

static constexpr PackedGemm kernels{"avx512 bf16", kPanel,     kStrip,
                                    packedBytes,   packPanels, blocks};

const PackedGemm *ral::packedGemmAvx512Bf16() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bf16")
             ? &kernels
             : nullptr;
}
