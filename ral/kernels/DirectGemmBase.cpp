// The direct product for any CPU.
#include "kernels/DirectGemm.h"

using namespace ral;

static constexpr int kBytes = 16, kRows = 6, kVectors = 2, kDotRows = 2;
#include "kernels/DirectGemm.inc"

void ral::directGemmBase(const DirectProduct &p) { product(p); }
