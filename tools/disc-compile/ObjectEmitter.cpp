// From LLVM IR to machine code.
#include "ObjectEmitter.h"
#include "ConstantsInMemory.h"
#include "SpreadPrefetches.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace mlir;

/// What runs once a call is written down fast: the choice of good instructions and registers would take ten times as long.
static llvm::CodeGenOptLevel getCodeGenLevel(const disc::TargetOptions &options) {
  unsigned level = options.optimization;
  return level == 0 || options.isProgram ? llvm::CodeGenOptLevel::None
         : level == 1 ? llvm::CodeGenOptLevel::Less
         : level == 2 ? llvm::CodeGenOptLevel::Default
                      : llvm::CodeGenOptLevel::Aggressive;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
disc::createTargetMachine(const TargetOptions &options) {
  [[maybe_unused]] static bool once = [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
    disc::spreadPrefetches();
    return true;
  }();

  llvm::Triple triple(options.triple.empty() ? llvm::sys::getProcessTriple()
                                             : options.triple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (!target)
    return llvm::createStringError(error);

  std::string cpu = options.cpu;
  llvm::SubtargetFeatures features;
  if (cpu == "native") {
    if (triple.getArch() != llvm::Triple(llvm::sys::getProcessTriple()).getArch())
      return llvm::createStringError("--target-cpu is this machine's, expected one of " + triple.str() +
                                     "; `generic` is any");
    cpu = llvm::sys::getHostCPUName().str();
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  }
  for (StringRef feature : llvm::split(options.features, ','))
    if (!feature.empty())
      features.AddFeature(feature);

  llvm::TargetOptions targetOptions;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features.getString(), targetOptions, llvm::Reloc::PIC_,
      std::nullopt, getCodeGenLevel(options)));
  if (!machine)
    return llvm::createStringError("no machine for " + triple.str());
  if (!machine->getMCSubtargetInfo()->isCPUStringValid(cpu))
    return llvm::createStringError("unknown processor `" + cpu + "` for " +
                                   triple.str());
  return machine;
}

bool disc::hasWideVectors(const llvm::TargetMachine &machine) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
}

void disc::setTarget(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  bool wide = hasWideVectors(machine);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("no-trapping-math", "true");
    // By default LLVM stays at 256 bits on processors that have 512.
    if (wide)
      function.addFnAttr("prefer-vector-width", "512");
  }
}

/// Has functions instrumented after the optimizations, as clang does: the vectorised loops that really run.
static void addSanitizer(llvm::ModulePassManager &passes, llvm::Module &module,
                         disc::Sanitizer sanitizer) {
  bool address = sanitizer == disc::Sanitizer::address;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(address ? llvm::Attribute::SanitizeAddress
                               : llvm::Attribute::SanitizeThread);
    function.addFnAttr("frame-pointer", "all");
  }
  if (address) {
    passes.addPass(llvm::AddressSanitizerPass({}));
    return;
  }
  passes.addPass(llvm::ModuleThreadSanitizerPass());
  passes.addPass(
      llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
}

// Kernels come as vectors, unrolled where that is of use. What is left: index arithmetic, what loops repeat, loops that stayed scalar.
static constexpr llvm::StringLiteral kKernelPasses =
    "inferattrs,function<eager-inv>(simplifycfg,sroa,early-cse<memssa>),"
    "ipsccp,globalopt,"
    "function<eager-inv>(instcombine<max-iterations=1;no-verify-fixpoint>,"
    "simplifycfg),cgscc(inline,function-attrs),deadargelim,globaldce,"
    "function<eager-inv>(sroa,early-cse<memssa>,correlated-propagation,"
    "simplifycfg,reassociate,loop-mssa(loop-instsimplify,loop-simplifycfg,"
    "licm<no-allowspeculation>,loop-rotate,licm,"
    "simple-loop-unswitch<nontrivial;trivial>),simplifycfg,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,"
    "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa,gvn,bdce,"
    "dse,loop-vectorize,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;"
    "no-keep-loops;hoist-common-insts;sink-common-insts>,slp-vectorizer,"
    "loop-unroll<O3>,instcombine<max-iterations=1;no-verify-fixpoint>,"
    "loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs,simplifycfg),"
    "globaldce";
// The program runs once a call: it stores numbers and calls.
static constexpr llvm::StringLiteral kProgramPasses =
    "function<eager-inv>(sroa,early-cse<memssa>,simplifycfg,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,early-cse<memssa>,"
    "simplifycfg)";

void disc::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                    const TargetOptions &options) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimePassesHandler times; // of `-time-passes`
  times.registerCallbacks(callbacks);
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(),
                            std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  if (options.optimization == 0)
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  else if (options.optimization == 1)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1);
  else
    llvm::cantFail(builder.parsePassPipeline(
        passes, options.isProgram ? kProgramPasses : kKernelPasses));
  if (options.sanitizer != Sanitizer::none)
    addSanitizer(passes, module, options.sanitizer);
  passes.run(module, modules);
}

/// Gives large constants the type of an array of bytes, which is written whole
/// and not element by element.
static void makeBytes(llvm::Module &module) {
  if (!module.getDataLayout().isLittleEndian())
    return;
  SmallVector<llvm::GlobalVariable *> large;
  for (llvm::GlobalVariable &global : module.globals()) {
    auto *data = global.hasInitializer()
                     ? dyn_cast<llvm::ConstantDataSequential>(global.getInitializer())
                     : nullptr;
    if (data && !data->isString() && global.hasLocalLinkage() &&
        data->getRawDataValues().size() > 4096)
      large.push_back(&global);
  }
  for (llvm::GlobalVariable *global : large) {
    StringRef raw = cast<llvm::ConstantDataSequential>(global->getInitializer())
                        ->getRawDataValues();
    llvm::Constant *bytes = llvm::ConstantDataArray::getString(
        module.getContext(), raw, /*AddNull=*/false);
    llvm::Align alignment = module.getDataLayout().getPreferredAlign(global);
    auto *made = new llvm::GlobalVariable(module, bytes->getType(),
                                          global->isConstant(),
                                          global->getLinkage(), bytes);
    made->takeName(global);
    made->copyAttributesFrom(global);
    made->setAlignment(alignment);
    global->replaceAllUsesWith(made);
    global->eraseFromParent();
  }
}

LogicalResult disc::emitMachineCode(llvm::Module &module,
                                    llvm::TargetMachine &machine,
                                    llvm::CodeGenFileType type,
                                    llvm::raw_pwrite_stream &os) {
  makeBytes(module);
  if (machine.getOptLevel() >= llvm::CodeGenOptLevel::Default)
    keepConstantsInMemory(module);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type))
    return failure();
  passes.run(module);
  return success();
}
