// The elements of small shape-like values as scalars, computed on demand.
#ifndef DISC_PASSES_INPUT_SCALARELEMENTS_H
#define DISC_PASSES_INPUT_SCALARELEMENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace disc {

/// Elements of static tensors of at most this many elements are scalarised.
inline constexpr int64_t kMaxScalarElements = 64;

/// Gives the elements, in row-major order, of a shape (`!shape.shape` or an
/// extent tensor) or of a small static tensor as SSA scalars. What is not
/// understood is read by `tensor.extract` from the tensor. The scalars are
/// placed right after the definition of the value they belong to.
class ScalarElements {
public:
  using Scalars = llvm::SmallVector<mlir::Value, 4>;

  explicit ScalarElements(mlir::MLIRContext *context) : builder(context) {}

  /// Fails where the number of elements is not known.
  std::optional<Scalars> of(mlir::Value value);
  /// The sizes of a ranked tensor.
  Scalars dims(mlir::Value tensor);
  /// The sizes that both of two broadcast-compatible shapes broadcast to.
  Scalars broadcast(mlir::Location loc, llvm::ArrayRef<mlir::Value> a,
                    llvm::ArrayRef<mlir::Value> b);
  mlir::Value constant(mlir::Location loc, int64_t value);
  mlir::Value toIndex(mlir::Location loc, mlir::Value scalar);

  mlir::OpBuilder builder;

private:
  std::optional<Scalars> compute(mlir::Value value);
  std::optional<Scalars> computeShape(mlir::Operation *op, unsigned result);
  std::optional<Scalars> computeTensor(mlir::Operation *op);
  std::optional<Scalars> computeElementwise(mlir::Operation *op);
  std::optional<Scalars> computeMovement(mlir::Operation *op);
  std::optional<Scalars> extract(mlir::Value tensor);

  llvm::DenseMap<mlir::Value, Scalars> known;
  llvm::DenseMap<mlir::Value, Scalars> knownDims;
};

/// One scalar of the elementwise op `op`, from the scalars of its operands;
/// null where scalars of this op are not computed on the host.
mlir::Value scalarElementwise(mlir::OpBuilder &builder, mlir::Operation *op,
                              llvm::ArrayRef<mlir::Value> operands);

/// The constant that `value` holds.
std::optional<int64_t> constantOf(mlir::Value value);

} // namespace disc

#endif // DISC_PASSES_INPUT_SCALARELEMENTS_H
