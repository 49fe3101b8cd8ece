// --disc-explain-fusion: why two ops are in one kernel, in one stitch, or apart.
//
// Before phase `fusion` every op gets a number, which its clones in fusions keep (in their
// locations). The passes of the phase remark on pairs that they keep apart; afterwards the
// IR shows which unit of work (kernel, product, view, ...) each number ended in.
#include "ExplainFusion.h"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/fusion/OpClass.h"
#include "passes/natives/PassGlue.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace {

/// An op as phase `fusion` found it.
struct Node {
  std::string name, place;
  Location loc;
  SmallVector<unsigned, 1> units;
};

/// A piece of work after the phase.
struct Unit {
  std::string name, kind; // kind: "kernel", "product", "view", "constant", "call", "control flow", "host"
  Operation *op;
  unsigned stitch = 0; // 0: in none
  SmallVector<unsigned> ops;
  llvm::SetVector<unsigned> readers;
};

/// What a pass said of two ops, or groups of ops.
struct Remark {
  SmallVector<unsigned> producers, consumers;
  std::string why;
};

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

/// Whether `loc` is what the user calls LINE, LINE:COLUMN or FILE:LINE:COLUMN.
bool isAt(Location loc, StringRef query) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return false;
  std::string line = std::to_string(place.getLine()), full = line + ":" + std::to_string(place.getColumn());
  StringRef file = place.getFilename().getValue(), last = llvm::sys::path::filename(file);
  for (const std::string &spelling : {line, full})
    if (query == spelling || query == (file + ":" + spelling).str() || query == (last + ":" + spelling).str())
      return true;
  return false;
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

class FusionExplainer {
public:
  LogicalResult run(ModuleOp module, StringRef from);
  void printAll();
  LogicalResult answer(StringRef first, StringRef second);

private:
  void tag(ModuleOp module);
  void addUnit(Operation *op, StringRef kind, unsigned stitch);
  void addUnits(Block &block, unsigned stitch);
  void connect();
  std::string describe(unsigned node) const { return "`" + nodes[node].name + "` at " + nodes[node].place; }
  std::string describe(ArrayRef<unsigned> ops) const;
  std::string structural(const Unit &from, const Unit &to) const;
  bool isIn(unsigned node, unsigned unit) const { return llvm::is_contained(nodes[node].units, unit); }
  FailureOr<SmallVector<unsigned>> find(StringRef query);
  void tellRemarks(unsigned from, unsigned to, StringRef indent);
  bool tellPath(ArrayRef<unsigned> from, ArrayRef<unsigned> to);
  SmallVector<unsigned> unitsOf(ArrayRef<unsigned> ops) const;

  std::vector<Node> nodes;
  std::vector<Node> written; // the ops of the file, whose places the user knows
  std::vector<Unit> units;
  std::vector<Remark> remarks;
  llvm::StringMap<unsigned> counts;
  llvm::DenseMap<Operation *, unsigned> unitAt;
};

