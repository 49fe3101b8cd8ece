// Replaces ops whose sizes are operands by their static forms when all are known.
#ifndef DISC_PASSES_SHAPE_STATICFORMS_H
#define DISC_PASSES_SHAPE_STATICFORMS_H

#include "passes/shape/ShapeConstraintAnalysis.h"
#include "passes/shape/SizeMaterializer.h"

namespace disc {

/// Replaces the uses of `op` by an op with attributes in the place of size
/// operands, if those are constants. The new op goes to the builder's insertion
/// point; `op` is left without uses.
void makeStatic(mlir::Operation *op, ShapeConstraintAnalysis &analysis,
                SizeMaterializer &materializer);

/// The constants that a 1-D tensor of sizes or positions holds.
std::optional<llvm::SmallVector<int64_t>>
constantElements(mlir::Value tensor, ShapeConstraintAnalysis &analysis);

/// Whether a slice takes all of its operand: start 0, stride 1, limit the size.
bool isWholeSlice(mlir::Operation *op, ShapeConstraintAnalysis &analysis);

} // namespace disc

#endif // DISC_PASSES_SHAPE_STATICFORMS_H
