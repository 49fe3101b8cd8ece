// Memory bandwidth of OMP_NUM_THREADS threads, in GB/s of the bytes that the program names (write-allocate
// traffic is not counted). Prints lines `name bytes best median`; bytes: of all arrays of the loop together.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <vector>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

static const long alone = 1L << 14; // fewer elements are not worth a second thread

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void copy(float *a, const float *b, long n) {
#pragma omp parallel for if (n > alone)
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 1.f; // not memcpy: plain stores
}

static void copyStreaming(float *a, const float *b, long n) {
#ifdef __AVX512F__
#pragma omp parallel for if (n > alone)
  for (long i = 0; i < n; i += 16)
    _mm512_stream_ps(a + i, _mm512_add_ps(_mm512_load_ps(b + i), _mm512_set1_ps(1.f)));
#else
  copy(a, b, n);
#endif
}

static void triad(float *a, const float *b, const float *c, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = b[i] + 3.f * c[i];
}

static float sum(const float *b, long n) {
  float s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (long i = 0; i < n; i++)
    s += b[i];
  return s;
}

// out = a + 1, or a + b where there is a b; inputs of any alignment. An aligned result of 8 MiB and more is stored past the caches.
extern "C" void stream(float *out, const float *a, const float *b, long n) {
  const long large = 1L << 21, threads = n > alone ? omp_get_max_threads() : 1, part = (n / threads + 16) & ~15L;
#pragma omp parallel for num_threads(threads)
  for (long t = 0; t < threads; t++) {
    long i = t * part, end = std::min(n, i + part);
#ifdef __AVX512F__
    if (n >= large && (size_t)out % 64 == 0)
      for (; i + 16 <= end; i += 16)
        _mm512_stream_ps(out + i, b ? _mm512_add_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i))
                                    : _mm512_add_ps(_mm512_loadu_ps(a + i), _mm512_set1_ps(1.f)));
#endif
    if (b)
      for (; i < end; i++)
        out[i] = a[i] + b[i];
    else
      for (; i < end; i++)
        out[i] = a[i] + 1.f;
  }
}

template <typename Loop> static void measure(const char *name, double bytes, Loop loop) {
  long repeats = std::max(1L, (long)(4e6 / bytes));
  std::vector<double> seconds;
  loop();
  for (int round = 0; round < 9; round++) {
    double begun = now();
    for (long r = 0; r < repeats; r++)
      loop();
    seconds.push_back((now() - begun) / repeats);
  }
  std::sort(seconds.begin(), seconds.end());
  printf("%s %.0f %.3f %.3f\n", name, bytes, bytes / seconds[0] / 1e9, bytes / seconds[4] / 1e9);
}

int main(int argc, char **argv) {
  const long largest = 1L << 26; // elements; 256 MiB an array
  float *a = (float *)aligned_alloc(64, largest * 4), *b = (float *)aligned_alloc(64, largest * 4),
        *c = (float *)aligned_alloc(64, largest * 4);
#pragma omp parallel for
  for (long i = 0; i < largest; i++)
    a[i] = 1, b[i] = 2, c[i] = 3;
  float sink = 0;
  for (long n = 1L << 12; n <= largest; n <<= 2) {
    measure("copy", 8. * n, [&] { copy(a, b, n); });
    measure("copy_streaming", 8. * n, [&] { copyStreaming(a, b, n); });
  }
  measure("triad", 12. * largest, [&] { triad(a, b, c, largest); });
  measure("read", 4. * largest, [&] { sink += sum(b, largest); });
  return sink == 12345.f;
}
