// What schedules share: the range loop and the estimate of work.
#include "passes/cpu/Schedule.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {

/// Below this much work a part of a kernel is not worth a thread. Two of them, where a second one begins, take about 5 us.
static constexpr int64_t kWorkPerPart = 131072;

SmallVector<Value> KernelEmission::results() const {
  return llvm::to_vector(ValueRange(fusion().getBody().front().getTerminator()->getOperands()));
}

std::pair<Value, SmallVector<Value>> KernelEmission::outputPlace(unsigned i, ValueRange index) const {
  if (std::optional<ElementEmitter::Folded> folded = e.fold(results()[i], index))
    return {kernel.output(i, folded->fold), folded->index};
  return {kernel.output(i), llvm::to_vector(index)};
}

void KernelEmission::store(OpBuilder &b, unsigned i, Value element, ValueRange index) const {
  auto [buffer, place] = outputPlace(i, index);
  emitStore(b, fusion().getLoc(), element, buffer, place, getElementTypeOrSelf(results()[i].getType()));
}

SmallVector<Value> KernelEmission::hostDims(unsigned i) const {
  Value out = fusion().getOuts()[i];
  SmallVector<Value> dims;
  for (int64_t d = 0, rank = cast<MemRefType>(out.getType()).getRank(); d < rank; ++d)
    dims.push_back(host.site.dimOf(out, d));
  return dims;
}

/// The multi-index after `index`: the last dimension counts up, and a full one carries over.
static SmallVector<Value> countUp(IndexMath &math, ValueRange index, ValueRange dims) {
  SmallVector<Value> next(index.size());
  Value carry;
  for (int64_t d = static_cast<int64_t>(index.size()) - 1; d >= 0; --d) {
    Value plusOne = math.add(index[d], math.constant(1));
    next[d] = carry ? math.select(carry, plusOne, index[d]) : plusOne;
    if (d == 0)
      break;
    Value isFull = math.equal(plusOne, dims[d]);
    carry = carry ? math.both(carry, isFull) : isFull;
    next[d] = math.select(carry, math.constant(0), next[d]);
  }
  return next;
}

namespace {
/// Multi-indices of items; of the sizes, those that are not 1 count.
class RangeIndex {
public:
  RangeIndex(const KernelEmission &k, ValueRange dims) : k(k), rank(dims.size()) {
    for (auto [d, dim] : llvm::enumerate(dims))
      if (getConstantIntValue(dim) != 1) {
        moving.push_back(d);
        movingDims.push_back(dim);
      }
  }

  /// Whether an index is more than its item's number.
  bool counts() const { return moving.size() > 1; }
  SmallVector<Value> begin(IndexMath math, Value number) const {
    return counts() ? math.delinearise(number, movingDims) : SmallVector<Value>();
  }
  /// `count` items from `number` on; `at` is what `begin` gives for the first one, and afterwards for the one behind them.
  SmallVector<RangeItem> items(IndexMath &math, Value number, int64_t count, SmallVector<Value> &at) const {
    SmallVector<RangeItem> result;
    for (int64_t i = 0; i < count; ++i) {
      RangeItem item{math.add(number, math.constant(i)), SmallVector<Value>(rank, k.e.constant(0))};
      for (auto [d, value] : llvm::zip(moving, counts() ? ArrayRef(at) : ArrayRef(item.number)))
        item.index[d] = value;
      if (counts())
        at = countUp(math, at, movingDims);
      result.push_back(item);
    }
    return result;
  }

private:
  const KernelEmission &k;
  size_t rank;
  SmallVector<size_t> moving;
  SmallVector<Value> movingDims;
};
} // namespace

/// A choice that gives what is computed ahead of so many items.
static scf::IfOp makeAhead(OpBuilder &b, Location loc, Value condition, const RangeAhead &ahead, int64_t items) {
  SmallVector<Type> types;
  for (int64_t i = 0; i < items; ++i)
    llvm::append_range(types, ahead.types);
  return scf::IfOp::create(b, loc, types, condition, /*withElseRegion=*/true);
}

/// Where the condition holds, it computes; else zeros will do.
static void fillAhead(const KernelEmission &k, scf::IfOp choice, const RangeAhead &ahead, ArrayRef<RangeItem> items) {
  Location loc = choice.getLoc();
  OpBuilder then = choice.getThenBodyBuilder(), otherwise = choice.getElseBodyBuilder();
  ElementEmitter::Scope scope(k.e);
  scf::YieldOp::create(then, loc, ahead.emit(then, items));
  scf::YieldOp::create(otherwise, loc, llvm::map_to_vector(choice.getResultTypes(), [&](Type type) -> Value {
                         return arith::ConstantOp::create(otherwise, loc, cast<TypedAttr>(otherwise.getZeroAttr(type)));
                       }));
}

