// Products with a packed operand, for every instruction set of this CPU.
#include "Testing.h"

#include "kernels/KernelSet.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace ral;
using testing::Random;

static void add(std::vector<const PackedGemm *> &all, const PackedGemm *kernels) {
  if (std::find(all.begin(), all.end(), kernels) == all.end())
    all.push_back(kernels);
}

static std::vector<const PackedGemm *> allKernels() {
  std::vector<const PackedGemm *> out;
  for (const KernelSet &set : kernelSets())
    add(out, set.packed);
  return out;
}

static std::vector<const PackedGemm *> bf16Kernels() {
  std::vector<const PackedGemm *> out;
  for (const KernelSet &set : kernelSets())
    if (const PackedGemm &kernels = set.packedBf16(); &kernels != set.packed)
      add(out, &kernels);
  return out;
}

namespace {
struct Free {
  void operator()(float *data) const { std::free(data); }
};

/// Operands in buffers of exactly the size needed: reading beyond is found by
/// the address sanitizer, writing beyond also by `isRight`.
struct Product {
  const PackedGemm &kernels;
  int64_t m, n, k;
  bool transposedA, transposedB;
  int64_t lda, ldb, ldc;
  std::vector<float> a, b, c;
  std::unique_ptr<float, Free> panels;
  PackedMatrix packed;

  Product(const PackedGemm &kernels, Random &random, int64_t m, int64_t n,
          int64_t k)
      : kernels(kernels), m(m), n(n), k(k), transposedA(random.next() % 2),
        transposedB(random.next() % 2) {
    lda = (transposedA ? m : k) + int64_t(random.next() % 3);
    ldb = (transposedB ? k : n) + int64_t(random.next() % 3);
    ldc = n + int64_t(random.next() % 3);
    a = random.reals(area(transposedA ? k : m, transposedA ? m : k, lda));
    b = random.reals(area(transposedB ? n : k, transposedB ? k : n, ldb));
    c.assign(size_t(area(m, n, ldc)), 7.0f);
    int64_t bytes = (kernels.packedBytes(k, n) + 63) / 64 * 64;
    panels.reset(static_cast<float *>(std::aligned_alloc(64, size_t(bytes))));
    packed = {panels.get(), k, n};
  }
  static int64_t area(int64_t rows, int64_t columns, int64_t ld) {
    return rows > 0 ? (rows - 1) * ld + columns : 0;
  }

  void pack(int64_t n0, int64_t n1) {
    kernels.pack({b.data(), ldb, k, n, transposedB}, n0, n1, panels.get());
  }
  void run(int64_t i0, int64_t i1, int64_t n0, int64_t n1, int64_t k0,
           int64_t k1, bool accumulate) {
    int64_t row = transposedA ? 1 : lda, step = transposedA ? lda : 1;
    kernels.block({a.data() + i0 * row + k0 * step, row, step, &packed,
                   c.data() + i0 * ldc + n0, ldc, i1 - i0, n0, n1, k0, k1,
                   accumulate});
  }

  /// `round` is what the kernels do to operands.
  bool isRight(float (*round)(float) = [](float x) { return x; }) const {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < (i + 1 < m ? ldc : n); ++j) {
        double sum = j < n ? 0 : 7;
        for (int64_t x = 0; x < k && j < n; ++x)
          sum +=
              double(round(a[size_t(transposedA ? x * lda + i : i * lda + x)])) *
              round(b[size_t(transposedB ? j * ldb + x : x * ldb + j)]);
        if (!(std::fabs(sum - c[size_t(i * ldc + j)]) <= 1e-4))
          return false;
      }
    return true;
  }
};
} // namespace

