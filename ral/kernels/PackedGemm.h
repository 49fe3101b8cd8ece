// Matrix products with a right operand that was packed before: serial, on
// plain memory, without a context. The caller splits the work over threads.
#ifndef RAL_KERNELS_PACKEDGEMM_H
#define RAL_KERNELS_PACKEDGEMM_H

#include <cstdint>

namespace ral {

/// A matrix b [k, n] in the order in which products read it: panels of
/// `PackedGemm::panel` columns (the last is narrower), each [k, its columns],
/// columns rounded up to whole vectors with zeros.
struct PackedMatrix {
  const float *data; // 64-byte aligned, `packedBytes(k, n)` of them
  int64_t k, n;
};

/// What to pack: b [k, n], or [n, k] when transposed; rows are contiguous.
struct PackSource {
  const float *data;
  int64_t ld; // distance of rows
  int64_t k, n;
  bool transposed;
};

/// c [m, n1 - n0] = a [m, k1 - k0] x rows [k0, k1), columns [n0, n1) of b.
/// Every element is one chain of multiply-adds in the order of k, whatever the
/// other sizes are: a row or a column comes out the same in any block, and
/// [0, k) in steps that accumulate the same as at once.
struct BlockProduct {
  const float *a; // element (0, k0)
  int64_t lda;    // distance of rows
  int64_t aStep;  // distance of columns: 1, or lda = 1 when transposed
  const PackedMatrix *b;
  float *c; // element (0, n0)
  int64_t ldc;
  int64_t m;
  int64_t n0, n1;  // n0 is a multiple of `panel`; n1 too, or it is n
  int64_t k0, k1;
  bool accumulate; // add to c
};

/// The kernels of one instruction set.
struct PackedGemm {
  const char *name;
  int64_t panel; // columns of a panel
  int64_t lanes; // of a vector
  int64_t rows;  // of the largest tile
  /// Packs columns [n0, n1) into their place; bounds as in BlockProduct, so
  /// that threads can share the work.
  void (*pack)(const PackSource &source, int64_t n0, int64_t n1, float *to);
  void (*block)(const BlockProduct &product);

  int64_t packedBytes(int64_t k, int64_t n) const {
    return k * ((n + lanes - 1) / lanes * lanes) * int64_t(sizeof(float));
  }
};

/// Those for this CPU. A packed matrix is for the kernels that packed it.
const PackedGemm &packedGemm();

// One for each instruction set; null: this CPU or build has it not.
const PackedGemm *packedGemmBase();
const PackedGemm *packedGemmAvx2();
const PackedGemm *packedGemmAvx512();

} // namespace ral
#endif
