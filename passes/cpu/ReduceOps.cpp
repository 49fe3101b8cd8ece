// One element of reduce, reduce_window and map: a loop, or a region, of its own.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/FlatBody.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/Reducer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

using Request = const ElementRequest &;

SmallVector<Value> emitAll(ElementEmitter &e, OpBuilder &b, Location loc, ValueRange tensors, ValueRange index) {
  return llvm::map_to_vector(tensors, [&](Value tensor) { return e.emit(b, loc, tensor, index); });
}

/// Ends a reduction: every result of the op becomes known at the index.
Value finish(Request r, const Reducer &reducer, ValueRange accumulators) {
  Operation *op = r.result.getOwner();
  SmallVector<Value> elements = reducer.finish(r.b, accumulators, elementTypesOf(op->getResults()));
  for (auto [result, element] : llvm::zip_equal(op->getResults(), elements))
    if (result != r.result)
      r.e.bind(result, r.index, element);
  return elements[r.result.getResultNumber()];
}

/// Of the reduced dimensions: how many, the last ones of the inputs, are gone through as one.
size_t countFlat(Request r, dhlo::ReduceOp op, ArrayRef<int64_t> reduced) {
  SmallVector<Value> dims = r.e.dims(op.getInputs().front());
  size_t count = 0;
  while (count < reduced.size() && reduced[reduced.size() - 1 - count] == static_cast<int64_t>(dims.size() - 1 - count))
    ++count;
  ArrayRef<Value> last = ArrayRef(dims).take_back(count);
  FlatBody flat(r.e, dims, dims.size() - count);
  bool isFlat = llvm::count_if(last, [](Value dim) { return getConstantIntValue(dim) != 1; }) > 1 &&
                llvm::all_of(op.getInputs(), [&](Value input) { return flat.accepts(input); });
  return isFlat ? count : 0;
}

Value emitReduce(Request r, dhlo::ReduceOp op) {
  ValueRange inputs = op.getInputs();
  SmallVector<Type> types = elementTypesOf(inputs);
  Reducer reducer(r.e, r.loc, op.getBody());
  SmallVector<int64_t> reduced = llvm::to_vector(op.getDimensions());
  llvm::sort(reduced);
  SmallVector<Value> bounds = llvm::map_to_vector(reduced, [&](int64_t d) { return r.e.dim(inputs.front(), d); });
  size_t flat = countFlat(r, op, reduced);
  SmallVector<Value> flatDims(bounds.end() - flat, bounds.end());
  if (flat) {
    bounds.truncate(bounds.size() - flat);
    bounds.push_back(IndexMath(r.e.site.prologue(), r.loc, r.e.site).product(flatDims));
  }
  SmallVector<Value> init = emitAll(r.e, r.b, r.loc, op.getInitValues(), {});
  auto body = [&](OpBuilder &b, ValueRange at, ValueRange carried) {
    SmallVector<Value> index, inner = llvm::to_vector(at);
    if (flat) {
      Value position = inner.pop_back_val();
      llvm::append_range(inner, r.e.unfold(b, r.loc, position, flatDims));
    }
    size_t kept = 0, next = 0;
    for (int64_t d = 0, rank = r.index.size() + reduced.size(); d < rank; ++d)
      index.push_back(llvm::is_contained(reduced, d) ? inner[next++] : r.index[kept++]);
    return reducer.combine(b, carried, emitAll(r.e, b, r.loc, inputs, index), types);
  };
  return finish(r, reducer,
                emitLoopNest(r.e, r.b, r.loc, bounds, reducer.start(r.b, init, elementTypesOf(op.getInitValues())), body));
}

/// One dimension of the window: where it is in the operand.
struct WindowPosition {
  Value index, inside;
};

/// Attributes of a window that may be left out.
int64_t at(std::optional<ArrayRef<int64_t>> numbers, size_t d, int64_t otherwise) { return numbers ? (*numbers)[d] : otherwise; }

WindowPosition locate(Request r, OpBuilder &b, dhlo::ReduceWindowOp op, size_t d, Value offset) {
  IndexMath math(b, r.loc, r.e.site);
  int64_t low = 0, high = 0;
  if (DenseIntElementsAttr padding = op.getPaddingAttr()) {
    low = padding.getValues<int64_t>()[{d, 0}];
    high = padding.getValues<int64_t>()[{d, 1}];
  }
  int64_t dilation = at(op.getBaseDilations(), d, 1);
  Value start = math.mul(r.index[d], math.constant(at(op.getWindowStrides(), d, 1)));
  Value position = math.add(start, math.mul(offset, math.constant(at(op.getWindowDilations(), d, 1))));
  position = math.sub(position, math.constant(low));
  Value inside;
  auto require = [&](Value condition) { inside = inside ? math.both(inside, condition) : condition; };
  if (low > 0)
    require(math.less(math.constant(-1), position));
  if (dilation != 1)
    require(math.equal(math.rem(position, math.constant(dilation)), math.constant(0)));
  position = math.div(position, math.constant(dilation));
  if (high > 0)
    require(math.less(position, r.e.dim(op.getInputs().front(), d)));
  return {position, inside};
}

/// Whether folding an element twice is folding it once.
bool isIdempotent(Region &body) {
  Block &block = body.front();
  return llvm::hasSingleElement(block.without_terminator()) &&
         isa<dhlo::MaxOp, dhlo::MinOp, dhlo::AndOp, dhlo::OrOp>(block.front()) &&
         block.front().getOperand(0) != block.front().getOperand(1) && block.getTerminator()->getOperand(0) == block.front().getResult(0);
}

