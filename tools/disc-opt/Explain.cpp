// Where a pattern stopped matching: disc_dsl gives each prefix of it as a
// pattern whose rewrite records that it matched, and then fails, so that the
// next one is tried.
#include "LoadPass.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "passes/natives/PassGlue.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

constexpr size_t shownOps = 5;

/// Changes nothing, so a rewrite that failed needs no repair.
struct Recorder : PatternRewriter {
  using PatternRewriter::PatternRewriter;
  bool canRecoverFromRewriteFailure() const override { return true; }
};

/// How far one variant of the pattern came on one root: for each step whether
/// it held, the op that it bound, and what a condition looked at.
struct Progress {
  std::vector<bool> held;
  std::vector<Operation *> bound;
  std::vector<std::string> seen;

  /// The number of leading steps that held.
  size_t leading() const {
    return std::find(held.begin(), held.end(), false) - held.begin();
  }
};

StringRef get(const llvm::json::Object &object, StringRef key) {
  return object.getString(key).value_or("");
}

void printPlace(llvm::raw_ostream &os, Location loc) {
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":"
       << place.getColumn();
  else
    os << loc;
}

void describe(llvm::raw_ostream &os, Operation *op) {
  os << "`" << op->getName() << "` at ";
  printPlace(os, op->getLoc());
}

void describe(llvm::raw_ostream &os, Value value) {
  if (Operation *op = value.getDefiningOp())
    describe(os, op);
  else
    os << "a block argument";
  os << ", " << value.getType();
}

void describe(llvm::raw_ostream &os, const PDLValue &value) {
  if (auto attr = value.dyn_cast<Attribute>()) {
    os << attr;
  } else if (auto *op = value.dyn_cast<Operation *>()) {
    describe(os, op);
    os << " (" << llvm::range_size(op->getUses()) << " uses)";
  } else if (auto one = value.dyn_cast<Value>()) {
    describe(os, one);
  } else if (auto type = value.dyn_cast<Type>()) {
    os << type;
  } else if (value.isa<ValueRange>()) {
    os << llvm::range_size(value.cast<ValueRange>()) << " values";
  } else {
    os << llvm::range_size(value.cast<TypeRange>()) << " types";
  }
}

class Explainer {
public:
  Explainer(const llvm::json::Object &pattern)
      : name(get(pattern, "name")), pattern(pattern),
        steps(*pattern.getArray("steps")),
        variants(*pattern.getArray("variants")) {}

  LogicalResult addPatterns(RewritePatternSet &set);
  void report(ModuleOp module);

private:
  const llvm::json::Object &step(size_t index) const {
    return *steps[index].getAsObject();
  }
  Progress &progress(Operation *root, int64_t variant) {
    std::vector<Progress> &all = reached[root];
    all.resize(variants.size());
    Progress &one = all[variant];
    one.held.resize(steps.size());
    one.bound.resize(steps.size());
    one.seen.resize(steps.size());
    return one;
  }
  void addCondition(PDLPatternModule &pdl, PDLPatternModule &natives,
                    size_t index);
  /// What is where the op of a step should be; null where that is not known.
  Value inPlaceOf(const Progress &progress, size_t index, size_t variant) const;
  /// Whether an op of the right name is where the first one is missing.
  bool isNear(const Progress &progress, size_t variant) const;
  void tellFound(const Progress &progress, size_t index, size_t variant);
  /// `value`: the result of the op that is read; none for the root.
  void tellDifference(Operation *op, OpResult value, const Progress &progress,
                      size_t index, size_t variant);
  void tell(Operation *root, Progress &progress, size_t variant);

  StringRef name;
  const llvm::json::Object &pattern;
  const llvm::json::Array &steps, &variants;
  llvm::MapVector<Operation *, std::vector<Progress>> reached;
};

void Explainer::addCondition(PDLPatternModule &pdl, PDLPatternModule &natives,
                             size_t index) {
  StringRef native = get(step(index), "native");
  bool negated = step(index).getBoolean("negated").value_or(false);
  auto found = natives.getConstraintFunctions().find(native);
  pdl.registerRewriteFunction(
      "explain_condition" + std::to_string(index),
      [this, index, negated, fn = found->second](
          PatternRewriter &rewriter, PDLResultList &results,
          ArrayRef<PDLValue> values) -> LogicalResult {
        Progress &now =
            progress(values[0].cast<Operation *>(),
                     cast<IntegerAttr>(values[1].cast<Attribute>()).getInt());
        values = values.drop_front(2);
        if (succeeded(fn(rewriter, results, values)) != negated)
          now.held[index] = true;
        llvm::raw_string_ostream os(now.seen[index]);
        now.seen[index].clear();
        for (auto [arg, value] :
             llvm::zip(*step(index).getArray("args"), values))
          if (StringRef text = *arg.getAsString(); !text.empty()) {
            os << "\n    `" << text << "` is ";
            describe(os, value);
          }
        return failure();
      });
}

