// Uniform, linear and varying values; accumulators; the width of vectors.
#include "passes/cpu/LoopForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace disc {

/// Bytes of a vector. Where registers are narrower, LLVM takes several.
static constexpr int64_t kVectorBytes = 64;
/// Chains of dependent ops side by side: as many as hide each other's latency. Of long ones a processor's window holds few, so that iterations
/// do not overlap by themselves.
static constexpr int64_t kChains = 4;
static constexpr int64_t kLongChains = 8;
/// Ops of an iteration from which on a chain is long. Registers of less than a vector (`disc.narrow_vectors`) hold no eight chains.
static constexpr int64_t kLongBody = 24;

bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()->walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

LoopForm::LoopForm(scf::ForOp loop) : loop(loop) {
  if (getConstantIntValue(loop.getStep()) != 1)
    refuse("its step is not 1");
  else if (readAccumulators() && readBody())
    chooseWidth();
}

Lane LoopForm::laneOf(Value value) const {
  scf::ForOp op = loop;
  if (op.isDefinedOutsideOfLoop(value))
    return Lane::uniform;
  return value == op.getInductionVar() ? Lane::linear : lane.lookup(value);
}

bool LoopForm::isAccumulation(Operation *op) const {
  return llvm::any_of(accumulators, [&](const Accumulator &accumulator) { return accumulator.combine == op; });
}

static bool isReorderable(Operation *op) {
  if (isa<arith::AddFOp, arith::MulFOp>(op)) {
    auto flags = cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr();
    return flags && bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::reassoc);
  }
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op);
}

TypedAttr getNeutralElement(Operation *combine) {
  Type type = combine->getResult(0).getType();
  Builder b(type.getContext());
  if (auto real = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    if (isa<arith::MulFOp>(combine))
      return b.getFloatAttr(real, 1.0);
    if (isa<arith::AddFOp>(combine))
      return b.getFloatAttr(real, APFloat::getZero(semantics, /*Negative=*/true));
    return b.getFloatAttr(real, APFloat::getInf(semantics, /*Negative=*/isa<arith::MaximumFOp>(combine)));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value = APInt::getZero(width);
  if (isa<arith::MulIOp>(combine))
    value = APInt(width, 1);
  else if (isa<arith::AndIOp, arith::MinUIOp>(combine))
    value = APInt::getAllOnes(width);
  else if (isa<arith::MaxSIOp>(combine))
    value = APInt::getSignedMinValue(width);
  else if (isa<arith::MinSIOp>(combine))
    value = APInt::getSignedMaxValue(width);
  return b.getIntegerAttr(type, value);
}

bool LoopForm::readAccumulators() {
  for (auto [carried, yielded] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Operation *combine = yielded.getDefiningOp();
    bool isSum = combine && combine->getBlock() == loop.getBody() && isReorderable(combine) && carried.hasOneUse() &&
                 yielded.hasOneUse() && carried.getType().isIntOrFloat() && *carried.getUsers().begin() == combine;
    if (!isSum)
      return refuse("it carries a value that is no reorderable accumulation");
    accumulators.push_back({combine, combine->getOperand(combine->getOperand(0) == carried ? 1 : 0)});
    lane[yielded] = lane[carried] = Lane::varying;
  }
  return true;
}

bool LoopForm::readBody() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isAccumulation(&op) && !readOp(op))
      return false;
  for (const Accumulator &accumulator : accumulators)
    if (isAccumulation(accumulator.element.getDefiningOp()))
      return refuse("an accumulation depends on another one");
  return true;
}

/// Whether the lanes of an access lie side by side, or are all one place.
bool LoopForm::readAccess(Operation &op, OperandRange indices) {
  for (auto [d, index] : llvm::enumerate(indices)) {
    Lane kind = laneOf(index);
    bool isLast = d + 1 == indices.size();
    if (kind == Lane::varying || (kind == Lane::linear && !isLast))
      return refuse("`" + op.getName().getStringRef() + "` has elements that do not lie side by side");
  }
  return true;
}

