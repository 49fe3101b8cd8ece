// Helpers of the pass that gives ops destinations.
#ifndef DISC_PASSES_BUFFERIZE_DESTINATIONS_H
#define DISC_PASSES_BUFFERIZE_DESTINATIONS_H

#include "dialects/dhlo/Dhlo.h"

#include "mlir/IR/PatternMatch.h"

namespace disc {

/// The sizes of an op's result, usable before the op: from a tie_shape of it,
/// else from its shape function. Fails with an error when neither tells.
mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
getResultSizes(mlir::RewriterBase &rewriter, mlir::OpResult result);

/// A tensor without contents, to be written by the op that is created next.
mlir::Value createDestination(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes,
                              mlir::Type elementType);
/// The same, of a type that may know less than the sizes.
mlir::Value createDestination(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes,
                              mlir::RankedTensorType type);

/// The product of sizes; a constant when all of them are.
mlir::OpFoldResult multiply(mlir::OpBuilder &builder, mlir::Location loc,
                            llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// `source` under the shape `sizes`; `source` itself when its type says so.
mlir::Value createView(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value source,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes,
                       mlir::RankedTensorType type = {});

/// The library function that computes an op.
struct LibraryFunction {
  std::string name;
  llvm::SmallVector<int64_t> ints;
  bool hasSideEffect = false;
};

/// Nothing for an op that has none; an error for one that cannot be called.
llvm::FailureOr<std::optional<LibraryFunction>>
getLibraryFunction(mlir::Operation *op);

/// Replaces `op` by a call of the function, with a destination for each result.
mlir::LogicalResult convertToLibraryCall(mlir::RewriterBase &rewriter,
                                         mlir::Operation *op,
                                         const LibraryFunction &function);

/// Replaces a dot by one that RAL's matrix product can do. Fails with an error
/// when dimensions would have to be transposed.
mlir::LogicalResult convertDot(mlir::RewriterBase &rewriter,
                               mlir::dhlo::DotGeneralOp op);

} // namespace disc

#endif // DISC_PASSES_BUFFERIZE_DESTINATIONS_H
