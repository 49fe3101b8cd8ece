// A lowered module in parts that LLVM compiles side by side.
#ifndef DISC_TOOLS_DISC_COMPILE_PARTS_H
#define DISC_TOOLS_DISC_COMPILE_PARTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace disc {

/// Moves the kernels of `module` to modules of their own, at most `count`, the one with most work first. `module` is left with the
/// program, which calls them. None where a kernel has a variable that others could see.
mlir::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> takeKernels(mlir::ModuleOp module, unsigned count);

} // namespace disc

#endif // DISC_TOOLS_DISC_COMPILE_PARTS_H