LogicalResult Explainer::addPatterns(RewritePatternSet &set) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(get(pattern, "pdl"), set.getContext());
  if (!module)
    return failure();
  PDLPatternModule natives, pdl(std::move(module));
  disc::registerNatives(natives);
  disc::registerNatives(pdl);
  pdl.registerRewriteFunction(
      "explain_step",
      [this](PatternRewriter &, PDLResultList &,
             ArrayRef<PDLValue> values) -> LogicalResult {
        auto number = [&](size_t i) {
          return cast<IntegerAttr>(values[i].cast<Attribute>()).getInt();
        };
        Progress &now = progress(values[0].cast<Operation *>(), number(2));
        now.held[number(3)] = true;
        now.bound[number(3)] = values[1].cast<Operation *>();
        return failure();
      });
  pdl.registerConstraintFunction(
      "explain_bound", [](PatternRewriter &, PDLResultList &,
                          ArrayRef<PDLValue>) { return success(); });
  for (size_t i = 0; i < steps.size(); ++i)
    if (!get(step(i), "native").empty())
      addCondition(pdl, natives, i);
  set.getPDLPatterns().mergeIn(std::move(pdl));
  return success();
}

void Explainer::tellDifference(Operation *op, OpResult value,
                               const Progress &progress, size_t index,
                               size_t variant) {
  const llvm::json::Object &wanted = step(index);
  if (op->getName().getStringRef() != get(wanted, "op")) {
    llvm::outs() << "there is ";
    describe(llvm::outs(), op);
    return;
  }
  std::optional<int64_t> operands = wanted.getInteger("operands");
  if (operands && op->getNumOperands() != *operands) {
    llvm::outs() << "it has " << op->getNumOperands() << " operands here, "
                 << *operands << " in the pattern";
    return;
  }
  for (const auto &[attr, text] : *wanted.getObject("attrs")) {
    Attribute value = parseAttribute(*text.getAsString(), op->getContext());
    Attribute found = op->getAttr(attr.str());
    if (value == found)
      continue;
    llvm::outs() << "its `" << attr.str() << "` is ";
    if (found)
      llvm::outs() << found;
    else
      llvm::outs() << "absent";
    llvm::outs() << " here, " << value << " in the pattern";
    return;
  }
  if (value && value.getResultNumber() != *wanted.getInteger("result")) {
    llvm::outs() << "its result " << value.getResultNumber()
                 << " is used here, result " << *wanted.getInteger("result")
                 << " in the pattern";
    return;
  }
  std::optional<int64_t> results = wanted.getInteger("results");
  if (results && op->getNumResults() != *results) {
    llvm::outs() << "it has " << op->getNumResults() << " results here, "
                 << *results << " in the pattern";
    return;
  }
  for (const llvm::json::Value &one :
       *(*wanted.getArray("same"))[variant].getAsArray()) {
    const llvm::json::Object &same = *one.getAsObject();
    size_t user = *same.getInteger("step");
    Operation *first = user == index ? op : progress.bound[user];
    unsigned operand = *same.getInteger("operand");
    unsigned there = *same.getInteger("there");
    if (op->getOperand(operand) == first->getOperand(there))
      continue;
    llvm::outs() << "its operand " << operand << " is ";
    describe(llvm::outs(), op->getOperand(operand));
    llvm::outs() << "; in the pattern it is `" << get(same, "name")
                 << "` as operand " << there << " of ";
    describe(llvm::outs(), first);
    return;
  }
  llvm::outs() << "its operands, attributes or types are not those of the "
                  "pattern";
}

