// Versions of kernels, chosen at their start from sizes: for likely sizes, and for broadcasts that are none.
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/cpu/LikelySizes.h"
#include "passes/cpu/LoopForm.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace disc {
namespace {

/// Versions of a kernel beside the general one.
constexpr size_t kMostVersions = 4;
/// What a known length saves is at the ends of loops: of longer ones it does not show.
constexpr int64_t kLongestLoop = 128;

/// A size that the kernel knows from its start on: an argument, or dimension `dim` of one.
struct KernelSize {
  Value value;
  unsigned argument;
  std::optional<int64_t> dim;
};

struct Version {
  std::string name;
  /// Values of the kernel's prologue, and what they are in the version.
  SmallVector<std::pair<Value, int64_t>> known;
};

bool isAccumulation(scf::ForOp loop) {
  return llvm::any_of(loop.getRegionIterArgs(), [](Value carried) { return isa<FloatType>(carried.getType()); });
}

class Speculation {
public:
  Speculation(func::FuncOp kernel, ArrayRef<lmhlo_disc::LaunchOp> launches, ArrayRef<LikelySymbol> symbols)
      : kernel(kernel), launches(launches), symbols(symbols) {}

  void run() {
    if (!symbols.empty() && readSizes())
      for (lmhlo_disc::LaunchOp launch : launches)
        addLikely(launch);
    addBroadcasts();
    if (!versions.empty())
      emit();
  }

private:
  using Numbers = llvm::StringMap<int64_t>;
  /// Fills what likely sizes are asked about; false where a version might add floats in another order than the general one.
  bool readSizes();
  Version versionFor(lmhlo_disc::LaunchOp launch, const Numbers &numbers) const;
  /// Whether the version knows the bound of a short loop that the general one does not.
  bool isUseful(const Version &version) const;
  bool keepsOrder(const Version &version) const;
  void addLikely(lmhlo_disc::LaunchOp launch);
  void addBroadcasts();
  void add(Version version);
  KnownSizes knownIn(const Version &version) const {
    KnownSizes sizes;
    for (auto [value, number] : version.known)
      sizes.set(value, number);
    return sizes;
  }
  void emit();

