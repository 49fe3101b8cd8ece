// Moves every fusion into a kernel function and leaves a launch; equal fusions share one kernel.
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/Split.h"
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
                          ? emitStitch(fusion, [&](lmhlo_disc::FusionOp part) { return outline(part, /*keepsOrder=*/true); })
                          : outlineBySize(fusion));
    return success(ok);
  }

private:
  /// In two kernels where there is such a form and sizes make it worth it, else in one.
  LogicalResult outlineBySize(lmhlo_disc::FusionOp fusion) {
    if (!llvm::all_of(fusion->getOperandTypes(), llvm::IsaPred<MemRefType>))
      return outline(fusion); // says what is wrong
    for (const std::unique_ptr<SplitForm> &form : forms) {
      HostSite site(fusion);
      ElementEmitter host(site);
      Value condition = form->emitCondition(host);
      std::optional<int64_t> known = condition ? getConstantIntValue(condition) : 0;
      if (known == 0)
        continue;
      if (known)
        return outlineInTwo(fusion, *form);
      OpBuilder b(fusion);
      auto choice = scf::IfOp::create(b, fusion.getLoc(), condition, /*withElseRegion=*/true);
      choice->setAttr("disc.forms", b.getUnitAttr());
      b.setInsertionPoint(choice.thenBlock()->getTerminator());
      auto twin = cast<lmhlo_disc::FusionOp>(b.clone(*fusion));
      fusion->moveBefore(choice.elseBlock()->getTerminator());
      return success(succeeded(outlineInTwo(twin, *form)) & succeeded(outline(fusion)));
    }
    return outline(fusion);
  }

  LogicalResult outlineInTwo(lmhlo_disc::FusionOp fusion, SplitForm &form) {
    Partials partials;
    bool ok = true;
    for (StringRef name : {"part", "join"}) {
      Kernel kernel(fusion, newName(name));
      ElementEmitter e(kernel), host(kernel.host);
      KernelEmission emission{kernel, e, host};
      bool isFirst = name == "part";
      Launch launch = isFirst ? form.emitPart(emission, partials) : form.emitJoin(emission, partials);
      ok &= succeeded(finish(emission, launch, /*isParallel=*/true));
      if (!isFirst)
        partials.free(emission);
    }
    fusion.erase();
    return success(ok);
  }

  /// `keepsOrder`: what the launch's range counts is rows of the result, as a stitch expects it.
  LogicalResult outline(lmhlo_disc::FusionOp fusion, bool keepsOrder = false) {
    if (!llvm::all_of(fusion->getOperandTypes(), llvm::IsaPred<MemRefType>))
      return fusion.emitOpError("expected memrefs; bufferize before making kernels");
    Kernel kernel(fusion, newName(fusion.getKind()));
    ElementEmitter e(kernel), host(kernel.host);
    KernelEmission emission{kernel, e, host};
    Launch launch;
    if (fusion.getKind() == "row")
      launch = emitRowSchedule(emission, /*isBlock=*/keepsOrder);
    else if (fusion.getKind() == "loop")
      launch = emitLoopSchedule(emission, keepsOrder);
    else if (fusion.getKind() == "scatter")
      launch = emitScatterSchedule(emission);
    else if (fusion.getKind() == "sort")
      launch = emitSortSchedule(emission);
    else
      fusion.emitOpError() << "expected kind \"loop\", \"row\", \"scatter\", \"sort\" or \"stitch\", got \"" << fusion.getKind() << "\"";
    LogicalResult finished = finish(emission, launch, fusion.getKind() == "row" || fusion.getKind() == "loop");
    if (succeeded(finished))
      fusion.erase();
    return finished;
  }

  /// Ends a kernel and launches it before the fusion. `isParallel`: iterations of its innermost loops do not depend on each other but for
  /// what they carry.
  LogicalResult finish(const KernelEmission &k, Launch launch, bool isParallel) {
    bool emitted = launch.range && !k.e.failed() && !k.host.failed();
    if (emitted) {
      k.kernel.finish();
      if (isParallel)
        k.kernel.function()->setAttr("disc.parallel", UnitAttr::get(module.getContext()));
      Value grain = emitGrain(k, launch);
      std::string name = deduplicate(k.kernel.function());
      k.kernel.launch(name, launch.range, grain);
    } else {
      k.kernel.function().erase(); // the emitter said why
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
  std::unique_ptr<SplitForm> forms[2] = {makeRowSplit(), makeColumnSplit()};
  llvm::StringMap<std::string> kernels;
  unsigned count = 0;
};

} // namespace

LogicalResult runCpuFusionToKernels(ModuleOp module) { return Outliner(module).run(); }

} // namespace disc
