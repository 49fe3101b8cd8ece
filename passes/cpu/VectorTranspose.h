// Loop nests that copy elements from columns to rows.
#ifndef DISC_PASSES_CPU_VECTORTRANSPOSE_H
#define DISC_PASSES_CPU_VECTORTRANSPOSE_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/cpu/Streams.h"

namespace disc {

/// Two loops whose body is one copy: neighbours for the outer loop where it reads, for the inner one where it writes.
struct TransposeForm {
  /// `inner` has no loop inside. Where it is no such nest, `load` is null.
  explicit TransposeForm(mlir::scf::ForOp inner);

  mlir::scf::ForOp outer, inner;
  mlir::memref::LoadOp load;
  mlir::memref::StoreOp store;
};

/// Replaces the nest by one over square blocks that are transposed in registers.
void vectorizeTranspose(const TransposeForm &form, Streams &streams);

} // namespace disc

#endif // DISC_PASSES_CPU_VECTORTRANSPOSE_H