/// Whether every window has an element of the operand, and the nearest one to any other place of it is in it.
bool reachesInside(dhlo::ReduceWindowOp op, size_t d) {
  int64_t reach = (op.getWindowDimensions()[d] - 1) * at(op.getWindowDilations(), d, 1) + 1;
  DenseIntElementsAttr padding = op.getPaddingAttr();
  return at(op.getBaseDilations(), d, 1) == 1 && at(op.getWindowDilations(), d, 1) == 1 &&
         (!padding || (padding.getValues<int64_t>()[{d, 0}] < reach && padding.getValues<int64_t>()[{d, 1}] < reach));
}

/// Windows of at most this many elements have no loops.
constexpr int64_t kUnrolledWindow = 32;

/// A small window on one operand, without loops and branches, so that the loop around it is vectorized: an element of the padding is
/// the nearest one of the operand where that makes no difference, and is loaded in vain elsewhere.
Value emitSmallWindow(Request r, dhlo::ReduceWindowOp op, const Reducer &reducer, ValueRange init) {
  Value input = op.getInputs().front();
  IndexMath math(r.b, r.loc, r.e.site);
  bool nearest = isIdempotent(op.getBody());
  Value exists; // what is loaded in vain
  for (size_t d = 0; d < r.index.size(); ++d)
    if (locate(r, r.b, op, d, r.e.constant(0)).inside) {
      Value any = math.less(math.constant(0), r.e.dim(input, d));
      exists = exists ? math.both(exists, any) : any;
      nearest &= reachesInside(op, d);
    }
  auto fold = [&](OpBuilder &b) {
    IndexMath math(b, r.loc, r.e.site);
    SmallVector<Value> sum = reducer.start(b, init, elementTypesOf(op.getInitValues()));
    SmallVector<int64_t> offsets(r.index.size(), 0);
    for (int64_t n = 0, total = ShapedType::getNumElements(op.getWindowDimensions()); n < total; ++n) {
      SmallVector<Value> index;
      Value inside;
      for (auto [d, offset] : llvm::enumerate(offsets)) {
        WindowPosition position = locate(r, b, op, d, r.e.constant(offset));
        if (position.inside) {
          inside = inside ? math.both(inside, position.inside) : position.inside;
          position.index = math.clamp(position.index, math.constant(0), math.sub(r.e.dim(input, d), math.constant(1)));
        }
        index.push_back(position.index);
      }
      Value element = r.e.emit(b, r.loc, input, index);
      if (inside && !nearest)
        element = math.select(inside, element, init.front());
      sum = reducer.combine(b, sum, {element}, elementTypesOf(input));
      for (size_t d = offsets.size(); d-- > 0;) {
        if (++offsets[d] < op.getWindowDimensions()[d])
          break;
        offsets[d] = 0;
      }
    }
    return sum.front();
  };
  if (!exists)
    return fold(r.b);
  // Of an empty operand every element of a window is padding.
  return emitIf(r.e, r.b, r.loc, exists, fold, [&](OpBuilder &b) {
    SmallVector<Value> sum = reducer.start(b, init, elementTypesOf(op.getInitValues()));
    for (int64_t i = 0, count = ShapedType::getNumElements(op.getWindowDimensions()); i < count; ++i)
      sum = reducer.combine(b, sum, init, elementTypesOf(op.getInitValues()));
    return sum.front();
  });
}

Value emitReduceWindow(Request r, dhlo::ReduceWindowOp op) {
  SmallVector<Type> types = elementTypesOf(op.getInputs());
  Reducer reducer(r.e, r.loc, op.getBody());
  SmallVector<Value> bounds = llvm::map_to_vector(op.getWindowDimensions(), [&](int64_t size) { return r.e.constant(size); });
  SmallVector<Value> init = emitAll(r.e, r.b, r.loc, op.getInitValues(), {});
  int64_t elements = ShapedType::getNumElements(op.getWindowDimensions());
  if (op.getInputs().size() == 1 && elements > 0 && elements <= kUnrolledWindow)
    return finish(r, reducer, emitSmallWindow(r, op, reducer, init));
  auto body = [&](OpBuilder &b, ValueRange offsets, ValueRange carried) {
    IndexMath math(b, r.loc, r.e.site);
    SmallVector<Value> index, elements;
    Value inside;
    for (auto [d, offset] : llvm::enumerate(offsets)) {
      WindowPosition position = locate(r, b, op, d, offset);
      index.push_back(position.index);
      if (position.inside)
        inside = inside ? math.both(inside, position.inside) : position.inside;
    }
    for (auto [input, initial] : llvm::zip_equal(op.getInputs(), init)) {
      auto element = [&, input = input](OpBuilder &b) { return r.e.emit(b, r.loc, input, index); };
      // Padding is made of initial values.
      elements.push_back(inside ? emitIf(r.e, b, r.loc, inside, element, [&, initial = initial](OpBuilder &) { return initial; })
                                : element(b));
    }
    return reducer.combine(b, carried, elements, types);
  };
  return finish(r, reducer,
                emitLoopNest(r.e, r.b, r.loc, bounds, reducer.start(r.b, init, elementTypesOf(op.getInitValues())), body));
}

Value emitMap(Request r, dhlo::MapOp op) {
  return r.e.emitRegion(r.b, r.loc, op->getRegion(0), emitAll(r.e, r.b, r.loc, op->getOperands(), r.index)).front();
}

} // namespace

Value emitReduceOp(const ElementRequest &r) {
  return llvm::TypeSwitch<Operation *, Value>(r.result.getOwner())
      .Case([&](dhlo::ReduceOp op) { return emitReduce(r, op); })
      .Case([&](dhlo::ReduceWindowOp op) { return emitReduceWindow(r, op); })
      .Case([&](dhlo::MapOp op) { return emitMap(r, op); })
      .Default([](Operation *) { return Value(); });
}

} // namespace disc
