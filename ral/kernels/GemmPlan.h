// A matrix product as data, and how it is split over workers.
#ifndef RAL_KERNELS_GEMMPLAN_H
#define RAL_KERNELS_GEMMPLAN_H

#include "core/Range.h"

namespace ral {

constexpr int32_t kMaxBatchDims = 6;

/// One operand: a batch of matrices whose rows or columns are contiguous.
struct Matrix {
  char *data;
  int64_t batchStrides[kMaxBatchDims]; // in elements
  int64_t ld; // distance of rows, or of columns when transposed
  bool transposed;
};

struct GemmProblem {
  int64_t batch, m, n, k; // batch: the product of the batch dimensions
  int32_t batchDims;
  int64_t batchSizes[kMaxBatchDims];
  Matrix lhs, rhs, out; // out is never transposed
};

/// A grid of pieces; each is one call of a serial product.
struct GemmGrid {
  int64_t batch, rows, columns;
  int64_t pieces() const { return batch * rows * columns; }
};

/// Rows and columns that a kernel computes at a time, at the cost of all where
/// there are fewer.
struct GemmTile {
  int64_t rows, columns;
};
GemmGrid planGemm(const GemmProblem &problem, int64_t workers, GemmTile tile);

} // namespace ral
#endif
