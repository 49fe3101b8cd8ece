// From LLVM IR to machine code.
#include "ObjectEmitter.h"
#include "ConstantsInMemory.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace mlir;

static llvm::CodeGenOptLevel getCodeGenLevel(unsigned level) {
  return level == 0   ? llvm::CodeGenOptLevel::None
         : level == 1 ? llvm::CodeGenOptLevel::Less
         : level == 2 ? llvm::CodeGenOptLevel::Default
                      : llvm::CodeGenOptLevel::Aggressive;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
disc::createTargetMachine(const TargetOptions &options) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();

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
      std::nullopt, getCodeGenLevel(options.optimization)));
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

/// Adds the instrumentation after the optimizations, as clang does: it then sees
/// the vectorised loops that really run.
static void addSanitizer(llvm::PassBuilder &builder, llvm::Module &module,
                         disc::Sanitizer sanitizer) {
  bool address = sanitizer == disc::Sanitizer::address;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(address ? llvm::Attribute::SanitizeAddress
                               : llvm::Attribute::SanitizeThread);
    function.addFnAttr("frame-pointer", "all");
  }
  builder.registerOptimizerLastEPCallback(
      [=](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
          llvm::ThinOrFullLTOPhase) {
        if (address) {
          passes.addPass(llvm::AddressSanitizerPass({}));
          return;
        }
        passes.addPass(llvm::ModuleThreadSanitizerPass());
        passes.addPass(
            llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
      });
}

void disc::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                    const TargetOptions &options) {
  unsigned level = options.optimization;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = level > 1;
  tuning.SLPVectorization = level > 1;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  if (options.sanitizer != Sanitizer::none)
    addSanitizer(builder, module, options.sanitizer);
  auto levels = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                 llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::OptimizationLevel optimization =
      *(levels.begin() + std::min(level, 3u));
  llvm::ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(optimization)
                 : builder.buildPerModuleDefaultPipeline(optimization);
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
