// The product with a packed operand for any CPU.
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
