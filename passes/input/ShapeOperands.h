// Operands of custom calls that tell the shapes of results.
#ifndef DISC_PASSES_INPUT_SHAPEOPERANDS_H
#define DISC_PASSES_INPUT_SHAPEOPERANDS_H

#include "dialects/dhlo/Dhlo.h"
#include "passes/input/ScalarElements.h"

namespace disc {

/// Ties the results of `call` to the sizes that the operands named by
/// `indices_of_shape_operands` hold, and drops these operands: the function
/// that is called does not see them.
llvm::LogicalResult tieShapeOperands(mlir::dhlo::CustomCallOp call,
                                     ScalarElements &scalars);

/// `custom_call @shape_assertion(%holds, %a, %b) {error_message = "... {0}, {1}"}`,
/// as JAX exports it, becomes a run-time check with that message.
llvm::LogicalResult checkShapeAssertion(mlir::dhlo::CustomCallOp call,
                                        ScalarElements &scalars);

} // namespace disc

#endif // DISC_PASSES_INPUT_SHAPEOPERANDS_H