void emitRangeLoops(const KernelEmission &k, ValueRange dims, ArrayRef<RangePart> parts,
                    llvm::function_ref<void(OpBuilder &, const RangeTurn &)> body, const RangeAhead &ahead) {
  Location loc = k.fusion().getLoc();
  OpBuilder &prologue = k.kernel.prologue();
  RangeIndex range(k, dims);
  SmallVector<Value> start = range.begin(IndexMath(prologue, loc, k.kernel), k.kernel.lo());
  size_t indices = start.size();
  SmallVector<scf::ForOp> loops;
  SmallVector<scf::IfOp> firsts;
  for (const RangePart &part : parts) {
    Value from = loops.empty() ? k.kernel.lo() : loops.back().getUpperBound();
    SmallVector<Value> init = loops.empty() ? start : llvm::to_vector(ValueRange(loops.back().getResults().take_front(indices)));
    scf::IfOp &first = firsts.emplace_back();
    if (part.looksAhead) {
      first = makeAhead(prologue, loc, IndexMath(prologue, loc, k.kernel).less(from, part.end), ahead, part.items);
      llvm::append_range(init, first.getResults());
    }
    loops.push_back(scf::ForOp::create(prologue, loc, from, part.end, k.e.constant(part.items), init));
  }
  // What is computed once from here on still comes before the loops.
  prologue.setInsertionPoint(parts.front().looksAhead ? firsts.front().getOperation() : loops.front().getOperation());

  for (auto [i, part] : llvm::enumerate(parts)) {
    scf::ForOp loop = loops[i];
    if (part.looksAhead) {
      OpBuilder b(firsts[i]);
      IndexMath math(b, loc, k.kernel);
      SmallVector<Value> at = llvm::to_vector(ValueRange(loop.getInitArgs().take_front(indices)));
      SmallVector<RangeItem> items = range.items(math, loop.getLowerBound(), part.items, at);
      fillAhead(k, firsts[i], ahead, items);
    }
    OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
    if (loop.getInitArgs().empty())
      b.setInsertionPoint(loop.getBody()->getTerminator());
    IndexMath math(b, loc, k.kernel);
    ValueRange carried = loop.getRegionIterArgs();
    SmallVector<Value> at = llvm::to_vector(carried.take_front(indices));
    SmallVector<RangeItem> items = range.items(math, loop.getInductionVar(), part.items, at);
    SmallVector<Value> yielded = at;
    ElementEmitter::Scope scope(k.e);
    auto emitAhead = [&](OpBuilder &b) {
      IndexMath math(b, loc, k.kernel);
      Value number = math.add(loop.getInductionVar(), math.constant(part.items));
      SmallVector<RangeItem> next = range.items(math, number, part.items, at);
      scf::IfOp choice = makeAhead(b, loc, math.less(number, part.end), ahead, part.items);
      fillAhead(k, choice, ahead, next);
      llvm::append_range(yielded, choice.getResults());
    };
    body(b, {items, carried.drop_front(indices), emitAhead});
    if (!yielded.empty())
      scf::YieldOp::create(b, loc, yielded);
  }
}

void emitRangeLoop(const KernelEmission &k, ValueRange dims, llvm::function_ref<void(OpBuilder &, ValueRange)> body) {
  emitRangeLoops(k, dims, RangePart{1, k.kernel.hi()},
                 [&](OpBuilder &b, const RangeTurn &turn) { body(b, turn.items.front().index); });
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

int64_t getElementCost(Operation *op) {
  return llvm::StringSwitch<int64_t>(op->getName().stripDialect())
      .Cases({"constant", "tie_shape", "broadcast_in_dim", "dynamic_broadcast_in_dim", "return"}, 0)
      .Cases({"divide", "sqrt", "remainder"}, 5)
      .Cases({"rsqrt", "cbrt", "floor", "ceil"}, 8)
      .Cases({"exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh", "erf", "erfc"}, 16)
      .Cases({"power", "sine", "cosine", "tan", "atan2", "erf_inv", "asin", "acos", "atan", "sinh", "cosh"}, 24)
      .Cases({"lgamma", "digamma", "polygamma", "zeta", "bessel_i1e"}, 60)
      .Default(1);
}

/// How many elements of its operands one element of `op` reads, as a host value; null when it is one.
static Value emitLength(ElementEmitter &host, Operation *op) {
  OpBuilder &b = host.site.prologue();
  IndexMath math(b, op->getLoc(), host.site);
  auto product = [&](Value tensor, ArrayRef<int64_t> dims) {
    return math.product(llvm::map_to_vector(dims, [&](int64_t d) { return host.dim(tensor, d); }));
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](dhlo::ReduceOp op) { return product(op.getInputs().front(), op.getDimensions()); })
      .Case([&](dhlo::ReduceWindowOp op) {
        return math.constant(llvm::product_of(op.getWindowDimensions()));
      })
      .Case([&](dhlo::DotGeneralOp op) {
        return product(op.getLhs(), op.getDotDimensionNumbers().getLhsContractingDimensions());
      })
      .Case([&](dhlo::DotOp op) { return product(op.getRhs(), {0}); })
      .Case<dhlo::ConvolutionOp, dhlo::DynamicConvOp>([&](auto op) {
        SmallVector<int64_t> dims = llvm::to_vector(op.getDimensionNumbers().getKernelSpatialDimensions());
        dims.push_back(op.getDimensionNumbers().getKernelInputFeatureDimension());
        return product(op.getRhs(), dims);
      })
      .Default([](Operation *) { return Value(); });
}

Value emitElementWork(const KernelEmission &k, bool countLengths) {
  IndexMath math(k.host.site.prologue(), k.fusion().getLoc(), k.host.site);
  int64_t cost = k.fusion().getIns().size() + k.fusion().getOuts().size();
  // Asking for a size may add ops to the body.
  SmallVector<Operation *> ops = llvm::map_to_vector(k.fusion().getBody().front(), [](Operation &op) { return &op; });
  Value length;
  for (Operation *op : ops) {
    cost += getElementCost(op);
    if (Value own = countLengths ? emitLength(k.host, op) : Value())
      length = length ? math.add(length, own) : own;
  }
  return length ? math.mul(math.constant(cost), math.max(length, math.constant(1))) : math.constant(cost);
}

Value emitGrain(const KernelEmission &k, Launch launch) {
  IndexMath math(k.host.site.prologue(), k.fusion().getLoc(), k.host.site);
  Value one = math.constant(1);
  Value grain = math.max(math.ceilDiv(math.constant(kWorkPerPart), math.max(launch.work, one)), one);
  return launch.unit ? math.mul(math.ceilDiv(grain, launch.unit), launch.unit) : grain;
}

} // namespace disc
