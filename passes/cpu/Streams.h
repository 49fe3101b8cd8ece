// Results that are stored past the caches.
#ifndef DISC_PASSES_CPU_STREAMS_H
#define DISC_PASSES_CPU_STREAMS_H

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace disc {

/// From this many bytes on a result of the program is stored past the caches: its reader finds little of it there, and does not come soon.
constexpr int64_t kStreamBytes = int64_t(8) << 20;

using Launches = llvm::ArrayRef<mlir::lmhlo_disc::LaunchOp>;

/// Of a kernel: which of its buffers are written and not read, and whether they are large.
class Streams {
public:
  Streams(mlir::func::FuncOp kernel, Launches launches);

  /// The stores of a loop, all to the innermost dimension of one buffer, when they may go past the caches.
  llvm::SmallVector<mlir::memref::StoreOp> storesOf(mlir::scf::ForOp loop);
  /// Whether they shall: the buffer is large, and what aligns one store aligns all.
  mlir::Value arePast(llvm::ArrayRef<mlir::memref::StoreOp> stores);
  /// Whether what `loop` asks for, to store to it, goes past the caches later on; null where it does not.
  mlir::Value requestsPast(mlir::scf::ForOp loop);
  /// Whether the kernel's loops read what no other loop of it has asked for.
  bool readsOnce() const { return !fetchesRows; }
  /// Stores are done before the kernel is.
  void finish();

private:
  /// A result of the program wherever the kernel is launched, and not a block that the rest of a stitch reads.
  bool isResult(unsigned argument);

  mlir::func::FuncOp kernel;
  Launches launches;
  bool fetchesRows = false;
  llvm::DenseMap<mlir::Value, mlir::Value> large;
  /// Of buffers that several rows are stored to in turn: whether they are large, and their rows whole cache lines.
  llvm::DenseMap<mlir::Value, mlir::Value> largeOfLines;
};

/// The address of the element at `index`, as a number.
mlir::Value emitAddress(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref, mlir::ValueRange index);

/// The first iteration of `loop` whose store is aligned, not past the end.
mlir::Value emitAlignedBegin(mlir::OpBuilder &b, mlir::scf::ForOp loop, mlir::memref::StoreOp store);

} // namespace disc

#endif // DISC_PASSES_CPU_STREAMS_H