  func::FuncOp kernel;
  ArrayRef<lmhlo_disc::LaunchOp> launches;
  ArrayRef<LikelySymbol> symbols;
  SmallVector<KernelSize> sizes;
  /// The bounds of inner loops; those of loops that accumulate floats.
  SmallVector<Value> bounds, accumulated;
  SmallVector<Version> versions;
};

bool Speculation::readSizes() {
  Block &entry = kernel.front();
  for (BlockArgument argument : entry.getArguments().drop_back(3)) // without lo, hi and worker
    if (argument.getType().isIndex())
      sizes.push_back({argument, argument.getArgNumber(), std::nullopt});
  for (auto dim : entry.getOps<memref::DimOp>())
    if (auto source = dyn_cast<BlockArgument>(dim.getSource()); source && dim.getConstantIndex())
      sizes.push_back({dim.getResult(), source.getArgNumber(), dim.getConstantIndex()});
  bool hasOrder = true;
  kernel.walk([&](scf::ForOp loop) {
    if (!loop->getParentOfType<scf::ForOp>())
      return; // over the range
    bounds.push_back(loop.getUpperBound());
    if (isAccumulation(loop)) {
      accumulated.push_back(loop.getUpperBound());
      // What is left to LLVM is added up in an order that depends on what LLVM knows.
      hasOrder &= !isInnermost(loop) || LoopForm(loop).whyNot.empty();
    }
  });
  llvm::erase_if(bounds, [](Value value) { return getConstantIntValue(value).has_value(); });
  return hasOrder && !bounds.empty() && !sizes.empty();
}

Version Speculation::versionFor(lmhlo_disc::LaunchOp launch, const Numbers &numbers) const {
  Version version;
  KnownSizes host(numbers);
  for (const KernelSize &size : sizes) {
    Value value = launch.getArgs()[size.argument];
    if (std::optional<int64_t> number = size.dim ? host.dim(value, *size.dim) : host.get(value))
      version.known.push_back({size.value, *number});
  }
  return version;
}

bool Speculation::isUseful(const Version &version) const {
  KnownSizes known = knownIn(version);
  return llvm::any_of(bounds, [&](Value value) { return known.get(value).value_or(kLongestLoop + 1) <= kLongestLoop; });
}

bool Speculation::keepsOrder(const Version &version) const {
  KnownSizes known = knownIn(version);
  return llvm::none_of(accumulated, [&](Value bound) {
    std::optional<int64_t> number = known.get(bound);
    return number && !getConstantIntValue(bound) && *number < kShortestLoop;
  });
}

void Speculation::add(Version version) {
  bool isKnown = llvm::any_of(versions, [&](const Version &other) { return other.known == version.known; });
  if (!isKnown && versions.size() < kMostVersions)
    versions.push_back(std::move(version));
}

void Speculation::addLikely(lmhlo_disc::LaunchOp launch) {
  struct Choice {
    std::string name;
    Numbers numbers;
  };
  SmallVector<Choice> choices(1);
  for (const LikelySymbol &symbol : symbols) {
    Numbers alone;
    bool isOfUse = llvm::any_of(symbol.values, [&](int64_t value) {
      alone[symbol.name] = value;
      return isUseful(versionFor(launch, alone));
    });
    if (!isOfUse)
      continue;
    if (choices.size() > 1 && choices.size() * symbol.values.size() > kMostVersions)
      break;
    SmallVector<Choice> more;
    for (const Choice &choice : choices)
      for (int64_t value : symbol.values.take_front(kMostVersions)) {
        more.push_back(choice);
        more.back().numbers[symbol.name] = value;
        more.back().name += (choice.name.empty() ? "" : ", ") + (symbol.name + " = " + Twine(value)).str();
      }
    choices = std::move(more);
  }
  for (const Choice &choice : choices) {
    Version version = versionFor(launch, choice.numbers);
    version.name = choice.name;
    if (isUseful(version) && keepsOrder(version))
      add(std::move(version));
  }
}

/// `select (size == 1), 0, i` along a vector: a load from it is neither of one place nor of places side by side.
void Speculation::addBroadcasts() {
  auto isSize = [&](Value value) {
    auto dim = value.getDefiningOp<memref::DimOp>();
    auto argument = dyn_cast<BlockArgument>(dim && dim.getConstantIndex() ? dim.getSource() : value);
    return argument && argument.getOwner() == &kernel.front();
  };
  SmallVector<Value> conditions;
  kernel.walk([&](arith::SelectOp select) {
    auto equal = select.getCondition().getDefiningOp<arith::CmpIOp>();
    auto loop = select->getParentOfType<scf::ForOp>();
    bool isBroadcast = equal && equal->getBlock() == &kernel.front() && equal.getPredicate() == arith::CmpIPredicate::eq &&
                       isSize(equal.getLhs()) && getConstantIntValue(equal.getRhs()) == 1 &&
                       getConstantIntValue(select.getTrueValue()) == 0;
    if (isBroadcast && loop && isInnermost(loop) && !llvm::is_contained(conditions, equal.getResult()))
      conditions.push_back(equal.getResult());
  });
  if (conditions.empty())
    return;
  auto except = [&](Value one) {
    Version version;
    version.name = one ? ("broadcast " + Twine(llvm::find(conditions, one) - conditions.begin() + 1)).str() : "no broadcast";
    for (Value condition : conditions)
      version.known.push_back({condition, condition == one});
    add(std::move(version));
  };
  except(Value());
  for (Value condition : conditions)
    except(condition);
}

void Speculation::emit() {
  Location loc = kernel.getLoc();
  Block &entry = kernel.front();
  // What the choice needs comes first; all else is in the versions.
  llvm::SmallPtrSet<Operation *, 16> first;
  for (const Version &version : versions)
    for (auto [value, number] : version.known)
      if (Operation *op = value.getDefiningOp()) {
        first.insert(op);
        for (Value operand : op->getOperands())
          if (Operation *size = operand.getDefiningOp())
            first.insert(size);
      }
  SmallVector<Operation *> body;
  for (Operation &op : entry.without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>() && !first.contains(&op))
      body.push_back(&op);

  OpBuilder b(entry.getTerminator());
  SmallVector<Attribute> names;
  for (const Version &version : versions) {
    Value all;
    IRMapping mapping;
    for (auto [value, number] : version.known) {
      Value constant = arith::ConstantOp::create(b, loc, IntegerAttr::get(value.getType(), number));
      Value isIt = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, value, constant);
      all = all ? arith::AndIOp::create(b, loc, all, isIt).getResult() : isIt;
      mapping.map(value, constant);
    }
    auto choice = scf::IfOp::create(b, loc, all, /*withElseRegion=*/true);
    OpBuilder inside = choice.getThenBodyBuilder();
    for (Operation *op : body)
      inside.clone(*op, mapping);
    b = choice.getElseBodyBuilder();
    names.push_back(b.getStringAttr(version.name));
  }
  for (Operation *op : body)
    op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  kernel->setAttr("disc.versions", b.getArrayAttr(names));
  RewritePatternSet patterns(kernel.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  (void)applyPatternsGreedily(kernel.getBody(), std::move(patterns)); // what does not converge is right as well
}

} // namespace

LogicalResult runCpuSpeculate(ModuleOp module) {
  FailureOr<SmallVector<LikelySymbol>> symbols = likelySymbols(module);
  if (failed(symbols))
    return symbols;
  llvm::StringMap<SmallVector<lmhlo_disc::LaunchOp>> launches;
  module.walk([&](lmhlo_disc::LaunchOp launch) { launches[launch.getKernel()].push_back(launch); });
  for (auto kernel : module.getOps<func::FuncOp>())
    if (kernel->hasAttr("disc.parallel"))
      Speculation(kernel, launches[kernel.getName()], *symbols).run();
  return success();
}

} // namespace disc
