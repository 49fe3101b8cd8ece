// What the generated pass registration is written against.
#ifndef DISC_PASSES_NATIVES_PASSGLUE_H
#define DISC_PASSES_NATIVES_PASSGLUE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace disc {

/// Registers every pass of passes/ with MLIR's pass registry.
void registerDiscPasses();

/// Registers `--disc-pipeline`, with options `from` and `to` (phase names).
void registerDiscPipeline();

/// Appends the phases `from`..`to` (both included; empty: from the start, to
/// the end) to `pm`, which runs on a module. Reports an unknown phase.
mlir::LogicalResult buildPipeline(mlir::OpPassManager &pm, llvm::StringRef from,
                                  llvm::StringRef to);

/// One phase of passes/pipeline.py as MLIR's textual pipeline on a module.
struct PipelinePhase {
  std::string name, text;
};
llvm::ArrayRef<PipelinePhase> pipelinePhases();

/// Dialects that any pass of the tree may create ops of.
void insertPassDialects(mlir::DialectRegistry &registry);

/// Gives a PDL module every native constraint and rewrite of the tree.
void registerNatives(mlir::PDLPatternModule &module);

/// A constraint's answer, with its docstring as the reason of a refusal.
mlir::LogicalResult check(bool holds, mlir::PatternRewriter &rewriter,
                          llvm::StringRef reason);

enum class Driver { Greedy, Walk, Conversion };

/// A pass made of PDL patterns.
struct PatternPassInfo {
  std::string argument, summary, anchor;
  Driver driver = Driver::Greedy;
  std::vector<std::string> legal, illegal; // op or dialect names
  std::function<void(mlir::RewritePatternSet &)> populate;
};
std::unique_ptr<mlir::Pass> createPatternPass(const PatternPassInfo &info);
void registerPatternPass(const PatternPassInfo &info);

/// Base of the generated pass around a C++ function; OpT is void for any op.
template <typename Derived, typename OpT>
struct NativePass
    : mlir::PassWrapper<
          Derived,
          std::conditional_t<std::is_void_v<OpT>, mlir::OperationPass<>,
                             mlir::OperationPass<OpT>>> {
  NativePass() = default;
  NativePass(const NativePass &) = default;
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    insertPassDialects(registry);
  }
};

} // namespace disc

#endif // DISC_PASSES_NATIVES_PASSGLUE_H
