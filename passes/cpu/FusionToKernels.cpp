// Moves every fusion into a kernel function and leaves a launch; equal fusions share one kernel.
#include "passes/cpu/Schedule.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace disc {
namespace {

class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module) {}

  LogicalResult run() {
    SmallVector<lmhlo_disc::FusionOp> fusions;
    module.walk([&](lmhlo_disc::FusionOp fusion) { fusions.push_back(fusion); });
    // Go on after a failure, so that one run names all that is missing.
    bool ok = true;
    for (lmhlo_disc::FusionOp fusion : fusions)
      ok &= succeeded(fusion.getKind() == "stitch"
                          ? emitStitch(fusion, [&](lmhlo_disc::FusionOp part) { return outline(part); })
                          : outline(fusion));
    return success(ok);
  }

private:
  LogicalResult outline(lmhlo_disc::FusionOp fusion) {
    if (!llvm::all_of(fusion->getOperandTypes(), llvm::IsaPred<MemRefType>))
      return fusion.emitOpError("expected memrefs; bufferize before making kernels");
    Kernel kernel(fusion, newName(fusion.getKind()));
    ElementEmitter e(kernel), host(kernel.host);
    KernelEmission emission{kernel, e, host};
    Launch launch;
    if (fusion.getKind() == "row")
      launch = emitRowSchedule(emission);
    else if (fusion.getKind() == "loop")
      launch = emitLoopSchedule(emission);
    else if (fusion.getKind() == "scatter")
      launch = emitScatterSchedule(emission);
    else if (fusion.getKind() == "sort")
      launch = emitSortSchedule(emission);
    else
      fusion.emitOpError() << "expected kind \"loop\", \"row\", \"scatter\", \"sort\" or \"stitch\", got \"" << fusion.getKind() << "\"";
    bool emitted = launch.range && !e.failed() && !host.failed();
    if (emitted) {
      kernel.finish();
      // Iterations of its innermost loops do not depend on each other but for what they carry.
      if (fusion.getKind() == "row" || fusion.getKind() == "loop")
        kernel.function()->setAttr("disc.parallel", UnitAttr::get(module.getContext()));
      Value grain = emitGrain(emission, launch.work);
      std::string name = deduplicate(kernel.function());
      kernel.launch(name, launch.range, grain);
    } else {
      kernel.function().erase(); // the emitter said why
    }
    return success(emitted);
  }

  std::string newName(StringRef kind) {
    std::string name;
    do
      name = ("kernel_" + kind + "_" + Twine(count++)).str();
    while (module.lookupSymbol(name));
    return name;
  }

  /// The name of a kernel that is the same but for its name; erases `function` when there is an older one.
  std::string deduplicate(func::FuncOp function) {
    std::string name = function.getName().str(), text;
    llvm::raw_string_ostream os(text);
    function.setName("kernel");
    function->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
    function.setName(name);
    auto [known, isNew] = kernels.try_emplace(text, name);
    if (!isNew)
      function.erase();
    return known->second;
  }

  ModuleOp module;
  llvm::StringMap<std::string> kernels;
  unsigned count = 0;
};

} // namespace

LogicalResult runCpuFusionToKernels(ModuleOp module) { return Outliner(module).run(); }

} // namespace disc
