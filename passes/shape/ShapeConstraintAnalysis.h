// Answers what is known of sizes: equal dimensions, element counts, constants, bounds.
#ifndef DISC_PASSES_SHAPE_SHAPECONSTRAINTANALYSIS_H
#define DISC_PASSES_SHAPE_SHAPECONSTRAINTANALYSIS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/shape/SizeExpr.h"

namespace disc {

/// Reads size arithmetic (`arith` on `index` and integers, `tensor.dim`,
/// `dhlo.tie_shape`, `disc.dims` and `disc.symbols` attributes) into canonical
/// expressions. Two sizes are known to be equal when their expressions are
/// identical. A query never changes the IR; when the IR changes, make a new
/// analysis.
class ShapeConstraintAnalysis {
public:
  explicit ShapeConstraintAnalysis(mlir::func::FuncOp func);

  SizeContext &sizes() { return context; }

  /// The expression of an SSA integer or index scalar.
  Size of(mlir::Value scalar);
  /// The size of dimension `dim` of a ranked tensor.
  Size dim(mlir::Value tensor, int64_t dim);
  llvm::SmallVector<Size> dims(mlir::Value tensor);
  Size elementCount(mlir::Value tensor);

  bool sameDim(mlir::Value a, int64_t i, mlir::Value b, int64_t j);
  bool sameShape(mlir::Value a, mlir::Value b);
  bool sameElementCount(mlir::Value a, mlir::Value b);
  std::optional<int64_t> constantDim(mlir::Value tensor, int64_t dim);
  bool isOne(mlir::Value tensor, int64_t i) {
    return dim(tensor, i)->isConst(1);
  }
  /// Inclusive; the extremes of int64_t where nothing is known.
  std::pair<int64_t, int64_t> bounds(mlir::Value tensor, int64_t dim);

  /// Whether `factor` divides the size.
  bool divides(int64_t factor, mlir::Value tensor, int64_t dim);
  /// Sizes that calls will often have, as declared.
  llvm::ArrayRef<int64_t> likely(mlir::Value tensor, int64_t dim);

  /// Tells the sizes of `tensor`, for who computes them op by op.
  void setDims(mlir::Value tensor, llvm::ArrayRef<Size> sizes);
  /// Forgets everything but the facts given to `sizes()`.
  void restart();

private:
  struct Fraction {
    Size numerator;
    int64_t denominator;
  };
  void readDeclared();
  Size readDim(mlir::Value tensor, int64_t dim);
  Size compute(mlir::Value scalar);
  /// A float scalar that holds an exact fraction of sizes.
  std::optional<Fraction> fraction(mlir::Value scalar);

  SizeContext context;
  mlir::func::FuncOp func;
  llvm::DenseMap<mlir::Value, Size> scalars;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Size, 4>> tensors;
  /// What `dim` found: looking for a tie reads all uses of a tensor.
  llvm::DenseMap<std::pair<mlir::Value, int>, Size> asked;
  /// Arguments' dimensions that `disc.dims` gives by those of others.
  llvm::DenseMap<std::pair<mlir::Value, int>, Size> declared;
  llvm::DenseMap<Size, llvm::SmallVector<int64_t>> likelySizes;
};

/// How a row-major reshape maps groups of dimensions: [from, to) ranges on both
/// sides that hold the same number of elements, as fine as can be shown.
struct ReshapeGroup {
  int64_t inBegin, inEnd, outBegin, outEnd;
};
llvm::SmallVector<ReshapeGroup> reshapeGroups(SizeContext &context,
                                              llvm::ArrayRef<Size> in,
                                              llvm::ArrayRef<Size> out);

} // namespace disc

#endif // DISC_PASSES_SHAPE_SHAPECONSTRAINTANALYSIS_H
