// Results that are stored past the caches.
#ifndef DISC_PASSES_CPU_STREAMS_H
#define DISC_PASSES_CPU_STREAMS_H

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace disc {

using Launches = llvm::ArrayRef<mlir::lmhlo_disc::LaunchOp>;

/// Of a kernel: which of its buffers are written and not read, and whether they are large.
class Streams {
public:
  Streams(mlir::func::FuncOp kernel, Launches launches) : kernel(kernel), launches(launches) {}

  /// The only store of a loop, when it may go past the caches.
  mlir::memref::StoreOp storeOf(mlir::scf::ForOp loop);
  /// Whether the buffer of `store` is large.
  mlir::Value isLarge(mlir::memref::StoreOp store);
  /// Stores are done before the kernel is.
  void finish();

private:
  /// A result of the program wherever the kernel is launched, and not a block that the rest of a stitch reads.
  bool isResult(unsigned argument);

  mlir::func::FuncOp kernel;
  Launches launches;
  llvm::DenseMap<mlir::Value, mlir::Value> large;
};

/// The first iteration of `loop` whose store is aligned, not past the end.
mlir::Value emitAlignedBegin(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::memref::StoreOp store);

} // namespace disc

#endif // DISC_PASSES_CPU_STREAMS_H