LogicalResult FusionExplainer::run(ModuleOp module, StringRef from) {
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

void FusionExplainer::tag(ModuleOp module) {
  MLIRContext *context = module.getContext();
  module.walk([&](Operation *op) {
    if (!isWork(op))
      return;
    auto number = IntegerAttr::get(IntegerType::get(context, 64), nodes.size());
    nodes.push_back({shortName(op), placeOf(op->getLoc()), op->getLoc(), {}});
    op->setLoc(FusedLoc::get(context, {op->getLoc()}, number));
  });
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

void FusionExplainer::addUnit(Operation *op, StringRef kind, unsigned stitch) {
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

void FusionExplainer::addUnits(Block &block, unsigned stitch) {
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

void FusionExplainer::connect() {
  for (auto [index, unit] : llvm::enumerate(units))
    unit.op->walk([&, index = index](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = sourceOf(operand).getDefiningOp())
          if (auto it = unitAt.find(def); it != unitAt.end() && it->second != index)
            units[it->second].readers.insert(index);
    });
}

std::string FusionExplainer::describe(ArrayRef<unsigned> ops) const {
  constexpr size_t most = 12;
  std::string text;
  for (auto [i, op] : llvm::enumerate(ops.take_front(most)))
    text += (i ? ", " : "") + describe(op);
  if (ops.size() > most)
    text += " and " + std::to_string(ops.size() - most) + " more";
  return text;
}

/// Why two units that no pass speaks of are not one.
std::string FusionExplainer::structural(const Unit &from, const Unit &to) const {
  for (const Unit *unit : {&from, &to}) {
    if (unit->kind == "view")
      return unit->name + " is the same buffer with other sizes: there is no code to join";
    if (unit->kind == "constant")
      return unit->name + " is data of the program";
    if (unit->kind == "control flow")
      return unit->name + " is a branch or loop around kernels";
    if (unit->kind == "call")
      return unit->name + " is a call of the runtime's library";
    if (unit->kind == "host")
      return unit->name + " is done by the code around kernels: sizes, conditions, scalars";
  }
  if (!from.stitch && !to.stitch && from.op->getBlock() != to.op->getBlock())
    return "they are in different bodies of control flow";
  if (from.kind == "product" || to.kind == "product")
    return "a product hands rows to one kernel that reads them, and takes its left operand's rows from one";
  return "they were not considered together";
}

/// What the passes said of ops in two units.
void FusionExplainer::tellRemarks(unsigned from, unsigned to, StringRef indent) {
  llvm::SetVector<StringRef> told;
  for (const Remark &remark : remarks) {
    auto in = [&](unsigned unit) { return [this, unit](unsigned node) { return isIn(node, unit); }; };
    auto producer = llvm::find_if(remark.producers, in(from)), consumer = llvm::find_if(remark.consumers, in(to));
    if (producer == remark.producers.end() || consumer == remark.consumers.end() || !told.insert(remark.why))
      continue;
    llvm::outs() << indent;
    if (remark.producers.size() == 1 && remark.consumers.size() == 1)
      llvm::outs() << describe(*producer) << " -> " << describe(*consumer) << ": ";
    llvm::outs() << remark.why << "\n";
  }
  if (told.empty())
    llvm::outs() << indent << structural(units[from], units[to]) << "\n";
}

void FusionExplainer::printAll() {
  unsigned stitch = 0, kernels = 0;
  for (const Unit &unit : units) {
    if (unit.kind == "host" || unit.kind == "constant")
      continue;
    kernels += unit.kind == "kernel" && !unit.stitch;
    if (unit.stitch && unit.stitch != stitch)
      llvm::outs() << "stitch " << unit.stitch << ":\n";
    stitch = unit.stitch;
    llvm::outs() << (stitch ? "  " : "") << unit.name;
    if (auto fusion = dyn_cast<dhlo::FusionOp>(unit.op))
      llvm::outs() << " (" << fusion.getKind() << ")";
    SmallVector<unsigned> shown(unit.ops);
    if (shown.size() > 1)
      llvm::erase_if(shown, [&](unsigned op) { return nodes[op].name == "constant" || nodes[op].name == "tensor.from_elements"; });
    llvm::outs() << ": " << describe(shown) << "\n";
  }
  llvm::outs() << "stitches: " << counts.lookup("stitch") << ", kernels outside of them: " << kernels
               << ", products: " << counts.lookup("product") << "\n";
  for (auto [index, unit] : llvm::enumerate(units)) {
    llvm::SetVector<unsigned> readers = unit.readers;
    for (size_t i = 0; i < readers.size(); ++i) // through views
      if (units[readers[i]].kind == "view")
        readers.insert(units[readers[i]].readers.begin(), units[readers[i]].readers.end());
    for (unsigned reader : readers) {
      const Unit &other = units[reader];
      bool work = (unit.kind == "kernel" || unit.kind == "product") && (other.kind == "kernel" || other.kind == "product");
      if (!work || (unit.stitch && unit.stitch == other.stitch))
        continue;
      llvm::outs() << "apart: " << unit.name << " -> " << other.name << "\n";
      tellRemarks(index, reader, "  ");
    }
  }
}

FailureOr<SmallVector<unsigned>> FusionExplainer::find(StringRef query) {
  auto matches = [&](const Node &node) { return node.name == query || isAt(node.loc, query); };
  SmallVector<unsigned> found;
  for (auto [index, node] : llvm::enumerate(nodes))
    if (matches(node))
      found.push_back(index);
  // Scalars of one line say less than its work.
  SmallVector<unsigned> work;
  for (unsigned node : found)
    if (llvm::any_of(nodes[node].units, [&](unsigned unit) { return units[unit].kind != "host"; }))
      work.push_back(node);
  if (!work.empty())
    return work;
  if (!found.empty())
    return found;
  auto gone = llvm::find_if(written, matches);
  if (gone == written.end()) {
    llvm::errs() << "error: --disc-explain-fusion: no op is `" << query
                 << "`; expected a line of the file, line:column, or the name of an op, as in `12,15:8`\n";
    return failure();
  }
  llvm::outs() << "`" << gone->name << "` at " << gone->place
               << " is in no kernel: phases before `fusion` folded it or replaced it by ops of other places\n";
  return found;
}

SmallVector<unsigned> FusionExplainer::unitsOf(ArrayRef<unsigned> ops) const {
  llvm::SetVector<unsigned> result;
  for (unsigned op : ops)
    result.insert(nodes[op].units.begin(), nodes[op].units.end());
  return result.takeVector();
}

/// Tells, link by link, why what `from` computes reaches `to` through memory.
bool FusionExplainer::tellPath(ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
  llvm::DenseMap<unsigned, unsigned> parent;
  std::vector<unsigned> queue(from.begin(), from.end());
  for (unsigned unit : from)
    parent[unit] = unit;
  for (size_t head = 0; head < queue.size(); ++head) {
    unsigned unit = queue[head];
    if (!llvm::is_contained(to, unit)) {
      for (unsigned reader : units[unit].readers)
        if (parent.try_emplace(reader, unit).second)
          queue.push_back(reader);
      continue;
    }
    SmallVector<unsigned> path{unit};
    while (parent[path.back()] != path.back())
      path.push_back(parent[path.back()]);
    for (size_t i = path.size() - 1; i > 0; --i) {
      const Unit &a = units[path[i]], &b = units[path[i - 1]];
      llvm::outs() << "  " << a.name << " -> " << b.name;
      if (a.stitch && a.stitch == b.stitch) {
        llvm::outs() << ": both in stitch " << a.stitch << "\n";
        continue;
      }
      llvm::outs() << ":\n";
      tellRemarks(path[i], path[i - 1], "    ");
    }
    return true;
  }
  return false;
}

LogicalResult FusionExplainer::answer(StringRef first, StringRef second) {
  auto a = find(first), b = find(second);
  if (failed(a) || failed(b))
    return failure();
  if (a->empty() || b->empty())
    return success();
  SmallVector<unsigned> ours = unitsOf(*a), theirs = unitsOf(*b);
  for (auto [ops, in] : {std::pair(*a, ours), std::pair(*b, theirs)}) {
    llvm::outs() << describe(ops) << ": ";
    if (in.empty())
      llvm::outs() << "not there after phase `fusion`: nothing needs it";
    llvm::interleaveComma(in, llvm::outs(), [&](unsigned unit) {
      llvm::outs() << units[unit].name;
      if (units[unit].stitch)
        llvm::outs() << " of stitch " << units[unit].stitch;
    });
    llvm::outs() << "\n";
  }
  for (unsigned unit : ours)
    if (llvm::is_contained(theirs, unit)) {
      llvm::outs() << "joined: both in " << units[unit].name << "\n";
      return success();
    }
  for (unsigned unit : ours)
    for (unsigned other : theirs)
      if (units[unit].stitch && units[unit].stitch == units[other].stitch) {
        llvm::outs() << "joined: both in stitch " << units[unit].stitch
                     << ", which works on a block of rows at a time\n";
        return success();
      }
  llvm::outs() << "apart:\n";
  if (!tellPath(ours, theirs) && !tellPath(theirs, ours))
    llvm::outs() << "  neither needs what the other computes; only a producer and its consumer are joined\n";
  return success();
}

} // namespace

LogicalResult disc::explainFusion(StringRef file, StringRef from, StringRef query, const DialectRegistry &registry) {
  auto [first, second] = query.split(',');
  if (!query.empty() && (first.trim().empty() || second.trim().empty())) {
    llvm::errs() << "error: --disc-explain-fusion: expected two ops, as in `12,15:8`, got `" << query << "`\n";
    return failure();
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED); // remarks come in order
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return failure();
  FusionExplainer explainer;
  if (failed(explainer.run(*module, from)))
    return failure();
  if (!query.empty())
    return explainer.answer(first.trim(), second.trim());
  explainer.printAll();
  return success();
}
