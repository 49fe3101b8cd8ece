// From LLVM IR to machine code.
#ifndef DISC_TOOLS_DISC_COMPILE_OBJECTEMITTER_H
#define DISC_TOOLS_DISC_COMPILE_OBJECTEMITTER_H

#include "mlir/Support/LLVM.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace disc {

enum class Sanitizer { none, address, thread };

struct TargetOptions {
  std::string triple;   // empty: the host's
  std::string cpu;      // "native": the host's, with its features
  std::string features; // appended, in LLVM's "+a,-b" form
  unsigned optimization = 3;
  Sanitizer sanitizer = Sanitizer::none;
  bool isProgram = false; // without kernels
};

/// The machine to compile for; the error text when LLVM does not know it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetOptions &options);

/// Whether a register holds 64 bytes.
bool hasWideVectors(const llvm::TargetMachine &machine);

/// Sets triple, data layout and, on each function, the machine's attributes.
void setTarget(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs the passes for kernels or a program, at levels 0 and 1 LLVM's own; the sanitizer at their end.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const TargetOptions &options);

/// Writes object code or assembly.
mlir::LogicalResult emitMachineCode(llvm::Module &module,
                                    llvm::TargetMachine &machine,
                                    llvm::CodeGenFileType type,
                                    llvm::raw_pwrite_stream &os);

} // namespace disc

#endif // DISC_TOOLS_DISC_COMPILE_OBJECTEMITTER_H
