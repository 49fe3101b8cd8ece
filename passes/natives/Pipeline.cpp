// The pipeline of passes/pipeline.py: whole, or from one phase to another.
#include "passes/natives/PassGlue.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static FailureOr<size_t> findPhase(StringRef name, size_t otherwise) {
  ArrayRef<disc::PipelinePhase> phases = disc::pipelinePhases();
  if (name.empty())
    return otherwise;
  for (auto [index, phase] : llvm::enumerate(phases))
    if (phase.name == name)
      return index;
  llvm::errs() << "error: unknown phase `" << name << "`; the phases are ";
  llvm::interleaveComma(phases, llvm::errs(), [](const auto &phase) {
    llvm::errs() << "`" << phase.name << "`";
  });
  llvm::errs() << "\n";
  return failure();
}

LogicalResult disc::buildPipeline(OpPassManager &pm, StringRef from,
                                  StringRef to) {
  ArrayRef<PipelinePhase> phases = pipelinePhases();
  FailureOr<size_t> first = findPhase(from, 0);
  if (failed(first))
    return failure();
  FailureOr<size_t> last = findPhase(to, phases.empty() ? 0 : phases.size() - 1);
  if (failed(last))
    return failure();
  if (*last < *first) {
    llvm::errs() << "error: phase `" << to << "` comes before `" << from
                 << "`\n";
    return failure();
  }
  for (size_t i = *first; i < phases.size() && i <= *last; ++i)
    if (!phases[i].text.empty() &&
        failed(parsePassPipeline(phases[i].text, pm)))
      return failure();
  return success();
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> from{*this, "from",
                           llvm::cl::desc("the first phase to run")};
  Option<std::string> to{*this, "to", llvm::cl::desc("the last phase to run")};
};
} // namespace

void disc::registerDiscPipeline() {
  registerPassPipeline(
      "disc-pipeline",
      "The whole compiler, from a framework's program to the LLVM dialect",
      [](OpPassManager &pm, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        PipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        if (failed(buildPipeline(pm, options.from, options.to)))
          return error("cannot build the pipeline");
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(PipelineOptions());
      });
}
