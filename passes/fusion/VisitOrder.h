// The order in which a fusion of kind "loop" visits its elements.
#ifndef DISC_PASSES_FUSION_VISITORDER_H
#define DISC_PASSES_FUSION_VISITORDER_H

#include "dialects/dhlo/Dhlo.h"

namespace disc {

/// The innermost loop of a kernel of kind "loop" takes in one more dimension where it is known to be shorter than this: an item of the kernel
/// is several rows then.
constexpr int64_t kShortLoop = 16;

/// The transpose that is the one result of a fusion's body and leaves the innermost dimension in place; null otherwise. Such a body visits
/// the elements of the transpose's operand in their order: what it reads stays in order, and rows of what it writes are whole.
mlir::dhlo::TransposeOp getResultTranspose(mlir::Block &body);

} // namespace disc

#endif // DISC_PASSES_FUSION_VISITORDER_H
