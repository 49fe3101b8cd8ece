// The order in which a fusion of kind "loop" visits its elements.
#ifndef DISC_PASSES_FUSION_VISITORDER_H
#define DISC_PASSES_FUSION_VISITORDER_H

#include "dialects/dhlo/Dhlo.h"

namespace disc {

/// The transpose that is the one result of a fusion's body and leaves the innermost dimension in place; null otherwise. Such a body visits
/// the elements of the transpose's operand in their order: what it reads stays in order, and rows of what it writes are whole.
mlir::dhlo::TransposeOp getResultTranspose(mlir::Block &body);

} // namespace disc

#endif // DISC_PASSES_FUSION_VISITORDER_H
