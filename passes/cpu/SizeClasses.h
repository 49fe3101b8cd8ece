// Which dimensions of a body's tensors are equal because elementwise ops join them.
#ifndef DISC_PASSES_CPU_SIZECLASSES_H
#define DISC_PASSES_CPU_SIZECLASSES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace disc {

/// Dimension `index` of `tensor`.
struct BodyDim {
  mlir::Value tensor;
  int64_t index;
};

class SizeClasses {
public:
  explicit SizeClasses(mlir::Block &body);
  /// The dimensions that have the size of `dim`, itself among them, in the order of the body.
  llvm::SmallVector<BodyDim> equalTo(BodyDim dim) const;

private:
  unsigned number(mlir::Value tensor);
  unsigned leader(unsigned i) const;
  void join(mlir::Value a, mlir::Value b);

  llvm::SmallVector<BodyDim> dims;
  llvm::SmallVector<unsigned> parents;
  llvm::DenseMap<mlir::Value, unsigned> firstDim;
};

} // namespace disc

#endif // DISC_PASSES_CPU_SIZECLASSES_H
