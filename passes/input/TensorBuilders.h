// Spellings that rewrites of the input share.
#ifndef DISC_PASSES_INPUT_TENSORBUILDERS_H
#define DISC_PASSES_INPUT_TENSORBUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace disc {

/// A constant of rank 0.
mlir::Value scalarConstant(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Type element, mlir::Attribute value);
/// The zero of an element type, also of a complex one.
mlir::Attribute zeroOf(mlir::OpBuilder &b, mlir::Type element);

/// A list of index scalars as a tensor.
mlir::Value listOf(mlir::OpBuilder &b, mlir::Location loc,
                   llvm::ArrayRef<mlir::Value> scalars);

/// `value`, whose dimensions are the dimensions `dims` of `type`, repeated
/// along the others. `sizes` lists all sizes; null where they are static.
mlir::Value broadcastTo(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, mlir::RankedTensorType type,
                        mlir::Value sizes, llvm::ArrayRef<int64_t> dims = {});

/// Reduces over `dims` with `combine`, whose neutral element is zero.
mlir::Value reduceFromZero(
    mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
    llvm::ArrayRef<int64_t> dims,
    llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);

} // namespace disc

#endif // DISC_PASSES_INPUT_TENSORBUILDERS_H
