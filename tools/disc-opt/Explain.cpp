// Where a pattern stopped matching: disc_dsl gives each prefix of it as a
// pattern that records how far it came and then fails.
#include "LoadPass.h"
#include "passes/natives/PassGlue.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

/// The steps that held, for each op that the pattern's root may be.
using Reached = llvm::MapVector<Operation *, std::vector<bool>>;

constexpr size_t shownOps = 5;

void record(Reached &reached, Operation *root, size_t step, size_t steps) {
  std::vector<bool> &held = reached[root];
  held.resize(steps);
  held[step] = true;
}

/// The number of leading steps that held.
size_t leading(const std::vector<bool> &held) {
  return std::find(held.begin(), held.end(), false) - held.begin();
}

LogicalResult addPatterns(const llvm::json::Object &pattern, Reached &reached,
                          RewritePatternSet &set) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      pattern.getString("pdl").value_or(""), set.getContext());
  if (!module)
    return failure();
  PDLPatternModule natives;
  disc::registerNatives(natives);
  PDLPatternModule pdl(std::move(module));
  disc::registerNatives(pdl);
  size_t ops = pattern.getInteger("ops").value_or(0);
  size_t steps = pattern.getArray("steps")->size();
  pdl.registerConstraintFunction(
      "explain_step",
      [&reached, steps](PatternRewriter &, PDLResultList &,
                        ArrayRef<PDLValue> values) -> LogicalResult {
        record(reached, values[0].cast<Operation *>(),
               cast<IntegerAttr>(values[2].cast<Attribute>()).getInt(), steps);
        return failure();
      });
  for (auto [i, value] : llvm::enumerate(*pattern.getArray("conditions"))) {
    const llvm::json::Object &condition = *value.getAsObject();
    StringRef name = condition.getString("native").value_or("");
    bool negated = condition.getBoolean("negated").value_or(false);
    auto found = natives.getConstraintFunctions().find(name);
    if (found == natives.getConstraintFunctions().end()) {
      llvm::errs() << "error: disc-opt has no constraint `" << name << "`\n";
      return failure();
    }
    pdl.registerConstraintFunction(
        "explain_condition" + std::to_string(i),
        [&reached, steps, step = ops + i, negated,
         fn = found->second](PatternRewriter &rewriter, PDLResultList &results,
                             ArrayRef<PDLValue> values) -> LogicalResult {
          if (succeeded(fn(rewriter, results, values.drop_front())) != negated)
            record(reached, values[0].cast<Operation *>(), step, steps);
          return failure();
        });
  }
  set.getPDLPatterns().mergeIn(std::move(pdl));
  return success();
}

void printPlace(Location loc) {
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    llvm::outs() << place.getFilename().getValue() << ":" << place.getLine()
                 << ":" << place.getColumn();
  else
    llvm::outs() << loc;
}

void report(const llvm::json::Object &pattern, Reached &reached) {
  StringRef name = pattern.getString("name").value_or("");
  const llvm::json::Array &steps = *pattern.getArray("steps");
  auto entries = reached.takeVector();
  llvm::stable_sort(entries, [](const auto &a, const auto &b) {
    return leading(a.second) > leading(b.second);
  });
  if (entries.empty())
    llvm::outs() << "`" << name << "`: nothing here could be its root, "
                 << steps[0].getAsObject()->getString("what").value_or("")
                 << "\n";
  for (auto &[op, held] : ArrayRef(entries).take_front(shownOps)) {
    size_t count = leading(held);
    printPlace(op->getLoc());
    llvm::outs() << ": `" << op->getName() << "`: " << count
                 << " of " << steps.size() << " steps of `" << name << "`";
    if (count == steps.size()) {
      llvm::outs() << ": matches\n";
      continue;
    }
    const llvm::json::Object &step = *steps[count].getAsObject();
    auto get = [&](StringRef key) { return step.getString(key).value_or(""); };
    llvm::outs() << "\n  stopped at " << get("place") << ": " << get("what")
                 << ": " << get("why") << "\n";
  }
}

} // namespace

LogicalResult disc::explain(const LoadRequest &request, StringRef file,
                            const DialectRegistry &registry) {
  FailureOr<llvm::json::Object> pattern =
      runDsl(request, "explain", request.explain);
  if (failed(pattern))
    return failure();
  MLIRContext context(registry);
  context.loadDialect<pdl::PDLDialect, pdl_interp::PDLInterpDialect>();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return failure();
  Reached reached;
  RewritePatternSet set(&context);
  if (failed(addPatterns(*pattern, reached, set)))
    return failure();
  walkAndApplyPatterns(*module, FrozenRewritePatternSet(std::move(set)));
  report(*pattern, reached);
  return success();
}
