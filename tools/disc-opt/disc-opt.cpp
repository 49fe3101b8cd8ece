// disc-opt: runs passes, or the whole pipeline, on MLIR files.
#include "ExplainFusion.h"
#include "LoadPass.h"
#include "dialects/dhlo/DhloDialect.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/natives/PassGlue.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::OptionCategory category("disc-opt options");
static llvm::cl::opt<std::string>
    from("from", llvm::cl::desc("Run the pipeline from this phase on"),
         llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    to("to", llvm::cl::desc("Run the pipeline up to this phase, included"),
       llvm::cl::cat(category));
static llvm::cl::opt<bool>
    listPhases("list-phases",
               llvm::cl::desc("Print the phases and their passes, and stop"),
               llvm::cl::cat(category));
// Taken from the arguments before the others are parsed; here for --help.
static llvm::cl::list<std::string>
    loadPass("load-pass", llvm::cl::value_desc("FILE.py"),
             llvm::cl::desc("Load a pass written with disc_dsl"),
             llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    explainPattern("explain", llvm::cl::value_desc("FILE.py:pattern"),
                   llvm::cl::desc("Say where the pattern stopped matching"),
                   llvm::cl::cat(category));
static llvm::cl::opt<std::string> explainFusion(
    "disc-explain-fusion", llvm::cl::ValueOptional, llvm::cl::value_desc("A,B"),
    llvm::cl::desc("Print kernels and stitches and why the rest stayed apart; or "
                   "of two ops, by LINE, LINE:COLUMN or name, why they did"),
    llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    python("python", llvm::cl::desc("The Python that --load-pass runs"),
           llvm::cl::cat(category));

static llvm::cl::opt<bool> patternStats(
    "disc-pattern-stats",
    llvm::cl::desc("At the end, print how often each pattern of the passes "
                   "that ran was tried and matched, and its time"),
    llvm::cl::cat(category));

static int run(int argc, char **argv, const disc::LoadRequest &request) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  dhlo::registerDhloDialects(registry);
  lmhlo_disc::registerLmhloDiscDialect(registry);
  disc::registerDiscPasses();
  disc::registerDiscPipeline();

  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "DISC optimizer driver\n", registry);
  if (listPhases) {
    for (const disc::PipelinePhase &phase : disc::pipelinePhases())
      llvm::outs() << phase.name << ": " << phase.text << "\n";
    return 0;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (from.getNumOccurrences() || to.getNumOccurrences())
    config.setPassPipelineSetupFn(
        [](PassManager &pm) { return disc::buildPipeline(pm, from, to); });

  if (!request.explain.empty())
    return failed(disc::explain(request, input, registry, [&](PassManager &pm) {
      return config.setupPassPipeline(pm);
    }));
  if (explainFusion.getNumOccurrences())
    return failed(disc::explainFusion(input, from, explainFusion, registry));
  if (patternStats)
    disc::collectPatternStats();
  auto stats = llvm::make_scope_exit([] {
    if (patternStats)
      disc::printPatternStats(llvm::errs());
  });

  std::string error;
  auto file = openInputFile(input, &error);
  if (!file) {
    llvm::errs() << "error: " << error << "\n";
    return 1;
  }
  auto out = openOutputFile(output, &error);
  if (!out) {
    llvm::errs() << "error: " << error << "\n";
    return 1;
  }
  if (failed(MlirOptMain(out->os(), std::move(file), registry, config)))
    return 1;
  out->keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::vector<char *> args(argv, argv + argc);
  disc::LoadRequest request = disc::takeLoadRequest(args);
  // What a user loads comes before the tree's passes, which it may stand for, and behind those of MLIR, which it may not.
  registerAllPasses();
  if (failed(disc::loadPasses(request)))
    return 1;
  return run(args.size(), args.data(), request);
}
