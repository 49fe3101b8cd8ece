// Why ops are in one kernel, in one stitch, or apart.
#ifndef DISC_TOOLS_DISC_OPT_EXPLAINFUSION_H
#define DISC_TOOLS_DISC_OPT_EXPLAINFUSION_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace disc {

/// Runs the phases from `from` (empty: the first) to `fusion` on a file. Prints its kernels,
/// stitches and what stayed apart; or, for a query `A,B`, how A and B relate. Both are
/// `LINE`, `LINE:COLUMN`, `FILE:LINE:COLUMN` or the name of an op.
mlir::LogicalResult explainFusion(llvm::StringRef file, llvm::StringRef from, llvm::StringRef query,
                                  const mlir::DialectRegistry &registry);

} // namespace disc

#endif // DISC_TOOLS_DISC_OPT_EXPLAINFUSION_H
