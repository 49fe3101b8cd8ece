// Numbers the ops before phase `fusion` and finds them again after it.
#include "FusionMap.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "passes/fusion/OpClass.h"
#include "passes/natives/PassGlue.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace disc;

namespace {

/// The number that `tag` gave.
std::optional<unsigned> numberOf(LocationAttr loc) {
  if (auto fused = dyn_cast<FusedLoc>(loc))
    if (auto number = dyn_cast_or_null<IntegerAttr>(fused.getMetadata()))
      return number.getInt();
  return std::nullopt;
}

/// All numbers in the location of a fusion.
SmallVector<unsigned> numbersIn(LocationAttr loc) {
  SmallVector<unsigned> numbers;
  loc.walk([&](Location inner) {
    if (std::optional<unsigned> number = numberOf(inner))
      numbers.push_back(*number);
    return WalkResult::advance();
  });
  return numbers;
}

class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(std::vector<Remark> &remarks) : remarks(remarks) {}
  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Remark found{numbersIn(remark.getLocation()), {}, ""};
    for (const auto &arg : remark.getArgs())
      if (arg.key == "Reason")
        found.why = arg.val;
      else if (auto loc = dyn_cast_or_null<LocationAttr>(arg.getAttribute()))
        found.consumers = numbersIn(loc);
    remarks.push_back(std::move(found));
  }

private:
  std::vector<Remark> &remarks;
};

std::string shortName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (StringRef dialect : {"dhlo.", "stablehlo.", "mhlo.", "chlo."})
    name.consume_front(dialect);
  return name.str();
}

/// Whether the user sees `op` as work: not what a reduction or sort does with two elements.
bool isWork(Operation *op) {
  Operation *parent = op->getParentOp();
  return !op->hasTrait<OpTrait::IsTerminator>() && !isa<ModuleOp, func::FuncOp>(op) &&
         !(parent->getDialect() == op->getContext()->getLoadedDialect<dhlo::DhloDialect>() &&
           !isa<dhlo::WhileOp, dhlo::IfOp, dhlo::CaseOp, dhlo::FusionOp>(parent));
}

std::string placeOf(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    os << llvm::sys::path::filename(place.getFilename().getValue()) << ":" << place.getLine() << ":"
       << place.getColumn();
  else
    os << loc;
  return text;
}

/// The value that `value` is outside of the stitch that it crosses into, or inside of the one that made it.
Value sourceOf(Value value) {
  while (true) {
    value = disc::untied(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto fusion = dyn_cast_or_null<dhlo::FusionOp>(argument.getOwner()->getParentOp());
      if (!fusion)
        return value;
      value = fusion.getInputs()[argument.getArgNumber()];
    } else if (auto fusion = value.getDefiningOp<dhlo::FusionOp>(); fusion && fusion.getKind() == "stitch") {
      value = fusion.getYielded()[cast<OpResult>(value).getResultNumber()];
    } else {
      return value;
    }
  }
}

/// What an op outside of fusions is; empty: nothing to speak of.
StringRef kindOf(Operation *op) {
  if (isa<dhlo::FusionOp>(op))
    return "kernel";
  if (isa<dhlo::DotGeneralOp>(op))
    return "product";
  if (isa<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op) || op->getName().getStringRef() == "tensor.cast")
    return "view";
  if (op->hasTrait<OpTrait::ConstantLike>() && isa<RankedTensorType>(op->getResult(0).getType()))
    return "constant";
  if (op->getNumRegions() > 0 && !isa<dhlo::ReduceOp, dhlo::SortOp>(op))
    return "control flow";
  if (isa<dhlo::DhloDialect>(op->getDialect()))
    return "call";
  return "host";
}

} // namespace

LogicalResult FusionMap::run(ModuleOp module, StringRef from) {
  module.walk([&](Operation *op) {
    if (isWork(op))
      written.push_back({shortName(op), placeOf(op->getLoc()), op->getLoc(), {}});
  });
  ArrayRef<disc::PipelinePhase> phases = disc::pipelinePhases();
  auto fusion = llvm::find_if(phases, [](const auto &phase) { return phase.name == "fusion"; });
  PassManager before(module.getContext()), phase(module.getContext());
  if (from != fusion->name)
    if (failed(disc::buildPipeline(before, from, std::prev(fusion)->name)) || failed(before.run(module)))
      return failure();
  tag(module);
  remark::RemarkCategories categories{std::nullopt, std::nullopt, "fusion", std::nullopt, std::nullopt};
  if (failed(remark::enableOptimizationRemarks(*module.getContext(), std::make_unique<Collector>(remarks),
                                               std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return module.emitError("no remarks can be collected");
  if (failed(disc::buildPipeline(phase, fusion->name, fusion->name)) || failed(phase.run(module)))
    return failure();
  for (auto func : module.getOps<func::FuncOp>())
    for (Block &block : func.getBody())
      addUnits(block, 0);
  connect();
  return success();
}

void FusionMap::tag(ModuleOp module) {
  MLIRContext *context = module.getContext();
  module.walk([&](Operation *op) {
    if (!isWork(op))
      return;
    auto number = IntegerAttr::get(IntegerType::get(context, 64), nodes.size());
    nodes.push_back({shortName(op), placeOf(op->getLoc()), op->getLoc(), {}});
    op->setLoc(FusedLoc::get(context, {op->getLoc()}, number));
  });
}

void FusionMap::addUnit(Operation *op, StringRef kind, unsigned stitch) {
  Unit unit{"", kind.str(), op, stitch, {}, {}};
  unit.name = unit.kind + " " + std::to_string(++counts[kind]);
  unsigned index = units.size();
  auto add = [&](Operation *inner) {
    std::optional<unsigned> number = numberOf(inner->getLoc());
    // Sizes computed for an op have its place too.
    if (!number || shortName(inner) != nodes[*number].name)
      return;
    unit.ops.push_back(*number);
    nodes[*number].units.push_back(index);
  };
  if (auto fusion = dyn_cast<dhlo::FusionOp>(op))
    for (Operation &inner : fusion.getBlock())
      add(&inner);
  else
    add(op);
  unitAt[op] = index;
  units.push_back(std::move(unit));
}

void FusionMap::addUnits(Block &block, unsigned stitch) {
  for (Operation &op : block.without_terminator()) {
    if (isa<dhlo::TieShapeOp>(op))
      continue;
    if (auto fusion = dyn_cast<dhlo::FusionOp>(op); fusion && fusion.getKind() == "stitch") {
      addUnits(fusion.getBlock(), ++counts["stitch"]);
      continue;
    }
    StringRef kind = kindOf(&op);
    addUnit(&op, kind, stitch);
    if (kind == "control flow")
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          addUnits(inner, 0);
  }
}

void FusionMap::connect() {
  for (auto [index, unit] : llvm::enumerate(units))
    unit.op->walk([&, index = index](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = sourceOf(operand).getDefiningOp())
          if (auto it = unitAt.find(def); it != unitAt.end() && it->second != index)
            units[it->second].readers.insert(index);
    });
}

SmallVector<unsigned> FusionMap::unitsOf(ArrayRef<unsigned> ops) const {
  llvm::SetVector<unsigned> result;
  for (unsigned op : ops)
    result.insert(nodes[op].units.begin(), nodes[op].units.end());
  return result.takeVector();
}
