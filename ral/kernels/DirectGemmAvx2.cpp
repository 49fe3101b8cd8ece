// The direct product with AVX2 and FMA.
#include "kernels/DirectGemm.h"

using namespace ral;

static constexpr int kBytes = 32, kRows = 6, kVectors = 2, kDotRows = 3;
#include "kernels/DirectGemm.inc"

void ral::directGemmAvx2(const DirectProduct &p) { product(p); }
