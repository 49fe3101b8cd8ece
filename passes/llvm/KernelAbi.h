// Gives kernels the form that RAL's parallel loop calls.
#ifndef DISC_PASSES_LLVM_KERNELABI_H
#define DISC_PASSES_LLVM_KERNELABI_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"

namespace disc {

/// Rewrites the signature of every function that is launched and makes its entry
/// function (see `getKernelEntryName`). Launches are not touched.
mlir::LogicalResult lowerKernels(mlir::ModuleOp module,
                                 const mlir::LLVMTypeConverter &converter);

} // namespace disc

#endif // DISC_PASSES_LLVM_KERNELABI_H