TEST(packed_products_are_right_and_the_same_in_pieces) {
  for (const PackedGemm *kernels : allKernels()) {
    Random random;
    for (int round = 0; round < 150; ++round) {
      int64_t m = random.size() % 150, n = random.size() % 200;
      int64_t k = round % 10 ? random.size() : random.size() % 2 * 1700;
      Product p(*kernels, random, m, n, k);
      p.pack(0, n);
      p.run(0, m, 0, n, 0, k, false);
      CHECK(p.isRight());
      // Packed by two, computed in eight pieces: bit for bit the same.
      std::vector<float> whole = p.c;
      int64_t n0 = int64_t(random.next()) % (n / kernels->panel + 1) *
                   kernels->panel;
      int64_t i0 = int64_t(random.next()) % (m + 1);
      int64_t k0 = int64_t(random.next()) % (k + 1);
      std::memset(p.panels.get(), 0xff, size_t(kernels->packedBytes(k, n)));
      p.pack(n0, n);
      p.pack(0, n0);
      for (int piece = 0; piece < 4; ++piece) {
        int64_t iFrom = piece & 1 ? i0 : 0, iTo = piece & 1 ? m : i0;
        int64_t nFrom = piece & 2 ? n0 : 0, nTo = piece & 2 ? n : n0;
        p.run(iFrom, iTo, nFrom, nTo, 0, k0, false);
        p.run(iFrom, iTo, nFrom, nTo, k0, k, true);
      }
      CHECK(whole.empty() || std::memcmp(whole.data(), p.c.data(),
                                         whole.size() * sizeof(float)) == 0);
    }
  }
}

static float roundToBf16(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

static void checkBf16(const PackedGemm *kernels) {
  Random random;
  for (int round = 0; round < 150; ++round) {
    int64_t m = random.size() % 150, n = random.size() % 200;
    int64_t k = round % 10 ? random.size() : random.size() % 2 * 1700;
    Product p(*kernels, random, m, n, k);
    p.pack(0, n);
    p.run(0, m, 0, n, 0, k, false);
    CHECK(p.isRight(roundToBf16));
    std::vector<float> whole = p.c;
    int64_t i0 = int64_t(random.next()) % (m + 1);
    int64_t n0 = n / 2 / kernels->panel * kernels->panel;
    for (int piece = 0; piece < 4; ++piece)
      p.run(piece & 1 ? i0 : 0, piece & 1 ? m : i0, piece & 2 ? n0 : 0,
            piece & 2 ? n : n0, 0, k, false);
    CHECK(whole.empty() || std::memcmp(whole.data(), p.c.data(),
                                       whole.size() * sizeof(float)) == 0);
    int64_t k0 = int64_t(random.next()) % (k + 1);
    p.run(0, m, 0, n, 0, k0, false);
    p.run(0, m, 0, n, k0, k, true);
    CHECK(p.isRight(roundToBf16));
  }
}

TEST(packed_bf16_products_are_right_and_the_same_in_blocks) {
  for (const PackedGemm *kernels : bf16Kernels())
    checkBf16(kernels);
}

TEST(a_row_of_a_bf16_product_is_the_same_alone) {
  for (const PackedGemm *kernels : bf16Kernels()) {
    Random random;
    Product p(*kernels, random, 37, 100, 1700);
    p.pack(0, p.n);
    p.run(0, p.m, 0, p.n, 0, p.k, false);
    std::vector<float> whole = p.c;
    for (int64_t i = 0; i < p.m; ++i)
      p.run(i, i + 1, 0, p.n, 0, p.k, false);
    CHECK(std::memcmp(whole.data(), p.c.data(), whole.size() * sizeof(float)) == 0);
  }
}

TEST(packed_products_of_many_panels_and_long_rows_are_right) {
  for (const PackedGemm *kernels : allKernels()) {
    Random random;
    for (int64_t m : {1, 3, 20}) {
      Product p(*kernels, random, m, 1000, 1600);
      p.pack(0, p.n);
      p.run(0, m, 0, p.n, 0, p.k, false);
      CHECK(p.isRight());
    }
  }
}

TEST(packed_products_keep_values_that_are_not_finite_in_their_place) {
  std::vector<const PackedGemm *> all = allKernels();
  for (const PackedGemm *kernels : bf16Kernels())
    all.push_back(kernels);
  for (const PackedGemm *kernels : all) {
    Random random;
    Product p(*kernels, random, 9, 50, 20);
    p.b[0] = INFINITY; // element (0, 0)
    p.pack(0, 50);
    p.run(0, 9, 0, 50, 0, 20, false);
    for (int64_t i = 0; i < 9; ++i)
      for (int64_t j = 0; j < 50; ++j)
        CHECK_EQ(std::isfinite(p.c[size_t(i * p.ldc + j)]), j != 0);
  }
}
