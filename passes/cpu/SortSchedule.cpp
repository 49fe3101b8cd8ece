// Kernels of kind "sort": every line along the sorted dimension is merge-sorted, by way of the positions of its elements.
#include "dialects/dhlo/Dhlo.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Schedule.h"

using namespace mlir;

namespace disc {
namespace {

/// Sorts bottom-up: runs of 1, 2, 4, ... elements are merged from one half of the worker's scratch into the other. Stable.
class SortEmitter {
public:
  SortEmitter(const KernelEmission &k, dhlo::SortOp op) : k(k), op(op), loc(op.getLoc()) {
    int64_t rank = cast<RankedTensorType>(op.getInputs().front().getType()).getRank();
    dimension = static_cast<int64_t>(op.getDimension());
    if (dimension < 0)
      dimension += rank;
  }

  Launch emit() {
    SmallVector<Value> dims = k.e.dims(op.getInputs().front()), lines(dims);
    length = dims[dimension];
    lines[dimension] = k.e.constant(1);
    IndexMath host(k.host.site.prologue(), loc, k.host.site);
    Value hostLength = k.host.dim(op.getInputs().front(), dimension);
    scratch = k.kernel.scratch(host.mul(hostLength, host.constant(2)), IndexType::get(op.getContext()));
    IndexMath once(k.kernel.prologue(), loc, k.kernel);
    base = k.kernel.scratchStart(once.mul(length, once.constant(2)));
    emitRangeLoop(k, lines, [&](OpBuilder &b, ValueRange line) { emitLine(b, line); });

    SmallVector<Value> hostLines = k.hostDims(0);
    hostLines[dimension] = host.constant(1);
    return {host.product(hostLines), host.mul(hostLength, host.constant(64))};
  }

private:
  void store(OpBuilder &b, Value position, Value at) { memref::StoreOp::create(b, loc, position, scratch, at); }
  Value load(OpBuilder &b, Value at) { return memref::LoadOp::create(b, loc, scratch, at); }

  SmallVector<Value> place(ValueRange line, Value position) {
    SmallVector<Value> at(line);
    at[dimension] = position;
    return at;
  }

  /// Whether the element at position `x` comes before the one at `y`.
  Value isBefore(OpBuilder &b, ValueRange line, Value x, Value y) {
    ElementEmitter::Scope scope(k.e);
    SmallVector<Value> arguments;
    for (Value input : op.getInputs())
      for (Value position : {x, y})
        arguments.push_back(k.e.emit(b, loc, input, place(line, position)));
    return k.e.emitRegion(b, loc, op.getComparator(), arguments).front();
  }

  void emitLine(OpBuilder &b, ValueRange line) {
    IndexMath math(b, loc, k.kernel);
    Value zero = k.e.constant(0), one = k.e.constant(1);
    auto fill = scf::ForOp::create(b, loc, zero, length, one);
    {
      OpBuilder in = OpBuilder::atBlockTerminator(fill.getBody());
      store(in, fill.getInductionVar(), IndexMath(in, loc, k.kernel).add(base, fill.getInductionVar()));
    }
    Value other = math.add(base, length);
    // (width, from, to), until one run is the whole line.
    auto passes = scf::WhileOp::create(
        b, loc, TypeRange{length.getType(), length.getType(), length.getType()}, ValueRange{one, base, other},
        [&](OpBuilder &b, Location, ValueRange s) {
          scf::ConditionOp::create(b, loc, IndexMath(b, loc, k.kernel).less(s[0], length), s);
        },
        [&](OpBuilder &b, Location, ValueRange s) {
          IndexMath math(b, loc, k.kernel);
          Value two = math.mul(s[0], k.e.constant(2));
          auto runs = scf::ForOp::create(b, loc, zero, length, two);
          OpBuilder in = OpBuilder::atBlockTerminator(runs.getBody());
          mergeRuns(in, line, runs.getInductionVar(), s[0], s[1], s[2]);
          scf::YieldOp::create(b, loc, ValueRange{two, s[2], s[1]});
        });
    auto write = scf::ForOp::create(b, loc, zero, length, one);
    OpBuilder in = OpBuilder::atBlockTerminator(write.getBody());
    ElementEmitter::Scope scope(k.e);
    Value position = load(in, IndexMath(in, loc, k.kernel).add(passes.getResult(1), write.getInductionVar()));
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      emitStore(in, loc, k.e.emit(in, loc, input, place(line, position)), k.kernel.output(i),
                place(line, write.getInductionVar()), getElementTypeOrSelf(input.getType()));
  }

  /// Merges the runs [low, low + width) and [low + width, low + 2 width) of `from` into `to`.
  void mergeRuns(OpBuilder &b, ValueRange line, Value low, Value width, Value from, Value to) {
    IndexMath math(b, loc, k.kernel);
    Value middle = math.min(math.add(low, width), length);
    Value high = math.min(math.add(middle, width), length);
    auto merge = scf::ForOp::create(b, loc, low, high, k.e.constant(1), ValueRange{low, middle});
    OpBuilder in = OpBuilder::atBlockBegin(merge.getBody());
    IndexMath step(in, loc, k.kernel);
    Value left = merge.getRegionIterArg(0), right = merge.getRegionIterArg(1);
    Value leftLives = step.less(left, middle), rightLives = step.less(right, high);
    Value takesRight = emitIf(
        k.e, in, loc, step.both(leftLives, rightLives),
        [&](OpBuilder &b) {
          IndexMath math(b, loc, k.kernel);
          return isBefore(b, line, load(b, math.add(from, right)), load(b, math.add(from, left)));
        },
        [&](OpBuilder &) { return rightLives; });
    Value taken = load(in, step.add(from, step.select(takesRight, right, left)));
    store(in, taken, step.add(to, merge.getInductionVar()));
    Value one = k.e.constant(1);
    scf::YieldOp::create(in, loc,
                         ValueRange{step.select(takesRight, left, step.add(left, one)),
                                    step.select(takesRight, step.add(right, one), right)});
  }

  const KernelEmission &k;
  dhlo::SortOp op;
  Location loc;
  int64_t dimension;
  Value length, scratch, base;
};

} // namespace

Launch emitSortSchedule(const KernelEmission &k) {
  dhlo::SortOp op;
  for (auto sort : k.fusion().getBody().front().getOps<dhlo::SortOp>())
    op = sort;
  if (!op || op->getNumResults() != k.results().size()) {
    k.fusion().emitOpError("of kind \"sort\" expected one `dhlo.sort`, all of whose results are yielded");
    return {};
  }
  return SortEmitter(k, op).emit();
}

} // namespace disc
