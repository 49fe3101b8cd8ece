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

namespace llvm::json {
class Object;
} // namespace llvm::json

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

/// Registers a pass made of PDL patterns: what disc_dsl/describe.py writes of
/// it, and what adds its patterns (without it they are the "pdl" of the
/// description).
void registerPatternPass(
    const llvm::json::Object &description,
    std::function<void(mlir::RewritePatternSet &)> populate = {});

/// Whether a pass that is no pattern pass has this flag; one of the tree may be
/// registered anew, in place of the one that is built.
bool isFlagTaken(llvm::StringRef flag);

/// Counts, from now on, how often each pattern of a pattern pass is tried and
/// matches, and its time; the table is printed where `printPatternStats` is
/// called.
void collectPatternStats();
void printPatternStats(llvm::raw_ostream &os);

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
