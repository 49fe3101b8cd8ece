// The product with a packed operand for any CPU, and the choice between them.
#include "kernels/PackedGemm.h"

using namespace ral;

static constexpr int kBytes = 16;
#ifdef RAL_HAS_X86_KERNELS // 16 registers
static constexpr int kRows = 6, kVectors = 2;
#else // 32
static constexpr int kRows = 8, kVectors = 3;
#endif
#define KEEP_IN_REGISTER(v)
#include "kernels/PackedGemm.inc"

static constexpr PackedGemm kernels{"base",         kPanel,     kRows,
                                    packedBytes, packPanels, block};

const PackedGemm *ral::packedGemmBase() { return &kernels; }

#ifndef RAL_HAS_X86_KERNELS
const PackedGemm *ral::packedGemmAvx2() { return nullptr; }
const PackedGemm *ral::packedGemmAvx512() { return nullptr; }
const PackedGemm *ral::packedGemmAmx() { return nullptr; }
#endif

static const PackedGemm *choose() {
  if (const PackedGemm *found = packedGemmAvx512())
    return found;
  if (const PackedGemm *found = packedGemmAvx2())
    return found;
  return packedGemmBase();
}

const PackedGemm &ral::packedGemm() {
  static const PackedGemm *const chosen = choose();
  return *chosen;
}

const PackedGemm &ral::packedGemmBf16() {
  const PackedGemm *found = packedGemmAmx();
  return found ? *found : packedGemm();
}
