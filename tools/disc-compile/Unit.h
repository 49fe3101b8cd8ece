// What LLVM compiles by itself: a module, from the LLVM dialect to bytes.
#ifndef DISC_TOOLS_DISC_COMPILE_UNIT_H
#define DISC_TOOLS_DISC_COMPILE_UNIT_H

#include "ObjectEmitter.h"
#include "Statistics.h"

#include "llvm/IR/LLVMContext.h"
#include <optional>

namespace disc {

class Unit {
public:
  Unit(mlir::ModuleOp source, TargetOptions options) : source(source), options(std::move(options)) {}

  mlir::LogicalResult translate();
  /// To code of this type; without one, to LLVM IR.
  void compile(std::optional<llvm::CodeGenFileType> type);

  llvm::StringRef getBytes() const { return {bytes.data(), bytes.size()}; }

  double optimizing = 0, generating = 0; // seconds
  bool isWritten = true;

private:
  mlir::ModuleOp source;
  TargetOptions options;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallVector<char, 0> bytes;
};

/// Compiles all units, first come first served. The time that passes is booked by the shares of LLVM's two phases.
void compileUnits(llvm::ArrayRef<std::unique_ptr<Unit>> units, std::optional<llvm::CodeGenFileType> type, unsigned threadCount,
                  Statistics &statistics);

} // namespace disc

#endif // DISC_TOOLS_DISC_COMPILE_UNIT_H
