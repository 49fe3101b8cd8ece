// Loops over vectors: whole ones first, then masked ones for what is left. Large results are stored past the caches.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/cpu/Streams.h"
#include "passes/cpu/VectorBody.h"
#include "passes/cpu/VectorTranspose.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace disc {
namespace {

/// Whole vectors that are left of more at a time go so many at a time.
constexpr int64_t kWholeLeft = 4;
/// Steps that LLVM may write out where their number is known.
constexpr int64_t kMostWrittenOut = 4;
/// An element that is only loaded and added up, of each of several sums.
constexpr int64_t kOpsOfSum = 2;

class LoopVectorizer {
public:
  LoopVectorizer(const LoopForm &form, Streams &streams)
      : form(form), loop(form.loop), streams(streams), b(loop), loc(loop.getLoc()), division(b, form) {
    bool isOneOfMany = loop->getParentOfType<func::FuncOp>()->hasAttr("disc.rows_together");
    for (const Accumulator &accumulator : form.accumulators) {
      sums.emplace_back(b, loc, accumulator.combine, form.lanes);
      isInOrder |= isOneOfMany && isa<arith::AddFOp, arith::MulFOp>(accumulator.combine);
    }
  }
  void run();

private:
  using Values = SmallVector<Value>;
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
  Value sub(Value x, Value y) { return b.createOrFold<arith::SubIOp>(loc, x, y); }
  /// Where whole steps from `begin` on end.
  Value emitMainEnd(Value begin, int64_t step);
  Values emitLoops(Value begin, Values state, Lanes lanes = {});
  /// `count` vectors from `at` on, op by op.
  void emitBodies(SmallVectorImpl<VectorBody> &bodies, Value at, int64_t count, Lanes lanes);
  Values emitMain(Value begin, Value end, Values state, int64_t unroll, Lanes lanes);
  Values emitMasked(Value begin, Value end, Values state, Lanes lanes);
  /// Has LLVM leave a loop as it is: a step is several vectors already, more of them at a time are code without use. Not so where a step
  /// does little but wait for the one before.
  void keepLoop(scf::ForOp loop);
  /// Two versions of the loop, the first one for results that go past the caches.
  Values emitChoice(Value arePast, const Values &state, llvm::function_ref<Values()> past);

