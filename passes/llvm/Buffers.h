// What host code knows of a buffer.
#ifndef DISC_PASSES_LLVM_BUFFERS_H
#define DISC_PASSES_LLVM_BUFFERS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <string>

namespace disc {

/// Whether the program gives the buffer, or a view of it, to its caller.
bool isSent(mlir::Value buffer);

/// What a buffer that RAL refuses is for, and its dynamic sizes, which {0} and so on in the text are. An arena names
/// the buffer in it that is the largest at typical sizes.
std::pair<std::string, llvm::SmallVector<mlir::Value>> describeBuffer(mlir::memref::AllocOp op);

} // namespace disc

#endif // DISC_PASSES_LLVM_BUFFERS_H
