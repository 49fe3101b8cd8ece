// The product with a packed operand, with AVX2 and FMA: 12 sums of the 16
// registers.
#include "kernels/PackedGemm.h"

using namespace ral;

static constexpr int kBytes = 32, kRows = 6, kVectors = 2;
// Read once from memory, not by each multiply-add.
#define KEEP_IN_REGISTER(v) asm("" : "+x"(v))
#include "kernels/PackedGemm.inc"

static constexpr PackedGemm kernels{"avx2",         kPanel,     kRows,
                                    packedBytes, packPanels, block};

const PackedGemm *ral::packedGemmAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
             ? &kernels
             : nullptr;
}
