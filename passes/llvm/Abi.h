// The binary interface between generated host code, kernels and RAL.
#ifndef DISC_PASSES_LLVM_ABI_H
#define DISC_PASSES_LLVM_ABI_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace disc {

/// Slots of `ral_codegen_api` (ral/include/disc/ral_codegen.h).
enum class RalSlot : int64_t {
  input = 1,
  inputDim = 2,
  constant = 3,
  alloc = 4,
  dealloc = 5,
  output = 6,
  parallel = 7,
  workers = 8,
  call = 9,
  fail = 10,
  allocOutput = 11,
  count = 12
};

/// Values of `ral_code` (ral/include/disc/ral_types.h) that generated code
/// makes itself.
enum class RalCode : int32_t { outOfMemory = 2, checkFailed = 4 };

/// The `ral_dtype` of an element type; 0 when it has none.
int32_t getRalDtype(mlir::Type elementType);

/// Bytes of an element in memory; 0 when the type has no fixed size.
int64_t getElementBytes(mlir::Type elementType);

/// Fields that carry one kernel argument: a memref is its data pointer and its
/// dynamic sizes, index is i64, other scalars are themselves.
llvm::SmallVector<mlir::Type> getPackedFields(mlir::Type argument);

/// The struct that carries the arguments of a launch.
mlir::LLVM::LLVMStructType getPackedStruct(mlir::MLIRContext *context,
                                           mlir::TypeRange arguments);

/// The name of the function that RAL's parallel loop calls for a kernel.
std::string getKernelEntryName(llvm::StringRef kernel);

/// Builds a contiguous row-major memref from a data pointer and its dynamic
/// sizes (i64), by way of an unrealized cast.
mlir::Value buildMemRef(mlir::OpBuilder &builder, mlir::Location loc,
                        const mlir::LLVMTypeConverter &converter,
                        mlir::MemRefType type, mlir::Value data,
                        mlir::ValueRange dynamicSizes);

/// The data pointer of a contiguous memref.
mlir::Value getDataPointer(mlir::OpBuilder &builder, mlir::Location loc,
                           const mlir::LLVMTypeConverter &converter,
                           mlir::Value memref);

/// All sizes of a memref as i64.
llvm::SmallVector<mlir::Value>
getSizes(mlir::OpBuilder &builder, mlir::Location loc,
         const mlir::LLVMTypeConverter &converter, mlir::Value memref);

} // namespace disc

#endif // DISC_PASSES_LLVM_ABI_H
