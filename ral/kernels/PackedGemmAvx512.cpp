// The product with a packed operand, with AVX-512: 24 sums of the 32 registers.
#include "kernels/PackedGemm.h"

using namespace ral;

static constexpr int kBytes = 64, kRows = 8, kVectors = 3;
// Read once from memory, not by each multiply-add.
#define KEEP_IN_REGISTER(v) asm("" : "+v"(v))
#include "kernels/PackedGemm.inc"

static constexpr PackedGemm kernels{"avx512",         kPanel,     kRows,
                                    packedBytes, packPanels, block};

const PackedGemm *ral::packedGemmAvx512() {
  return __builtin_cpu_supports("avx512f") ? &kernels : nullptr;
}
