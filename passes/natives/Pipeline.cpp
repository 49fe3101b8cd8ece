// The pipeline of passes/pipeline.py: whole, or from one phase to another.
#include "passes/natives/PassGlue.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// An error of the command line: there is no place in a file.
static LogicalResult refuse(const Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return LogicalResult::failure();
}

static FailureOr<size_t> findPhase(StringRef name, size_t otherwise) {
  ArrayRef<disc::PipelinePhase> phases = disc::pipelinePhases();
  if (name.empty())
    return otherwise;
  for (auto [index, phase] : llvm::enumerate(phases))
    if (phase.name == name)
      return index;
  std::string known;
  llvm::raw_string_ostream os(known);
  llvm::interleaveComma(phases, os,
                        [&](const auto &phase) { os << "`" << phase.name << "`"; });
  return refuse("unknown phase `" + name + "`; the phases are " + known);
}

LogicalResult disc::buildPipeline(OpPassManager &pm, StringRef from,
                                  StringRef to) {
  ArrayRef<PipelinePhase> phases = pipelinePhases();
  FailureOr<size_t> first = findPhase(from, 0);
  if (failed(first))
    return first;
  FailureOr<size_t> last = findPhase(to, phases.empty() ? 0 : phases.size() - 1);
  if (failed(last))
    return last;
  if (*last < *first)
    return refuse("phase `" + to + "` comes before `" + from + "`");
  for (size_t i = *first; i < phases.size() && i <= *last; ++i) {
    if (phases[i].text.empty())
      continue;
    if (LogicalResult parsed = parsePassPipeline(phases[i].text, pm);
        failed(parsed))
      return parsed;
  }
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
        if (LogicalResult parsed = options.parseFromString(text);
            failed(parsed))
          return parsed;
        if (failed(buildPipeline(pm, options.from, options.to)))
          return error("cannot build the pipeline");
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(PipelineOptions());
      });
}
