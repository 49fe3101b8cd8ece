// What generated host code hands to RAL's library calls and kernels.
#ifndef DISC_PASSES_LLVM_STITCHCALL_H
#define DISC_PASSES_LLVM_STITCHCALL_H

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/llvm/HostBuilder.h"

namespace disc {

/// The values of the struct that a kernel's entry reads its arguments from.
mlir::SmallVector<mlir::Value> getLaunchFields(HostBuilder &host, mlir::lmhlo_disc::LaunchOp launch);

/// Stores a `ral_tensor` for each operand and the sizes they point to at `offset` of the host's area, and moves `offset` behind them.
/// Gives the address of the first; an error at `op` for an element type that RAL does not know.
mlir::FailureOr<mlir::Value> storeTensors(HostBuilder &host, mlir::Operation *op, mlir::ValueRange operands, int64_t &offset);

/// Calls "ral.stitch" (see ral/kernels/Stitch.h for its arguments) and gives its status.
mlir::FailureOr<mlir::Value> callStitch(HostBuilder &host, mlir::lmhlo_disc::StitchOp op);

/// After all calls: block buffers become descriptors without memory.
void replaceBlockBuffers(HostBuilder &host, mlir::func::FuncOp function);

} // namespace disc

#endif // DISC_PASSES_LLVM_STITCHCALL_H
