// Fused multiply-adds for processors that have none.
#ifndef DISC_TOOLS_FUSEDMULTIPLYADD_H
#define DISC_TOOLS_FUSEDMULTIPLYADD_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace disc {

/// Where an x86 processor has no fused multiply-add, computes those of f32 in
/// double, with the bits of the instruction: LLVM would call `fmaf` for each
/// element. Those of f64 stay such calls.
void emulateFusedMultiplyAdd(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace disc
#endif
