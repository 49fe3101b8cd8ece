// disc-compile: from an MLIR file, at any phase, to machine code.
#include "Parts.h"
#include "Statistics.h"
#include "Unit.h"

#include "dialects/dhlo/Dhlo.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "passes/natives/PassGlue.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
namespace cl = llvm::cl;

enum class Precision { f32, bf16 };
enum class Emit { mlir, llvm, assembly, object };

static cl::OptionCategory category("disc-compile options");
static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<input.mlir>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("Output file"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<Emit>
    emitKind("emit", cl::desc("What to write:"), cl::init(Emit::object),
             cl::values(clEnumValN(Emit::mlir, "mlir", "LLVM dialect"),
                        clEnumValN(Emit::llvm, "llvm", "optimized LLVM IR"),
                        clEnumValN(Emit::assembly, "asm", "assembly"),
                        clEnumValN(Emit::object, "obj", "object code")),
             cl::cat(category));
static cl::opt<std::string>
    fromPhase("from", cl::value_desc("phase"),
              cl::desc("First phase to run; a module in the LLVM dialect is "
                       "past them all"),
              cl::cat(category));
static cl::opt<std::string>
    targetTriple("target-triple", cl::desc("Triple; the host's by default"),
                 cl::cat(category));
static cl::opt<std::string> targetCpu("target-cpu", cl::init("native"),
                                      cl::desc("Processor, as LLVM names it"),
                                      cl::cat(category));
static cl::opt<std::string>
    targetFeatures("target-features", cl::desc("As LLVM writes them: +a,-b"),
                   cl::cat(category));
static cl::opt<unsigned> optLevel("O", cl::Prefix, cl::init(3),
                                  cl::desc("Optimization level, 0 to 3"),
                                  cl::cat(category));
static cl::opt<Precision> precision(
    "precision", cl::desc("Operands of f32 matrix products:"),
    cl::init(Precision::f32),
    cl::values(clEnumValN(Precision::f32, "f32", "as they are"),
               clEnumValN(Precision::bf16, "bf16",
                          "may be rounded to bf16, sums are in f32")),
    cl::cat(category));
static cl::opt<disc::Sanitizer> sanitizer(
    "sanitize", cl::desc("Instrument the code; the process that loads it must "
                         "hold the sanitizer's runtime:"),
    cl::init(disc::Sanitizer::none),
    cl::values(clEnumValN(disc::Sanitizer::none, "none", "not instrumented"),
               clEnumValN(disc::Sanitizer::address, "address",
                          "AddressSanitizer"),
               clEnumValN(disc::Sanitizer::thread, "thread",
                          "ThreadSanitizer")),
    cl::cat(category));
static cl::opt<unsigned> jobs(
    "jobs", cl::init(0), cl::value_desc("n"),
    cl::desc("LLVM runs in so many threads, and writes an object file for "
             "the program and others for kernels: FILE, FILE.1, ...; 0: one "
             "file"),
    cl::cat(category));
static cl::opt<std::string>
    reportFile("report", cl::value_desc("file"),
               cl::desc("Write times and counts as JSON"), cl::cat(category));

namespace {

/// Whether a phase deals with what the user says: then the verifiers' messages are for the user, and no pass sees what they refuse.
bool readsUserProgram(StringRef phase) { return phase == "input" || phase == "shape"; }

/// Runs the phases from `--from` on, one pass manager each. What a phase leaves is verified, of the first ones what each pass
/// leaves, as disc-opt does of all.
LogicalResult runPhases(ModuleOp module, disc::Statistics &statistics) {
  bool started = fromPhase.empty();
  for (const disc::PipelinePhase &phase : disc::pipelinePhases()) {
    started |= phase.name == fromPhase;
    if (!started)
      continue;
    PassManager passes(module.getContext());
    if (failed(parsePassPipeline(phase.text, passes)))
      return failure();
    passes.enableVerifier(readsUserProgram(phase.name));
    LogicalResult done = statistics.time(
        phase.name, [&] { return LogicalResult::success(succeeded(passes.run(module)) && succeeded(verify(module))); });
    if (failed(done))
      return failure();
    statistics.observe(module);
  }
  if (!started)
    return module.emitError() << "no phase `" << fromPhase
                              << "`; see passes/pipeline.py";
  return success();
}

bool isLowered(ModuleOp module) {
  return !module.getBody()->empty() && llvm::all_of(module.getOps(), [](Operation &op) {
    return isa<LLVM::LLVMDialect>(op.getDialect());
  });
}

LogicalResult emitLowered(ModuleOp module, disc::TargetOptions options, disc::Statistics &statistics) {
  SmallVector<OwningOpRef<ModuleOp>> kernels;
  // The runtimes of sanitizers want one module.
  bool isSplit = jobs && outputFile != "-" && emitKind == Emit::object && sanitizer == disc::Sanitizer::none;
  if (isSplit)
    kernels = disc::takeKernels(module, jobs);
  SmallVector<std::unique_ptr<disc::Unit>> units;
  for (OwningOpRef<ModuleOp> &part : kernels)
    units.push_back(std::make_unique<disc::Unit>(*part, options));
  options.isProgram = !kernels.empty() && optLevel > 1;
  units.push_back(std::make_unique<disc::Unit>(module, options));
  LogicalResult translated = statistics.time("translate", [&] {
    return LogicalResult::success(llvm::all_of(units, [](auto &unit) { return succeeded(unit->translate()); }));
  });
  if (failed(translated))
    return failure();
  std::optional<llvm::CodeGenFileType> type;
  if (emitKind != Emit::llvm)
    type = emitKind == Emit::assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  disc::compileUnits(units, type, jobs, statistics);
  for (auto [i, unit] : llvm::enumerate(llvm::reverse(units))) {
    if (!unit->isWritten)
      return module.emitError("the target cannot write this kind of file");
    StringRef bytes = unit->getBytes();
    std::string error;
    auto output = openOutputFile(i ? outputFile + "." + std::to_string(i) : outputFile, &error);
    if (!output) {
      llvm::errs() << "error: " << error << "\n";
      return failure();
    }
    output->os() << bytes;
    output->keep();
    if (emitKind == Emit::object)
      statistics.observeObject({bytes, "object"});
  }
  return success();
}

LogicalResult compile(MLIRContext &context, disc::Statistics &statistics) {
  std::string error;
  auto input = openInputFile(inputFile, &error);
  if (!input) {
    llvm::errs() << "error: " << error << "\n";
    return failure();
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(input), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  OwningOpRef<ModuleOp> module = statistics.time(
      "parse", [&] { return parseSourceFile<ModuleOp>(sources, &context); });
  if (!module)
    return failure();
  disc::TargetOptions options{targetTriple, targetCpu, targetFeatures,
                              optLevel, sanitizer};
  auto machine = disc::createTargetMachine(options);
  if (!machine)
    return module->emitError() << llvm::toString(machine.takeError());
  if (!isLowered(*module) && !disc::hasWideVectors(**machine))
    (*module)->setAttr("disc.narrow_vectors", UnitAttr::get(&context));
  if (precision == Precision::bf16)
    (*module)->setAttr("disc.precision", StringAttr::get(&context, "bf16"));
  // Then each buffer ends where its own memory does.
  if (sanitizer == disc::Sanitizer::address && !isLowered(*module))
    (*module)->setAttr("disc.no_arena", UnitAttr::get(&context));
  if (!isLowered(*module) && failed(runPhases(*module, statistics)))
    return failure();

  if (emitKind != Emit::mlir)
    return emitLowered(*module, options, statistics);
  auto output = openOutputFile(outputFile, &error);
  if (!output) {
    llvm::errs() << "error: " << error << "\n";
    return failure();
  }
  output->os() << *module << "\n";
  output->keep();
  return success();
}

LogicalResult writeReport(const disc::Statistics &statistics) {
  if (reportFile.empty())
    return success();
  std::string error;
  auto file = openOutputFile(reportFile, &error);
  if (!file) {
    llvm::errs() << "error: " << error << "\n";
    return failure();
  }
  statistics.write(file->os());
  file->keep();
  return success();
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_fatal_error_handler(
      [](void *, const char *reason, bool) {
        llvm::errs() << "error: LLVM: " << reason << "\n";
        std::exit(1);
      },
      nullptr);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  dhlo::registerDhloDialects(registry);
  lmhlo_disc::registerLmhloDiscDialect(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerAllPasses();
  disc::registerDiscPasses();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "DISC compiler driver\n");

  MLIRContext context(registry);
  // The place says enough; a whole model under each error says less.
  context.printOpOnDiagnostic(false);
  disc::Statistics statistics;
  bool ok = succeeded(compile(context, statistics));
  return ok && succeeded(writeReport(statistics)) ? 0 : 1;
}
