// Matrix products and conversions, from the inside.
#include "Testing.h"

#include "core/Parallel.h"
#include "kernels/GemmPlan.h"
#include "kernels/HalfFloat.h"
#include "kernels/KernelSet.h"

#include <cmath>

using namespace ral;
using testing::Random;

/// Buffers of exactly the size needed: reading beyond is found by the address
/// sanitizer, writing beyond also here.
static bool checkDirect(DirectGemmFn fn, Random &random) {
  int64_t m = random.size() % 150 + 1, n = random.size() % 150 + 1;
  int64_t k = random.size(), transposed = random.next() % 2;
  int64_t lda = k + int64_t(random.next() % 3);
  int64_t ldb = (transposed ? k : n) + int64_t(random.next() % 3);
  int64_t ldc = n + int64_t(random.next() % 3);
  int64_t rowsB = transposed ? n : k, columnsB = transposed ? k : n;
  std::vector<float> a = random.reals((m - 1) * lda + k);
  std::vector<float> b = random.reals((rowsB - 1) * ldb + columnsB);
  std::vector<float> c(static_cast<size_t>((m - 1) * ldc + n), 7.0f);
  fn({a.data(), b.data(), c.data(), lda, ldb, ldc, m, n, k, transposed != 0});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < (i + 1 < m ? ldc : n); ++j) {
      double sum = 0;
      for (int64_t x = 0; x < k && j < n; ++x)
        sum += double(a[size_t(i * lda + x)]) *
               b[size_t(transposed ? j * ldb + x : x * ldb + j)];
      double want = j < n ? sum : 7.0;
      if (std::fabs(want - c[size_t(i * ldc + j)]) > 1e-4)
        return false;
    }
  return true;
}

TEST(direct_products_are_right_for_every_instruction_set) {
  for (const KernelSet &set : kernelSets()) {
    Random random;
    for (int i = 0; i < 150; ++i)
      CHECK(checkDirect(set.direct, random));
  }
}

TEST(plans_use_the_workers_and_cover_everything) {
  for (int64_t workers : {1, 2, 3, 4, 7, 16, 64})
    for (int64_t batch : {1, 2, 3, 12, 96})
      for (int64_t m : {1, 7, 64, 2048})
        for (int64_t n : {1, 100, 3072}) {
          GemmProblem problem{};
          problem.batch = batch;
          problem.m = m;
          problem.n = n;
          problem.k = 768;
          GemmTile tile = workers % 2 ? GemmTile{1, 1} : GemmTile{8, 48};
          GemmGrid grid = planGemm(problem, workers, tile);
          CHECK(grid.batch >= 1 && grid.rows >= 1 && grid.columns >= 1);
          CHECK(grid.batch <= batch && grid.rows <= m && grid.columns <= n);
          if (batch * m * n > 1000000)
            CHECK(grid.pieces() >= workers);
        }
  for (int64_t extent : {0, 1, 15, 16, 17, 1000})
    for (int64_t pieces : {1, 2, 3, 64})
      for (int64_t unit : {1, 16}) {
        int64_t end = 0;
        for (int64_t i = 0; i < pieces; ++i) {
          Range range = pieceOf(extent, pieces, i, unit);
          CHECK_EQ(range.lo, end);
          CHECK(range.lo <= range.hi);
          end = range.hi;
        }
        CHECK_EQ(end, extent);
      }
}

TEST(half_floats_round_trip_and_round_to_even) {
  Parallel serial;
  std::vector<uint16_t> all(65536), back(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = uint16_t(i);
  std::vector<float> wide(65536);
  for (int32_t dtype : {int32_t(RAL_F16), int32_t(RAL_BF16)}) {
    widenHalf(serial, dtype, all.data(), wide.data(), 65536);
    narrowHalf(serial, dtype, wide.data(), back.data(), 65536);
    for (size_t i = 0; i < all.size(); ++i)
      if (std::isnan(wide[i]))
        CHECK(back[i] != 0 && (back[i] & 0x7c00) == 0x7c00);
      else
        CHECK_EQ(back[i], all[i]);
  }
  // 1 + 2^-11 is a tie (to even: 1); 65520 rounds to infinity; 2^-25 to 0.
  float values[] = {1 + 0x1p-11f, 1 + 0x1.8p-11f, 65519, 65520, 0x1p-25f,
                    0x1.8p-25f,   -0.0f,          1e30f};
  uint16_t want[] = {0x3c00, 0x3c01, 0x7bff, 0x7c00, 0, 1, 0x8000, 0x7c00};
  uint16_t got[8];
  narrowHalf(serial, RAL_F16, values, got, 8);
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(got[i], want[i]);
}
