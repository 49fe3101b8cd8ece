// Builds calls through RAL's table inside the host function.
#ifndef DISC_PASSES_LLVM_HOSTBUILDER_H
#define DISC_PASSES_LLVM_HOSTBUILDER_H

#include "passes/llvm/Abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace disc {

/// Owns the host function's new arguments, its error exit and a stack area that
/// all calls share (they are synchronous).
class HostBuilder {
public:
  /// Gives `function` the C signature. Its body is then lowered op by op.
  HostBuilder(mlir::func::FuncOp function,
              const mlir::LLVMTypeConverter &converter);

  mlir::OpBuilder builder;
  const mlir::LLVMTypeConverter &converter;

  /// A symbol of the module; null when there is none.
  mlir::Operation *lookup(llvm::StringRef name) { return symbols.lookup(name); }

  mlir::Value constantI64(mlir::Location loc, int64_t value);
  mlir::Value constantI32(mlir::Location loc, int32_t value);
  mlir::Value null(mlir::Location loc);

  /// Calls a function of the table; `exec` goes first. Null when it is void.
  mlir::Value call(mlir::Location loc, RalSlot slot, mlir::Type result,
                   mlir::ValueRange arguments);

  /// Leaves the function with `status` when `failed` (i1) holds; what follows
  /// goes to a new block.
  void exitIf(mlir::Location loc, mlir::Value failed, mlir::Value status);

  /// Leaves the function when `status` is not zero.
  void exitOnError(mlir::Location loc, mlir::Value status);

  /// Leaves the function with a message, in which {0} and so on are `values` (index or i64), where `holds` (i1) does not.
  void exitUnless(mlir::Location loc, mlir::Value holds, RalCode code, llvm::StringRef message, mlir::ValueRange values);

  mlir::Value toI64(mlir::Location loc, mlir::Value index);
  llvm::SmallVector<mlir::Value> toI64s(mlir::Location loc, mlir::ValueRange indices);

  /// The product, or -1 where it overflows and no size is 0: RAL refuses to allocate that.
  mlir::Value multiply(mlir::Location loc, mlir::Value bytes, mlir::ValueRange sizes);

  /// Stores `values` side by side at `offset` of the shared stack area, whose
  /// address at that offset is returned.
  mlir::Value store(mlir::Location loc, mlir::LLVM::LLVMStructType type,
                    mlir::ValueRange values, int64_t offset = 0);

  /// As above for i64 values; null for none.
  mlir::Value storeI64s(mlir::Location loc, mlir::ValueRange values,
                        int64_t offset = 0);

  /// The address of a string constant; equal strings share one.
  mlir::Value string(mlir::Location loc, llvm::StringRef text);

  /// The address of an array of i64 constants; null for none.
  mlir::Value i64Array(mlir::Location loc, llvm::ArrayRef<int64_t> values);

  /// The address of a new zero-initialised word.
  mlir::Value callSite(mlir::Location loc);

  /// Writes the prologue. Call it once, after the body is lowered.
  void finish();

private:
  mlir::Value addressOf(mlir::Location loc, llvm::StringRef global);

  mlir::func::FuncOp function;
  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::Value api, exec;
  mlir::Block *exit;
  mlir::LLVM::AllocaOp area;
  int64_t areaBytes = 8;
  llvm::SmallVector<mlir::Value, 12> table;
  llvm::StringMap<std::string> strings;
  int64_t numGlobals = 0;
};

} // namespace disc

#endif // DISC_PASSES_LLVM_HOSTBUILDER_H
