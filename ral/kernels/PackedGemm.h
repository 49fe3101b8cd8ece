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
  const void *data; // 64-byte aligned, `packedBytes(k, n)` of them
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
/// In f32 every element is one chain of multiply-adds in the order of k, whatever
/// the other sizes are: a row or a column comes out the same in any block, and
/// [0, k) in steps that accumulate the same as at once. In bf16 rows and columns
/// are, steps of k are not.
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

/// What a tile brings into the L2 cache meanwhile: `step` bytes from `from` on for
/// each row of b, or each pair of rows.
struct Ahead {
  const char *from;
  int64_t step;
};

/// The block of b after this one, of which each strip of rows of a brings its part.
struct NextBlock {
  int64_t n0, k0;
};

/// How many bytes of b stay in the L2 cache while the rows of a pass by: a quarter
/// of it, since the next block comes in meanwhile, and a and c pass through it.
int64_t blockBytes();

/// The kernels of one instruction set and precision. A packed matrix is for those
/// that packed it.
struct PackedGemm {
  const char *name;
  int64_t panel; // columns of a panel
  int64_t rows;  // of the largest tile
  int64_t (*packedBytes)(int64_t k, int64_t n);
  /// Packs columns [n0, n1) into their place; bounds as in BlockProduct, so
  /// that threads can share the work.
  void (*pack)(const PackSource &source, int64_t n0, int64_t n1, void *to);
  void (*block)(const BlockProduct &product);
};

// One for each instruction set; null: this CPU has it not. KernelSet.h chooses. All
// but the first are of builds for x86-64.
const PackedGemm *packedGemmBase();
const PackedGemm *packedGemmAvx2();
const PackedGemm *packedGemmAvx512();
const PackedGemm *packedGemmAvx512Bf16();
bool cpuHasAmx();
const PackedGemm *packedGemmAmx(); // bf16; null also: Linux refuses the tiles

} // namespace ral
#endif
