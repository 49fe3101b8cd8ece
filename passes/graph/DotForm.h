// The canonical form of matrix products that a library call computes.
#ifndef DISC_PASSES_GRAPH_DOTFORM_H
#define DISC_PASSES_GRAPH_DOTFORM_H

#include "dialects/dhlo/Dhlo.h"

namespace disc {

/// Whether a library has the matrix product of this element type.
bool isLibraryElement(mlir::Type element);

/// Whether the product of known sizes is so small that a call costs more.
bool isTinyDot(mlir::dhlo::DotGeneralOp dot);

/// Whether `dot` is [B?, M, K] x [B?, K, N] -> [B?, M, N], where either operand
/// may have its last two dimensions the other way round, of one element type
/// that a library has. Such products stay outside of fusions.
bool isLibraryDot(mlir::dhlo::DotGeneralOp dot);

} // namespace disc

#endif // DISC_PASSES_GRAPH_DOTFORM_H
