// The direct product for any CPU.
#include "kernels/DirectGemm.h"

using namespace ral;

#ifdef RAL_HAS_X86_KERNELS // 16 registers
static constexpr int kVectors = 2;
#else // 32
static constexpr int kVectors = 4;
#endif
static constexpr int kBytes = 16, kRows = 6, kDotRows = 2;
#include "kernels/DirectGemm.inc"

void ral::directGemmBase(const DirectProduct &p) { product(p); }
