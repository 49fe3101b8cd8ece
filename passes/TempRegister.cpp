// Registers native passes by hand until the generated registration takes over.
#include "dialects/lmhlo_disc/LmhloDisc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace disc {
LogicalResult runLlvmNoAlias(ModuleOp);
LogicalResult runLlvmRuntimeCalls(ModuleOp);
LogicalResult runLlvmToLlvm(ModuleOp);

namespace {
template <typename OpTy>
struct NativePass : PassWrapper<NativePass<OpTy>, OperationPass<OpTy>> {
  NativePass(StringRef flag, LogicalResult (*run)(OpTy))
      : flag(flag), run(run) {}
  StringRef getArgument() const final { return flag; }
  void runOnOperation() final {
    if (failed(run(this->getOperation())))
      this->signalPassFailure();
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, bufferization::BufferizationDialect,
                    cf::ControlFlowDialect, LLVM::LLVMDialect,
                    lmhlo_disc::LmhloDiscDialect, memref::MemRefDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
  }
  StringRef flag;
  LogicalResult (*run)(OpTy);
};

template <typename OpTy>
void add(StringRef flag, LogicalResult (*run)(OpTy)) {
  registerPass([=] { return std::make_unique<NativePass<OpTy>>(flag, run); });
}
} // namespace

void registerTempPasses();
void registerTempPasses() {
  add<ModuleOp>("disc-llvm-no-alias", runLlvmNoAlias);
  add<ModuleOp>("disc-llvm-runtime-calls", runLlvmRuntimeCalls);
  add<ModuleOp>("disc-llvm-to-llvm", runLlvmToLlvm);
}
} // namespace disc
