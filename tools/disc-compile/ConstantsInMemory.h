// Constants of long loop bodies that are read where they are used.
#ifndef DISC_TOOLS_CONSTANTSINMEMORY_H
#define DISC_TOOLS_CONSTANTSINMEMORY_H

#include "llvm/IR/Module.h"

namespace disc {

/// Where many chains of vector operations go side by side, registers are for them: LLVM would hold the constants of the loop in registers,
/// run out, and put chains one after the other. The loop reads them from a table whose address it cannot know.
void keepConstantsInMemory(llvm::Module &module);

} // namespace disc
#endif
