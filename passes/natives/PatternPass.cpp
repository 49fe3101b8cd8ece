// Passes made of PDL patterns: the greedy, walk and conversion drivers.
#include "passes/natives/PassGlue.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace {

/// Counts what a pass creates, for the message about one that does not end.
struct CreatedOps : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (!previous.isSet())
      ++counts[op->getName()];
  }
  StringRef mostOften() const {
    auto most = llvm::max_element(counts, [](const auto &a, const auto &b) {
      return a.second < b.second;
    });
    return most == counts.end() ? StringRef() : most->first.getStringRef();
  }
  llvm::DenseMap<OperationName, int64_t> counts;
};

class PatternPass : public Pass {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PatternPass)

  explicit PatternPass(std::shared_ptr<const disc::PatternPassInfo> info)
      : Pass(TypeID::get<PatternPass>(), opName(*info)),
        info(std::move(info)) {}

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<PatternPass>(*this);
  }
  StringRef getArgument() const override { return info->argument; }
  StringRef getDescription() const override { return info->summary; }
  StringRef getName() const override { return info->argument; }

  bool canScheduleOn(RegisteredOperationName name) const override {
    std::optional<StringRef> anchor = opName(*info);
    return !anchor || name.getStringRef() == *anchor;
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<pdl::PDLDialect, pdl_interp::PDLInterpDialect>();
    disc::insertPassDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    info->populate(set);
    disc::registerNatives(set.getPDLPatterns());
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    switch (info->driver) {
    case disc::Driver::Greedy:
      return runGreedy();
    case disc::Driver::Walk:
      return walkAndApplyPatterns(getOperation(), patterns);
    case disc::Driver::Conversion:
      return runConversion();
    }
  }

private:
  /// The op that the pass runs on; none for any.
  static std::optional<StringRef> opName(const disc::PatternPassInfo &info) {
    if (info.anchor == "any")
      return std::nullopt;
    return info.anchor == "module" ? StringRef("builtin.module")
                                   : StringRef(info.anchor);
  }

  void runGreedy() {
    // Rewrites that undo each other would go on for ever: no pass needs more
    // than this a round for each op that it starts with.
    constexpr int64_t perOp = 100, atLeast = 1000;
    int64_t ops = 0;
    getOperation()->walk([&](Operation *) { ++ops; });
    CreatedOps created;
    GreedyRewriteConfig config;
    config.setMaxNumRewrites(atLeast + perOp * ops).setListener(&created);
    if (succeeded(applyPatternsGreedily(getOperation(), patterns, config)))
      return;
    getOperation()->emitError()
        << "`" << info->argument
        << "` found no fixed point: its patterns undo each other; most often "
           "it created `"
        << created.mostOften() << "`";
    signalPassFailure();
  }

  void runConversion() {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    auto set = [&](const std::vector<std::string> &names,
                   ConversionTarget::LegalizationAction action) {
      for (const std::string &name : names) {
        if (StringRef(name).contains('.'))
          target.setOpAction(OperationName(name, &getContext()), action);
        else
          target.setDialectAction(StringRef(name), action);
      }
    };
    set(info->illegal, ConversionTarget::LegalizationAction::Illegal);
    set(info->legal, ConversionTarget::LegalizationAction::Legal);
    if (failed(applyPartialConversion(getOperation(), target, patterns)))
      signalPassFailure();
  }

  std::shared_ptr<const disc::PatternPassInfo> info;
  FrozenRewritePatternSet patterns;
};

} // namespace

std::unique_ptr<Pass> disc::createPatternPass(const PatternPassInfo &info) {
  return std::make_unique<PatternPass>(
      std::make_shared<const PatternPassInfo>(info));
}

void disc::registerPatternPass(const PatternPassInfo &info) {
  auto shared = std::make_shared<const PatternPassInfo>(info);
  registerPass([shared]() -> std::unique_ptr<Pass> {
    return std::make_unique<PatternPass>(shared);
  });
}

LogicalResult disc::check(bool holds, PatternRewriter &rewriter,
                          StringRef reason) {
  if (holds)
    return success();
  return rewriter.notifyMatchFailure(rewriter.getUnknownLoc(), reason);
}
