// Whether a body's trailing dimensions are as good as one.
#ifndef DISC_PASSES_CPU_FLATBODY_H
#define DISC_PASSES_CPU_FLATBODY_H

#include "passes/cpu/ElementEmitter.h"
#include "llvm/ADT/DenseSet.h"

namespace disc {

/// Tells of values of sizes `full` whether an element needs its index into the dimensions from `lead` on for one thing only: to find
/// elements of inputs of the same sizes.
class FlatBody {
public:
  FlatBody(ElementEmitter &e, llvm::ArrayRef<mlir::Value> full, size_t lead) : e(e), full(full), lead(lead) {}

  bool accepts(mlir::Value tensor);

private:
  bool acceptsBroadcast(mlir::Operation *op);

  ElementEmitter &e;
  llvm::ArrayRef<mlir::Value> full;
  size_t lead;
  llvm::DenseSet<mlir::Value> accepted;
};

} // namespace disc

#endif // DISC_PASSES_CPU_FLATBODY_H