  const LoopForm &form;
  scf::ForOp loop;
  Streams &streams;
  OpBuilder b;
  Location loc;
  VectorDivision division;
  SmallVector<VectorAccumulator> sums;
  /// Whether vectors are added up one after the other: in the order of rows that go together, which have one accumulator each.
  bool isInOrder = false;
};

Value LoopVectorizer::emitMainEnd(Value begin, int64_t step) {
  Value upper = loop.getUpperBound();
  std::optional<int64_t> from = getConstantIntValue(begin), to = getConstantIntValue(upper);
  if (from && to)
    return index(*from + std::max<int64_t>(*to - *from, 0) / step * step);
  Value count = from == 0 ? upper : sub(upper, begin);
  count = b.createOrFold<arith::MaxSIOp>(loc, count, index(0));
  count = b.createOrFold<arith::AndIOp>(loc, count, index(-step));
  return from == 0 ? count : add(begin, count);
}

void LoopVectorizer::emitBodies(SmallVectorImpl<VectorBody> &bodies, Value at, int64_t count, Lanes lanes) {
  for (int64_t u = 0; u < count; ++u)
    bodies.emplace_back(form, division, b, u ? add(at, index(u * form.lanes)) : at, lanes);
  // Op by op, so that independent chains lie near each other: a processor looks ahead only so far.
  for (ArrayRef<Operation *> step : division.order())
    VectorBody::emit(step, bodies);
}

void LoopVectorizer::keepLoop(scf::ForOp vectors) {
  std::optional<llvm::APInt> steps = vectors.getStaticTripCount();
  if (steps && steps->sle(kMostWrittenOut))
    return;
  auto isVarying = [&](Operation &op) { return op.getNumResults() && form.laneOf(op.getResult(0)) == Lane::varying; };
  if (!sums.empty() && llvm::count_if(loop.getBody()->without_terminator(), isVarying) <= kOpsOfSum * static_cast<int64_t>(sums.size()))
    return;
  MLIRContext *context = b.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  auto annotation = LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  vectors->setAttr("llvm.loop_annotation", annotation);
}

SmallVector<Value> LoopVectorizer::emitMain(Value begin, Value end, Values state, int64_t unroll, Lanes lanes) {
  Values carried;
  int64_t accumulators = isInOrder ? 1 : unroll;
  for (int64_t u = 0; u < accumulators; ++u)
    llvm::append_range(carried, state);
  size_t count = state.size();
  auto main = scf::ForOp::create(b, loc, begin, end, index(form.lanes * unroll), carried);
  keepLoop(main);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(main.getBody());
  SmallVector<VectorBody> bodies;
  emitBodies(bodies, main.getInductionVar(), unroll, lanes);
  Values next;
  ValueRange states = main.getRegionIterArgs();
  if (isInOrder)
    next = llvm::to_vector(states);
  for (auto [u, body] : llvm::enumerate(bodies)) {
    if (isInOrder)
      next = body.accumulate(next);
    else
      llvm::append_range(next, body.accumulate(states.slice(u * count, count)));
  }
  if (count)
    scf::YieldOp::create(b, loc, next);
  b.setInsertionPointAfter(main);
  SmallVector<Values> parts;
  for (int64_t u = 0; u < accumulators; ++u)
    parts.emplace_back(main.getResults().slice(u * count, count));
  for (; parts.size() > 1; parts.resize(parts.size() / 2))
    for (size_t i = 0, half = parts.size() / 2; i < half; ++i) {
      Values merged;
      for (VectorAccumulator &sum : sums)
        llvm::append_range(merged, sum.merge(ArrayRef(parts[i]).slice(merged.size(), sum.stateSize()),
                                             ArrayRef(parts[half + i]).slice(merged.size(), sum.stateSize())));
      parts[i] = merged;
    }
  return parts.front();
}

SmallVector<Value> LoopVectorizer::emitMasked(Value begin, Value end, Values state, Lanes lanes) {
  auto tail = scf::ForOp::create(b, loc, begin, end, index(form.lanes), state);
  keepLoop(tail);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(tail.getBody());
  Type i32 = b.getI32Type();
  Value left = arith::IndexCastOp::create(b, loc, i32, sub(end, tail.getInductionVar()));
  left = vector::BroadcastOp::create(b, loc, VectorType::get({form.lanes}, i32), left);
  lanes.mask = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, emitSteps(b, loc, form.lanes, i32), left);
  VectorBody body(form, division, b, tail.getInductionVar(), lanes);
  for (ArrayRef<Operation *> step : division.order())
    VectorBody::emit(step, body);
  Values next = body.accumulate(tail.getRegionIterArgs());
  if (!next.empty())
    scf::YieldOp::create(b, loc, next);
  return llvm::to_vector(ValueRange(tail.getResults()));
}

SmallVector<Value> LoopVectorizer::emitLoops(Value begin, Values state, Lanes lanes) {
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  int64_t unroll = form.unroll;
  do {
    Value end = emitMainEnd(begin, form.lanes * unroll);
    std::optional<int64_t> to = getConstantIntValue(end);
    if (!to || getConstantIntValue(begin) != to)
      state = emitMain(begin, end, state, unroll, lanes);
    if (upper && to == upper)
      return state;
    begin = end;
    unroll = unroll > kWholeLeft ? kWholeLeft : 0;
  } while (unroll);
  // Of a known rest, only the last vector needs a mask. Its order is that of an unknown one.
  if (std::optional<int64_t> from = getConstantIntValue(begin); from && upper) {
    int64_t whole = std::max<int64_t>(*upper - *from, 0) / form.lanes;
    SmallVector<VectorBody> bodies;
    emitBodies(bodies, begin, whole, lanes);
    for (VectorBody &body : bodies)
      state = body.accumulate(state);
    begin = index(*from + whole * form.lanes);
    if (getConstantIntValue(begin) == upper)
      return state;
  }
  lanes.streams = lanes.fetches = false;
  return emitMasked(begin, loop.getUpperBound(), state, lanes);
}

