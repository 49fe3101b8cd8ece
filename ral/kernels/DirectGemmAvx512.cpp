// The direct product with AVX-512.
#include "kernels/DirectGemm.h"

using namespace ral;

static constexpr int kBytes = 64, kRows = 6, kVectors = 4, kDotRows = 6;
#include "kernels/DirectGemm.inc"

void ral::directGemmAvx512(const DirectProduct &p) { product(p); }