Value Explainer::inPlaceOf(const Progress &progress, size_t index,
                           size_t variant) const {
  const llvm::json::Object &wanted = step(index);
  std::optional<int64_t> parent = wanted.getInteger("parent"), operand;
  if (const llvm::json::Array *places = wanted.getArray("operand"))
    operand = (*places)[variant].getAsInteger();
  Operation *user = parent ? progress.bound[*parent] : nullptr;
  if (!user || !operand || *operand >= user->getNumOperands())
    return nullptr;
  return user->getOperand(*operand);
}

bool Explainer::isNear(const Progress &progress, size_t variant) const {
  size_t index = progress.leading();
  Value there =
      index < steps.size() ? inPlaceOf(progress, index, variant) : nullptr;
  Operation *op = there ? there.getDefiningOp() : nullptr;
  return op && op->getName().getStringRef() == get(step(index), "op");
}

void Explainer::tellFound(const Progress &progress, size_t index,
                          size_t variant) {
  Value there = inPlaceOf(progress, index, variant);
  if (!there) {
    llvm::outs() << "there is none that goes with the ops above";
    return;
  }
  if (auto result = dyn_cast<OpResult>(there))
    return tellDifference(result.getOwner(), result, progress, index, variant);
  llvm::outs() << "there is ";
  describe(llvm::outs(), there);
}

void Explainer::tell(Operation *root, Progress &progress, size_t variant) {
  size_t count = progress.leading();
  printPlace(llvm::outs(), root->getLoc());
  llvm::outs() << ": `" << root->getName() << "`: " << count << " of "
               << steps.size() << " steps of `" << name << "`";
  if (count == steps.size()) {
    llvm::outs() << ": matches\n";
    return;
  }
  llvm::outs() << "\n  stopped at " << get(step(count), "place") << ": "
               << get(step(count), "what") << ": ";
  if (step(count).get("why"))
    llvm::outs() << get(step(count), "why") << progress.seen[count];
  else if (count == 0)
    tellDifference(root, {}, progress, 0, variant);
  else
    tellFound(progress, count, variant);
  StringRef order = variants[variant].getAsString().value_or("");
  if (!order.empty())
    llvm::outs() << "\n    (" << order << ")";
  llvm::outs() << "\n";
}

void Explainer::report(ModuleOp module) {
  StringRef root = get(step(0), "op");
  module.walk([&](Operation *op) {
    if (op->getName().getStringRef() == root)
      progress(op, 0);
  });
  if (reached.empty()) {
    llvm::outs() << "`" << name << "`: there is no `" << root
                 << "` here, which is its root; `--to=<phase>` runs the "
                    "compiler up to a phase first\n";
    return;
  }
  struct Best {
    Operation *root;
    size_t variant, count;
  };
  std::vector<Best> best;
  for (auto &[op, all] : reached) {
    Best one{op, 0, 0};
    for (auto [i, progress] : llvm::enumerate(all))
      if (size_t count = progress.leading();
          count > one.count || (count && count == one.count && i > 0 &&
                                isNear(progress, i) &&
                                !isNear(all[one.variant], one.variant)))
        one = {op, i, count};
    best.push_back(one);
  }
  llvm::stable_sort(best, [](const Best &a, const Best &b) {
    return a.count > b.count;
  });
  for (const Best &one : ArrayRef(best).take_front(shownOps))
    tell(one.root, progress(one.root, one.variant), one.variant);
  if (best.size() > shownOps)
    llvm::outs() << "and " << best.size() - shownOps << " more `" << root
                 << "` that came no farther\n";
}

} // namespace

LogicalResult
disc::explain(const LoadRequest &request, StringRef file,
              const DialectRegistry &registry,
              function_ref<LogicalResult(PassManager &)> setup) {
  FailureOr<llvm::json::Object> pattern =
      runDsl(request, "pattern", request.explain);
  if (failed(pattern))
    return failure();
  MLIRContext context(registry);
  context.loadDialect<pdl::PDLDialect, pdl_interp::PDLInterpDialect>();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return failure();
  PassManager pm((*module)->getName(), OpPassManager::Nesting::Implicit);
  if (failed(setup(pm)) || failed(pm.run(*module)))
    return failure();
  Explainer explainer(*pattern);
  RewritePatternSet set(&context);
  if (failed(explainer.addPatterns(set)))
    return failure();
  FrozenRewritePatternSet patterns(std::move(set));
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  Recorder recorder(&context);
  module->walk([&](Operation *op) {
    recorder.setInsertionPoint(op);
    (void)applicator.matchAndRewrite(op, recorder);
  });
  explainer.report(*module);
  return success();
}
