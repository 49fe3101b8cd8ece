// Arithmetic that the target does better than LLVM's general form of it.
#ifndef DISC_TOOLS_DISC_COMPILE_TARGETMATH_H
#define DISC_TOOLS_DISC_COMPILE_TARGETMATH_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace disc {

/// Replaces the divisions and square roots that passes/cpu/scalar/Expr.cpp marks, by approximations refined to its bounds where the target
/// has them, and takes the marks off; `ldexp` becomes arithmetic where the target has no instruction, the maximum with 0 one instruction where
/// it has one.
void useTargetMath(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace disc

#endif // DISC_TOOLS_DISC_COMPILE_TARGETMATH_H
