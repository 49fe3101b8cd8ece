// --disc-explain-fusion: why two ops are in one kernel, in one stitch, or apart.
#include "ExplainFusion.h"

#include "FusionMap.h"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace disc;

namespace {

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

class FusionExplainer : public FusionMap {
public:
  void printAll();
  LogicalResult answer(StringRef first, StringRef second);

private:
  std::string describe(unsigned node) const { return "`" + nodes[node].name + "` at " + nodes[node].place; }
  std::string describe(ArrayRef<unsigned> ops) const;
  std::string structural(const Unit &from, const Unit &to) const;
  FailureOr<SmallVector<unsigned>> find(StringRef query);
  void tellRemarks(unsigned from, unsigned to, StringRef indent);
  bool tellPath(ArrayRef<unsigned> from, ArrayRef<unsigned> to);
};

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
