// The f32 kernels of each instruction set, and the choice between them.
#ifndef RAL_KERNELS_KERNELSET_H
#define RAL_KERNELS_KERNELSET_H

#include "kernels/Conv.h"
#include "kernels/DirectGemm.h"
#include "kernels/PackedGemm.h"

#include <string>
#include <vector>

namespace ral {

struct KernelSet {
  std::string name;
  const PackedGemm *packed;
  /// Operands rounded to bf16, sums in f32, where that is faster; else `packed`.
  const PackedGemm &(*packedBf16)();
  DirectGemmFn direct;
  const ConvKernels *conv;
};

/// Those that this CPU can run, the best first.
const std::vector<KernelSet> &kernelSets();
/// The one of that name, the best where it is null or empty; null where there is
/// none.
const KernelSet *kernelSet(const char *name);

} // namespace ral
#endif
