// Few long rows of which nothing but reductions is wanted: a row goes to all threads in pieces.
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/RowPlan.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Split.h"

using namespace mlir;

namespace disc {

bool haveNeutral(ElementEmitter &e, ArrayRef<dhlo::ReduceOp> reductions) {
  return llvm::all_of(reductions, [&](dhlo::ReduceOp op) { return Reducer(e, op.getLoc(), op.getBody()).getNeutral(); });
}

void Partials::allocate(const KernelEmission &k, ArrayRef<dhlo::ReduceOp> reductions, Value count) {
  for (dhlo::ReduceOp op : reductions)
    for (Type type : Reducer(k.e, op.getLoc(), op.getBody()).elementTypes()) {
      auto memref = MemRefType::get({ShapedType::kDynamic}, storageType(type));
      buffers.push_back(memref::AllocOp::create(k.kernel.host.prologue(), op.getLoc(), memref, count));
    }
}

void Partials::free(const KernelEmission &k) {
  for (Value buffer : buffers)
    memref::DeallocOp::create(k.kernel.host.prologue(), k.fusion().getLoc(), buffer);
}

namespace {

/// A row of at least this length is in pieces where there are fewer rows than this.
constexpr int64_t kLongRow = 65536, kFewRows = 64;
/// A piece is worth a thread, and putting the pieces together is nothing beside them.
constexpr int64_t kShortestPiece = 16384, kMostPieces = 256;

class RowSplit : public SplitForm {
public:
  Value emitCondition(ElementEmitter &host) override;
  Launch emitPart(const KernelEmission &k, Partials &partials) override;
  Launch emitJoin(const KernelEmission &k, const Partials &partials) override;
};

Value RowSplit::emitCondition(ElementEmitter &host) {
  if (host.site.fusion.getKind() != "row")
    return {};
  RowPlan plan(host);
  if (!plan.whyNot.empty() || plan.loops.size() != 1 || plan.loops.front().reductions.empty())
    return {};
  bool isOneLoop = plan.isFlat || llvm::count_if(plan.rowDims, [](Value dim) { return getConstantIntValue(dim) != 1; }) < 2;
  if (!isOneLoop || !haveNeutral(host, plan.loops.front().reductions))
    return {};
  IndexMath math(host.site.prologue(), host.site.loc(), host.site);
  Value areFew = math.less(math.product(plan.rowsDims), math.constant(kFewRows));
  return math.both(areFew, math.less(math.constant(kLongRow - 1), math.product(plan.rowDims)));
}

Launch RowSplit::emitPart(const KernelEmission &k, Partials &partials) {
  Location loc = k.fusion().getLoc();
  RowPlan plan(k.e), hostPlan(k.host);
  SmallVector<dhlo::ReduceOp> reductions = plan.loops.front().reductions;
  IndexMath host(k.host.site.prologue(), loc, k.host.site);
  Value rowLength = host.product(hostPlan.rowDims), line = host.constant(64);
  Value length = host.max(host.constant(kShortestPiece), host.ceilDiv(rowLength, host.constant(kMostPieces)));
  partials.length = host.mul(host.ceilDiv(length, line), line);
  partials.pieces = host.ceilDiv(rowLength, partials.length);
  Value count = host.mul(host.product(hostPlan.rowsDims), partials.pieces);
  partials.allocate(k, reductions, count);

  IndexMath once(k.kernel.prologue(), loc, k.kernel);
  SmallVector<Value> items = plan.rowsDims;
  items.push_back(k.kernel.scalar(partials.pieces));
  Value pieceLength = k.kernel.scalar(partials.length), total = once.product(plan.rowDims);
  emitRangeLoop(k, items, [&](OpBuilder &b, ValueRange item) {
    IndexMath math(b, loc, k.kernel);
    Value start = math.mul(item.back(), pieceLength);
    Value bound = math.min(pieceLength, math.sub(total, start));
    SmallVector<Reducer> reducers;
    SmallVector<Value> neutral;
    for (dhlo::ReduceOp op : reductions) {
      reducers.emplace_back(k.e, op.getLoc(), op.getBody());
      neutral.push_back(arith::ConstantOp::create(b, loc, reducers.back().getNeutral()));
    }
    auto body = [&](OpBuilder &b, ValueRange at, ValueRange carried) {
      SmallVector<Value> index = llvm::to_vector(item.drop_back()), next;
      llvm::append_range(index, k.e.unfold(b, loc, IndexMath(b, loc, k.kernel).add(start, at.front()), plan.rowDims));
      for (auto [i, reducer] : llvm::enumerate(reducers)) {
        ValueRange inputs = reductions[i].getInputs();
        Value element = k.e.emit(b, loc, inputs.front(), index);
        next.push_back(reducer.combine(b, carried[i], element, elementTypesOf(inputs)).front());
      }
      return next;
    };
    SmallVector<Value> sums = emitLoopNest(k.e, b, loc, bound, neutral, body);
    for (auto [sum, buffer, reducer] : llvm::zip_equal(sums, partials.buffers, reducers))
      emitStore(b, loc, sum, k.kernel.other(buffer), math.linearise(item, items), reducer.elementTypes().front());
  });
  return {count, host.mul(emitElementWork(k, /*countLengths=*/false), partials.length)};
}

Launch RowSplit::emitJoin(const KernelEmission &k, const Partials &partials) {
  Location loc = k.fusion().getLoc();
  RowPlan plan(k.e), hostPlan(k.host);
  Value pieces = k.kernel.scalar(partials.pieces);
  emitRangeLoop(k, plan.rowsDims, [&](OpBuilder &b, ValueRange row) {
    Value first = IndexMath(b, loc, k.kernel).mul(IndexMath(b, loc, k.kernel).linearise(row, plan.rowsDims), pieces);
    for (auto [i, buffer] : llvm::enumerate(partials.buffers)) {
      dhlo::ReduceOp op = plan.loops.front().reductions[i];
      Reducer reducer(k.e, op.getLoc(), op.getBody());
      Value init = k.e.emit(b, loc, op.getInitValues().front(), {});
      SmallVector<Value> start = reducer.start(b, init, elementTypesOf(op.getInitValues()));
      Value memref = k.kernel.other(buffer);
      SmallVector<Value> sum = emitLoopNest(k.e, b, loc, pieces, start, [&](OpBuilder &b, ValueRange at, ValueRange carried) {
        Type type = reducer.elementTypes().front();
        Value element = emitLoad(b, loc, memref, IndexMath(b, loc, k.kernel).add(first, at.front()), type);
        return reducer.combine(b, carried, element, type);
      });
      k.e.bind(op->getResult(0), row, reducer.finish(b, sum, elementTypesOf(op->getResults())).front());
    }
    emitRowResults(k, plan, b, row);
  });
  IndexMath host(k.host.site.prologue(), loc, k.host.site);
  return {host.product(hostPlan.rowsDims), partials.pieces};
}

} // namespace

std::unique_ptr<SplitForm> makeRowSplit() { return std::make_unique<RowSplit>(); }

} // namespace disc
