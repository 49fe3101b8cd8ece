// The f32 kernels of each instruction set, and the choice between them.
#include "kernels/KernelSet.h"

#include <algorithm>
#include <unistd.h>

using namespace ral;

int64_t ral::blockBytes() {
  static const int64_t bytes = [] {
#ifdef _SC_LEVEL2_CACHE_SIZE
    int64_t cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
    int64_t cache = 0;
#endif
    // Not known, or not one core's: as for 1 MiB.
    return cache > 0 ? std::clamp<int64_t>(cache / 4, 64 << 10, 512 << 10) : 256 << 10;
  }();
  return bytes;
}

static const PackedGemm &noBf16Base() { return *packedGemmBase(); }

#ifdef RAL_HAS_X86_KERNELS
static const PackedGemm &noBf16Avx2() { return *packedGemmAvx2(); }
static const PackedGemm &noBf16Avx512() { return *packedGemmAvx512(); }
static const PackedGemm &bf16Avx512() { return *packedGemmAvx512Bf16(); }

/// Linux is asked for the tiles when they are first needed, and may refuse. Then f32
/// it is: CPUs with AMX run AVX512-BF16 at half the rate of f32.
static const PackedGemm &bf16Amx() {
  const PackedGemm *found = packedGemmAmx();
  return found ? *found : noBf16Avx512();
}

static void addX86(std::vector<KernelSet> &sets) {
  if (const PackedGemm *packed = packedGemmAvx512()) {
    auto add = [&](const char *name, const PackedGemm &(*bf16)()) {
      sets.push_back({name, packed, bf16, directGemmAvx512, &convKernelsAvx512});
    };
    if (cpuHasAmx())
      add("amx", bf16Amx);
    if (packedGemmAvx512Bf16())
      add("avx512bf16", bf16Avx512);
    add("avx512", noBf16Avx512);
  }
  if (const PackedGemm *packed = packedGemmAvx2())
    sets.push_back({"avx2", packed, noBf16Avx2, directGemmAvx2, &convKernelsAvx2});
}
#endif

static std::vector<KernelSet> makeSets() {
  std::vector<KernelSet> sets;
#ifdef RAL_HAS_X86_KERNELS
  addX86(sets);
#endif
  sets.push_back({"base", packedGemmBase(), noBf16Base, directGemmBase, &convKernelsBase});
  return sets;
}

const std::vector<KernelSet> &ral::kernelSets() {
  static const auto &sets = *new std::vector<KernelSet>(makeSets());
  return sets;
}

const KernelSet *ral::kernelSet(const char *name) {
  for (const KernelSet &set : kernelSets())
    if (!name || !*name || set.name == name)
      return &set;
  return nullptr;
}