static bool isElementwise(Operation &op) {
  if (isa<LLVM::LoadExpOp>(op))
    return true;
  if (isa<math::MathDialect>(op.getDialect())) // The others are calls on scalars.
    return isa<math::FmaOp, math::AbsFOp, math::AbsIOp, math::SqrtOp, math::CopySignOp, math::FloorOp, math::CeilOp, math::TruncOp,
               math::RoundEvenOp, math::CountLeadingZerosOp, math::CtPopOp>(op);
  return isa<arith::ArithDialect>(op.getDialect()) && OpTrait::hasElementwiseMappableTraits(&op);
}

bool LoopForm::readOp(Operation &op) {
  if (op.getNumRegions() != 0)
    return refuse("it has a `" + op.getName().getStringRef() + "` inside");
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (llvm::all_of(store.getIndices(), [&](Value index) { return laneOf(index) == Lane::uniform; }))
      return refuse("all iterations store to one place");
    return readAccess(op, store.getIndices());
  }
  if (auto prefetch = dyn_cast<memref::PrefetchOp>(op))
    return readAccess(op, prefetch.getIndices());
  bool isUniform = llvm::all_of(op.getOperands(), [&](Value operand) { return laneOf(operand) == Lane::uniform; });
  auto load = dyn_cast<memref::LoadOp>(op);
  if (isUniform) {
    if (!load && !isMemoryEffectFree(&op))
      return refuse("`" + op.getName().getStringRef() + "` has effects");
    for (Value result : op.getResults())
      lane[result] = Lane::uniform;
    return true;
  }
  Lane kind = Lane::varying;
  if (load) {
    if (!readAccess(op, load.getIndices()))
      return false;
  } else if (!isElementwise(op) || op.getNumResults() != 1) {
    return refuse("`" + op.getName().getStringRef() + "` is no op on lanes");
  } else if (isa<arith::AddIOp, arith::SubIOp>(op) && op.getResult(0).getType().isIndex()) {
    Lane left = laneOf(op.getOperand(0)), right = laneOf(op.getOperand(1));
    if (left == Lane::linear && right == Lane::uniform)
      kind = Lane::linear;
    if (left == Lane::uniform && right == Lane::linear && isa<arith::AddIOp>(op))
      kind = Lane::linear;
  }
  Type type = op.getResult(0).getType();
  if (!type.isIntOrIndexOrFloat())
    return refuse("`" + op.getName().getStringRef() + "` gives no number");
  lane[op.getResult(0)] = kind;
  return true;
}

static int64_t bytesOf(Type type) { return type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8); }

void LoopForm::chooseWidth() {
  int64_t memory = 1, compute = 1, stores = 0, ops = 0;
  bool accesses = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isStore = isa<memref::StoreOp>(op);
    Value value = isStore ? op.getOperand(0) : op.getNumResults() ? op.getResult(0) : Value();
    if (!value || !value.getType().isIntOrFloat() || (!isStore && laneOf(value) == Lane::uniform))
      continue;
    stores += isStore;
    ++ops;
    compute = std::max(compute, bytesOf(value.getType()));
    if (isStore || isa<memref::LoadOp>(op) || isAccumulation(&op)) {
      memory = std::max(memory, bytesOf(value.getType()));
      accesses = true;
    }
  }
  if (!accesses) {
    refuse("it neither loads nor stores vectors");
    return;
  }
  // Wider values in between are pairs of vectors.
  lanes = kVectorBytes / std::max(memory, std::min<int64_t>(compute, 4));
  int64_t chains = std::max<int64_t>({1, stores, static_cast<int64_t>(accumulators.size())});
  unroll = chains >= kChains ? 1 : chains > 1 ? kChains / 2 : kChains;
  // Not with accumulators, which it would take more registers of, nor with wider values in between.
  bool isNarrow = loop->getParentOfType<ModuleOp>()->hasAttr("disc.narrow_vectors");
  if (chains == 1 && accumulators.empty() && ops >= kLongBody && compute <= memory && !isNarrow)
    unroll = kLongChains;
  // A known short loop is not longer than it is. What accumulates does it in the order of unknown lengths.
  if (std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound());
      lower && upper && accumulators.empty())
    while (unroll > 1 && (*upper - *lower) % (lanes * unroll) != 0)
      unroll /= 2;
}

} // namespace disc
