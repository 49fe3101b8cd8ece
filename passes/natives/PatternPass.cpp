// Passes made of PDL patterns: the greedy, walk and conversion drivers.
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "passes/natives/PassGlue.h"
#include "passes/natives/PatternAlone.h"
#include <map>

using namespace mlir;

/// Makes the converter of a pass's `types`: of a type, and of tensors and
/// buffers of it.
static LogicalResult makeTypes(const disc::PatternPassInfo &info,
                               MLIRContext *context,
                               std::shared_ptr<TypeConverter> &converter) {
  converter = nullptr;
  if (info.types.empty())
    return success();
  converter = std::make_shared<TypeConverter>();
  converter->addConversion([](Type type) { return type; });
  for (const auto &[fromText, toText] : info.types) {
    Type from = parseType(fromText, context), to = parseType(toText, context);
    if (!from || !to)
      return emitError(UnknownLoc::get(context))
             << "`types` of `" << info.argument << "`: `"
             << (from ? toText : fromText) << "` is no type";
    converter->addConversion([from, to](Type type) -> std::optional<Type> {
      if (type == from)
        return to;
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped || shaped.getElementType() != from)
        return std::nullopt;
      return shaped.clone(to);
    });
  }
  auto cast = [](OpBuilder &b, Type type, ValueRange from,
                 Location loc) -> Value {
    return UnrealizedConversionCastOp::create(b, loc, type, from).getResult(0);
  };
  converter->addSourceMaterialization(cast);
  converter->addTargetMaterialization(cast);
  return success();
}

namespace {

class PatternPass : public Pass {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PatternPass)