SmallVector<Value> LoopVectorizer::emitChoice(Value arePast, const Values &state, llvm::function_ref<Values()> past) {
  auto choice = scf::IfOp::create(b, loc, ValueRange(state).getTypes(), arePast, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  auto fill = [&](Block *block, llvm::function_ref<Values()> emit) {
    b.setInsertionPointToStart(block);
    Values results = emit();
    if (!results.empty())
      scf::YieldOp::create(b, loc, results);
  };
  fill(choice.thenBlock(), past);
  fill(choice.elseBlock(), [&] { return emitLoops(loop.getLowerBound(), state); });
  return llvm::to_vector(ValueRange(choice.getResults()));
}

void LoopVectorizer::run() {
  Values state;
  for (auto [sum, init] : llvm::zip_equal(sums, loop.getInitArgs()))
    llvm::append_range(state, sum.start(init));
  SmallVector<memref::StoreOp> stores;
  if (sums.empty())
    stores = streams.storesOf(loop);
  Lanes past;
  if (!stores.empty())
    emitChoice(streams.arePast(stores), state, [&] {
      Value begin = emitAlignedBegin(b, loop, stores.front());
      emitMasked(loop.getLowerBound(), begin, state, past);
      past.streams = true;
      past.fetches = streams.readsOnce();
      return emitLoops(begin, state, past);
    });
  else if (Value arePast = streams.requestsPast(loop))
    state = emitChoice(arePast, state, [&] {
      past.requests = false;
      return emitLoops(loop.getLowerBound(), state, past);
    });
  else
    state = emitLoops(loop.getLowerBound(), state);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    loop.getResult(i).replaceAllUsesWith(sum.finish(ArrayRef(state).take_front(sum.stateSize()), loop.getInitArgs()[i]));
    state.erase(state.begin(), state.begin() + sum.stateSize());
  }
  loop.erase();
}

/// Elements one by one are not worth a prefetch each. `isShort`: LLVM writes the loop out. Where rows go together it is not to choose an
/// order for them that it does not choose for one that is left over.
void keepScalar(scf::ForOp loop, StringRef why, bool isShort) {
  loop->setAttr("disc.scalar", StringAttr::get(loop.getContext(), why));
  if (isShort && loop->getParentOfType<func::FuncOp>()->hasAttr("disc.rows_together"))
    for (Operation &op : loop.getBody()->without_terminator())
      if (isa<arith::AddFOp, arith::MulFOp>(op))
        op.setAttr("fastmath", arith::FastMathFlagsAttr::get(op.getContext(), arith::FastMathFlags::none));
  for (auto prefetch : llvm::make_early_inc_range(loop.getBody()->getOps<memref::PrefetchOp>()))
    prefetch.erase();
}

void vectorize(func::FuncOp kernel, Launches launches) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (isInnermost(loop))
      loops.push_back(loop);
  });
  Streams streams(kernel, launches);
  // Backwards: what a row's last loop does with its results is known before earlier ones ask for their places.
  for (scf::ForOp loop : llvm::reverse(loops)) {
    if (TransposeForm transpose(loop); transpose.load) {
      vectorizeTranspose(transpose, streams);
      continue;
    }
    LoopForm form(loop);
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound());
    bool isShort = lower && upper && *upper - *lower < kShortestLoop;
    if (isShort)
      form.whyNot = "it is short";
    if (form.whyNot.empty())
      LoopVectorizer(form, streams).run();
    else
      keepScalar(loop, form.whyNot, isShort);
  }
  streams.finish();
}

} // namespace

LogicalResult runCpuVectorize(ModuleOp module) {
  llvm::StringMap<SmallVector<lmhlo_disc::LaunchOp>> launches;
  module.walk([&](lmhlo_disc::LaunchOp launch) { launches[launch.getKernel()].push_back(launch); });
  for (auto kernel : module.getOps<func::FuncOp>())
    if (kernel->hasAttr("disc.parallel"))
      vectorize(kernel, launches[kernel.getName()]);
  module->removeAttr("disc.narrow_vectors");
  return success();
}

} // namespace disc
