// Patterns of a pass, each compiled alone: counted, and named where they go
// round in a circle.
#include "passes/natives/PatternAlone.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "passes/natives/PassGlue.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <deque>
#include <mutex>

using namespace mlir;

namespace {

bool collecting = false;

struct CountTable {
  std::mutex mutex;
  std::deque<disc::PatternCount> rows; // addresses are kept
};

CountTable &countTable() {
  static CountTable table;
  return table;
}

class CountedPattern : public RewritePattern {
public:
  CountedPattern(const disc::PatternAlone &alone,
                 std::vector<disc::Fired> *trail, MLIRContext *context)
      : RewritePattern(alone.root, alone.benefit, context),
        applicator(alone.compiled), count(*alone.count), trail(trail) {
    applicator.applyDefaultCostModel();
    setDebugName(count.pattern);
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Location loc = op->getLoc();
    auto start = std::chrono::steady_clock::now();
    LogicalResult matched = applicator.matchAndRewrite(op, rewriter);
    count.nanoseconds += (std::chrono::steady_clock::now() - start).count();
    ++count.tried;
    if (failed(matched)) // the pattern inside said why
      return matched;
    ++count.matched;
    if (trail)
      trail->push_back({&count, loc});
    return success();
  }

private:
  mutable PatternApplicator applicator; // one thread's: made for each run
  disc::PatternCount &count;
  std::vector<disc::Fired> *trail;
};

} // namespace

void disc::collectPatternStats() { collecting = true; }

bool disc::collectsPatternStats() { return collecting; }

disc::PatternCount &disc::patternCount(const PatternPassInfo &info,
                                       StringRef variant) {
  const PatternSource &source = info.source(variant);
  CountTable &table = countTable();
  std::lock_guard<std::mutex> lock(table.mutex);
  auto row = llvm::find_if(table.rows, [&](const PatternCount &row) {
    return row.pass == info.argument && row.pattern == source.name;
  });
  if (row != table.rows.end())
    return *row;
  PatternCount &made = table.rows.emplace_back();
  made.pass = info.argument;
  made.pattern = source.name;
  made.place = source.place;
  return made;
}

void disc::printPatternStats(raw_ostream &os) {
  CountTable &table = countTable();
  size_t passWidth = 4, patternWidth = 7;
  for (const PatternCount &row : table.rows) {
    passWidth = std::max(passWidth, row.pass.size());
    patternWidth = std::max(patternWidth, row.pattern.size());
  }
  os << llvm::left_justify("pass", passWidth) << "  "
     << llvm::left_justify("pattern", patternWidth)
     << "   matched     tried        ms  where\n";
  std::vector<const PatternCount *> rows;
  for (const PatternCount &row : table.rows)
    rows.push_back(&row);
  llvm::stable_sort(rows, [](const PatternCount *a, const PatternCount *b) {
    return a->pass == b->pass ? a->matched > b->matched : a->pass < b->pass;
  });
  for (const PatternCount *row : rows)
    os << llvm::left_justify(row->pass, passWidth) << "  "
       << llvm::left_justify(row->pattern, patternWidth) << "  "
       << llvm::format("%8lld  %8lld  %8.3f  ", (long long)row->matched,
                       (long long)row->tried, row->nanoseconds / 1e6)
       << row->place << "\n";
}

void disc::addPdl(RewritePatternSet &set, OwningOpRef<ModuleOp> pdl,
                  const TypeConverter *types) {
  if (types) {
    set.getPDLPatterns().mergeIn(
        PDLPatternModule(std::move(pdl), PDLConversionConfig(types)));
    registerConversionPDLFunctions(set);
  } else {
    set.getPDLPatterns().mergeIn(PDLPatternModule(std::move(pdl)));
  }
  set.getPDLPatterns().registerRewriteFunction(
      "is_legal", [](PatternRewriter &, Operation *) {});
  registerNatives(set.getPDLPatterns());
}

disc::PatternAlone disc::compileAlone(pdl::PatternOp pattern,
                                      const PatternPassInfo &info,
                                      const TypeConverter *types) {
  auto root = pattern.getRewriter()
                  .getRoot()
                  .getDefiningOp<pdl::OperationOp>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(pattern.getLoc());
  module->getBody()->push_back(pattern->clone());
  RewritePatternSet set(pattern.getContext());
  addPdl(set, std::move(module), types);
  return {root.getOpName().value_or("").str(), pattern.getBenefit(),
          FrozenRewritePatternSet(std::move(set)),
          &patternCount(info, pattern.getSymName().value_or(""))};
}

void disc::addCounted(RewritePatternSet &set, ArrayRef<PatternAlone> patterns,
                      std::vector<Fired> *trail) {
  for (const PatternAlone &alone : patterns)
    set.add(std::make_unique<CountedPattern>(alone, trail, set.getContext()));
}

std::string disc::describeCircle(ArrayRef<Fired> trail) {
  constexpr size_t recent = 32;
  llvm::SetVector<PatternCount *> round;
  for (const Fired &fired : trail.take_back(recent))
    round.insert(fired.count);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      round, os,
      [&](PatternCount *count) {
        os << "`" << count->pattern << "` (" << count->place << ")";
      },
      round.size() == 2 ? " and " : ", ");
  if (round.empty())
    os << "folders undo each other";
  else if (round.size() == 1)
    os << " applies to what it makes; let it require what its result does not "
          "have";
  else
    os << " undo each other; let one of them require what the other's result "
          "does not have";
  return text;
}