  explicit PatternPass(std::shared_ptr<const disc::PatternPassInfo> info)
      : Pass(TypeID::get<PatternPass>(), opName(*info)), info(std::move(info)) {
    declareOptions();
  }
  PatternPass(const PatternPass &other)
      : Pass(other), info(other.info), pdl(other.pdl), types(other.types),
        patterns(other.patterns), alone(other.alone),
        legality(other.legality) {
    declareOptions();
  }

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

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> error) override {
    if (failed(Pass::initializeOptions(text, error)))
      return error("`" + info->argument + "` " + knownOptions());
    MLIRContext context(MLIRContext::Threading::DISABLED);
    for (const disc::PatternOption &option : info->options) {
      StringRef value = *options.at(option.name);
      if (!disc::parseOption(parseAttribute(option.like, &context), value))
        return error("option `" + option.name + "` of `" + info->argument +
                     "` takes " + option.kind + ", got `" + value + "`");
    }
    return success();
  }

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet read(context);
    info->populate(read);
    ModuleOp found = read.getPDLPatterns().getModule();
    if (!found)
      return emitError(UnknownLoc::get(context))
             << "MLIR cannot read the patterns of `" << info->argument << "`";
    pdl = std::make_shared<OwningOpRef<ModuleOp>>(found.clone());
    setOptions(**pdl);
    if (LogicalResult made = makeTypes(*info, context, types); failed(made))
      return made;
    legality.clear();
    for (auto pattern : llvm::make_early_inc_range(
             (*pdl)->getOps<pdl::PatternOp>())) {
      if (!llvm::is_contained(info->legality, pattern.getSymName()))
        continue;
      legality.push_back(disc::compileAlone(pattern, *info, nullptr));
      pattern.erase();
    }
    RewritePatternSet set(context);
    if (disc::collectsPatternStats())
      alone = compileEachAlone();
    else
      disc::addPdl(set, (*pdl)->clone(), types.get());
    if (types)
      addStructural(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    FrozenRewritePatternSet active = patterns;
    if (!alone.empty()) {
      RewritePatternSet counted(&getContext());
      disc::addCounted(counted, alone);
      if (types)
        addStructural(counted);
      active = FrozenRewritePatternSet(std::move(counted));
    }
    switch (info->driver) {
    case disc::Driver::Greedy:
      return runGreedy(active);
    case disc::Driver::Walk:
      return walkAndApplyPatterns(getOperation(), active);
    case disc::Driver::Conversion:
      return runConversion(active);
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

  void declareOptions() {
    for (const disc::PatternOption &option : info->options)
      options[option.name] = std::make_unique<Option<std::string>>(
          *this, option.name, llvm::cl::desc(option.help),
          llvm::cl::value_desc(option.kind), llvm::cl::init(option.initial));
  }

  std::string knownOptions() const {
    if (options.empty())
      return "takes no options";
    return "takes " +
           llvm::join(llvm::map_range(options,
                                      [](const auto &entry) {
                                        return "`" + entry.first + "`";
                                      }),
                      ", ");
  }

  /// Options stand in the patterns as `{option = name, like = value}`.
  void setOptions(ModuleOp module) {
    module.walk([&](pdl::AttributeOp op) {
      auto marker = dyn_cast_or_null<DictionaryAttr>(op.getValueAttr());
      auto name = marker ? marker.getAs<StringAttr>("option") : StringAttr();
      if (name && options.count(name.str()))
        op.setValueAttr(
            disc::parseOption(marker.get("like"), *options.at(name.str())));
    });
  }

  std::vector<disc::PatternAlone> compileEachAlone() {
    std::vector<disc::PatternAlone> compiled;
    for (auto pattern : (*pdl)->getOps<pdl::PatternOp>())
      compiled.push_back(disc::compileAlone(pattern, *info, types.get()));
    return compiled;
  }

  void runGreedy(const FrozenRewritePatternSet &active) {
    // Rewrites that undo each other would go on for ever: no pass needs more
    // than this a round for each op that it starts with.
    constexpr int64_t perOp = 100, atLeast = 1000, rounds = 64;
    int64_t ops = 0;
    getOperation()->walk([&](Operation *) { ++ops; });
    GreedyRewriteConfig config;
    config.setMaxIterations(rounds).setMaxNumRewrites(atLeast + perOp * ops);
    if (succeeded(applyPatternsGreedily(getOperation(), active, config)))
      return;
    // It is in the circle now: some more rewrites tell who goes round.
    std::vector<disc::PatternAlone> watched = compileEachAlone();
    std::vector<disc::Fired> trail;
    RewritePatternSet set(&getContext());
    disc::addCounted(set, watched, &trail);
    FrozenRewritePatternSet frozen(std::move(set));
    config.setMaxNumRewrites(atLeast);
    (void)applyPatternsGreedily(getOperation(), frozen, config);
    Location loc = trail.empty() ? getOperation()->getLoc() : trail.back().loc;
    emitError(loc) << "`" << info->argument << "` found no fixed point: "
                   << disc::describeCircle(trail);
    signalPassFailure();
  }

  /// Functions, calls, branches and loops carry the types that they are given.
  void addStructural(RewritePatternSet &set) {
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(set, *types);
    populateReturnOpTypeConversionPattern(set, *types);
    populateCallOpTypeConversionPattern(set, *types);
    populateBranchOpInterfaceTypeConversionPattern(set, *types);
    scf::populateSCFStructuralTypeConversions(*types, set);
  }

  bool hasLegalTypes(Operation *op) const {
    if (auto function = dyn_cast<func::FuncOp>(op))
      if (!types->isSignatureLegal(function.getFunctionType()))
        return false;
    return types->isLegal(op) &&
           llvm::all_of(op->getRegions(),
                        [&](Region &r) { return types->isLegal(&r); });
  }

  void runConversion(const FrozenRewritePatternSet &active) {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return !types || hasLegalTypes(op); });
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
    target.addLegalOp<UnrealizedConversionCastOp>();
    RewritePatternSet tests(&getContext());
    disc::addCounted(tests, legality);
    FrozenRewritePatternSet frozen(std::move(tests));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    for (const disc::PatternAlone &test : legality)
      target.addDynamicallyLegalOp(
          OperationName(test.root, &getContext()), [&](Operation *op) {
            PatternRewriter rewriter(op->getContext());
            return succeeded(applicator.matchAndRewrite(op, rewriter));
          });
    if (failed(applyPartialConversion(getOperation(), target, active)))
      signalPassFailure();
  }

  std::shared_ptr<const disc::PatternPassInfo> info;
  std::map<std::string, std::unique_ptr<Option<std::string>>> options;
  std::shared_ptr<OwningOpRef<ModuleOp>> pdl; // the patterns, options set
  std::shared_ptr<TypeConverter> types;
  FrozenRewritePatternSet patterns;
  std::vector<disc::PatternAlone> alone;    // where statistics are collected
  std::vector<disc::PatternAlone> legality; // ops that they match are legal
};

} // namespace

void disc::registerPatternPass(
    const llvm::json::Object &description,
    std::function<void(RewritePatternSet &)> populate) {
  auto info = std::make_shared<PatternPassInfo>(PatternPassInfo::fromJson(description));
  if (populate)
    info->populate = std::move(populate);
  registerPass([info]() -> std::unique_ptr<Pass> {
    return std::make_unique<PatternPass>(info);
  });
}

bool disc::isFlagTaken(StringRef flag) {
  if (!PassInfo::lookup(flag))
    return false;
  OpPassManager pipeline;
  return failed(parsePassPipeline(flag, pipeline, llvm::nulls())) || pipeline.empty() ||
         pipeline.begin()->getTypeID() != TypeID::get<PatternPass>();
}

LogicalResult disc::check(bool holds, PatternRewriter &rewriter,
                          StringRef reason) {
  if (holds)
    return success();
  return rewriter.notifyMatchFailure(rewriter.getUnknownLoc(), reason);
}
