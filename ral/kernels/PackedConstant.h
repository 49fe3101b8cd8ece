// Constants of a program as packed right operands of products.
#ifndef RAL_KERNELS_PACKEDCONSTANT_H
#define RAL_KERNELS_PACKEDCONSTANT_H

#include "kernels/PackedGemm.h"

struct ral_exec;

namespace ral {

/// Products of fewer columns are faster as dot products of rows.
constexpr int64_t kFewColumns = 8;

/// A packed right operand with the kernels that read it.
struct PackedRhs {
  const PackedGemm *kernels;
  const void *panels = nullptr;
  explicit operator bool() const { return panels; }
};

/// The kernels for operands of element type `dtype` (f32, f16, bf16): those that
/// round to bf16 for bf16, and for f32 in a program of that precision.
const PackedGemm &kernelsFor(const ral_exec *exec, int32_t dtype);

/// The packed form of a matrix of element type `dtype`, made on its first use and
/// kept with the program. Without panels where the matrix does not lie in a
/// constant of the program, has few columns, or there is no memory: read it as it
/// is then.
PackedRhs packedConstant(ral_exec *exec, const PackSource &source,
                         int32_t dtype);

} // namespace ral
#endif
