// Pass input-dynamic-windows: reduce_window whose window and padding tensors hold, as JAX exports it.
//
// A window of known sizes slides over an operand that is padded before it. A window as large as its dimension, with
// padding before or after that lets it cover one element more at each position, is a cumulative sum of the reducer.
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "passes/input/ScalarElements.h"
#include "passes/input/TensorBuilders.h"
#include "passes/shape/Demands.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace disc;

static std::string shownType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

namespace {
/// One call: inputs, initial values, window, strides, base dilations, window
/// dilations, padding.
class DynamicWindow {
public:
  explicit DynamicWindow(dhlo::CustomCallOp call)
      : call(call), b(call), loc(call.getLoc()), scalars(call.getContext()) {}
  LogicalResult run();

private:
  LogicalResult read();
  LogicalResult slide();
  LogicalResult accumulate();
  LogicalResult refuse(const Twine &why) {
    return call.emitOpError() << "`dynamic_reduce_window`: " << why;
  }
  Value index(Value scalar) { return scalars.toIndex(loc, scalar); }
  /// The numbers that scalars are, if all of them are known.
  std::optional<SmallVector<int64_t>> known(ArrayRef<Value> values);
  Value pad(Value input, Value init, ArrayRef<Value> low, ArrayRef<Value> high,
            ArrayRef<int64_t> interior, Type type);
  void checkCovers(int64_t dim, Value size, Value padding);
  void cloneReducer(Region &region);
  Value combine(OpBuilder &builder, Value earlier, Value later);
  Value position(Value scalar);

  dhlo::CustomCallOp call;
  OpBuilder b;
  Location loc;
  ScalarElements scalars;
  func::FuncOp reducer;
  ValueRange inputs, inits;
  int64_t rank = 0;
  /// window, strides, base dilations, window dilations: an element a
  /// dimension; padding: two a dimension.
  ScalarElements::Scalars shape[5];
};
} // namespace

std::optional<SmallVector<int64_t>>
DynamicWindow::known(ArrayRef<Value> values) {
  SmallVector<int64_t> numbers;
  for (Value value : values) {
    std::optional<int64_t> number = constantOf(value);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

LogicalResult DynamicWindow::read() {
  int64_t count = call->getNumResults();
  if (count == 0 || call->getNumOperands() != 2 * count + 5)
    return refuse("expected for each of " + Twine(count) +
                  " results an input and an initial value, then window, "
                  "strides, base dilations, window dilations and padding; got " +
                  Twine(call->getNumOperands()) + " operands");
  inputs = call->getOperands().take_front(count);
  inits = call->getOperands().slice(count, count);
  auto type = dyn_cast<RankedTensorType>(inputs.front().getType());
  rank = type ? type.getRank() : 0;
  for (Value value : call->getOperands())
    if (!isa<RankedTensorType>(value.getType()))
      return refuse("expected ranked tensors, got " +
                    shownType(value.getType()));
  for (unsigned i = 0; i < 5; ++i) {
    std::optional<ScalarElements::Scalars> numbers =
        scalars.of(call->getOperand(2 * count + i));
    if (!numbers || static_cast<int64_t>(numbers->size()) != (i < 4 ? rank : 2 * rank))
      return refuse("expected " + Twine(i < 4 ? rank : 2 * rank) +
                    " integers in operand #" + Twine(2 * count + i) +
                    ", got " + shownType(call->getOperand(2 * count + i).getType()));
    shape[i] = *numbers;
  }
  auto called = call.getCalledComputations();
  if (called && called->size() == 1)
    reducer = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, cast<FlatSymbolRefAttr>((*called)[0]));
  if (!reducer || reducer.isExternal() || !reducer.getBody().hasOneBlock() ||
      reducer.getNumArguments() != 2 * count || reducer.getNumResults() != count)
    return refuse("expected in `called_computations` one function of " +
                  Twine(2 * count) + " scalars with " + Twine(count) +
                  " results");
  return success();
}

/// `input` with `low`, `high` and `interior` elements `init` around and between.
Value DynamicWindow::pad(Value input, Value init, ArrayRef<Value> low,
                         ArrayRef<Value> high, ArrayRef<int64_t> interior,
                         Type type) {
  SmallVector<Value> between;
  for (int64_t size : interior)
    between.push_back(arith::ConstantIndexOp::create(b, loc, size));
  return dhlo::DynamicPadOp::create(b, loc, type, input, init,
                                    listOf(b, loc, low), listOf(b, loc, high),
                                    listOf(b, loc, between));
}

void DynamicWindow::cloneReducer(Region &region) {
  IRMapping mapping;
  reducer.getBody().cloneInto(&region, mapping);
  Operation *end = region.front().getTerminator();
  OpBuilder inside(end);
  dhlo::ReturnOp::create(inside, end->getLoc(), end->getOperands());
  end->erase();
}

/// A window of known sizes: the padding becomes an op of its own.
LogicalResult DynamicWindow::slide() {
  auto window = known(shape[0]), strides = known(shape[1]),
       base = known(shape[2]), dilations = known(shape[3]);
  SmallVector<Value> low, high, padded;
  SmallVector<int64_t> interior;
  for (int64_t d = 0; d < rank; ++d) {
    if ((*window)[d] < 0 || (*strides)[d] <= 0 || (*base)[d] <= 0 ||
        (*dilations)[d] <= 0)
      return refuse("dimension " + Twine(d) + " has a window of " +
                    Twine((*window)[d]) + " with stride " +
                    Twine((*strides)[d]) + " and dilations " +
                    Twine((*base)[d]) + " and " + Twine((*dilations)[d]) +
                    "; expected a window that is not negative, and the others "
                    "positive");
    low.push_back(index(shape[4][2 * d]));
    high.push_back(index(shape[4][2 * d + 1]));
    interior.push_back((*base)[d] - 1);
  }
  SmallVector<int64_t> unknown(rank, ShapedType::kDynamic);
  for (auto [input, init] : llvm::zip(inputs, inits)) {
    auto type = cast<RankedTensorType>(input.getType());
    padded.push_back(pad(input, init, low, high, interior, type.clone(unknown)));
  }
  auto reduced = dhlo::ReduceWindowOp::create(
      b, loc, call->getResultTypes(), padded, inits,
      b.getDenseI64ArrayAttr(*window), b.getDenseI64ArrayAttr(*strides),
      nullptr, b.getDenseI64ArrayAttr(*dilations), nullptr);
  cloneReducer(reduced.getBody());
  call->replaceAllUsesWith(reduced);
  return success();
}

/// Checks at run time that the window is `size` long, and `padding` one less.
void DynamicWindow::checkCovers(int64_t dim, Value size, Value padding) {
  Value window = index(shape[0][dim]);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value less = arith::SubIOp::create(b, loc, size, one);
  Value covers = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, window,
                                       size);
  Value reaches = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        padding, less);
  std::string at = "`dynamic_reduce_window` at " + shortLocation(loc) +
                   ": dimension " + std::to_string(dim) + ": expected a ";
  lmhlo_disc::CheckOp::create(
      b, loc, covers, at + "window of its whole size {0}, got {1}",
      ValueRange{size, window});
  lmhlo_disc::CheckOp::create(
      b, loc, reaches, at + "padding of its size less one, {0}, got {1}",
      ValueRange{less, padding});
}

/// The reducer on all elements: itself, where it is one elementwise op.
Value DynamicWindow::combine(OpBuilder &builder, Value earlier, Value later) {
  Block &body = reducer.getBody().front();
  auto type = cast<RankedTensorType>(later.getType());
  Operation *only = &body.front(), *end = body.getTerminator();
  if (only->getNextNode() == end && only->hasTrait<OpTrait::dhlo::Elementwise>() &&
      only->getNumOperands() == 2 && only->getNumResults() == 1 &&
      end->getOperand(0) == only->getResult(0) &&
      llvm::all_of(only->getOperands(), llvm::IsaPred<BlockArgument>)) {
    IRMapping mapping;
    mapping.map(body.getArgument(0), earlier);
    mapping.map(body.getArgument(1), later);
    Operation *copy = builder.clone(*only, mapping);
    copy->getResult(0).setType(type);
    return copy->getResult(0);
  }
  auto map = dhlo::MapOp::create(
      builder, loc, type, ValueRange{earlier, later},
      builder.getDenseI64ArrayAttr(llvm::to_vector(llvm::seq<int64_t>(0, rank))));
  cloneReducer(map.getComputation());
  return map.getResult();
}

/// A size as a tensor of rank 0.
Value DynamicWindow::position(Value scalar) {
  Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), scalar);
  return tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({}, b.getI64Type()), wide);
}

/// A cumulative sum of the reducer, which may combine elements in any grouping:
/// each of log2(n) steps combines every sum with the one of as many elements
/// beside it.
LogicalResult DynamicWindow::accumulate() {
  int64_t dim = -1;
  for (int64_t d = 0; d < rank; ++d) {
    bool isOne = constantOf(shape[0][d]) == 1;
    if (isOne && constantOf(shape[4][2 * d]) == 0 &&
        constantOf(shape[4][2 * d + 1]) == 0)
      continue;
    if (isOne || dim >= 0)
      return refuse("has a window of sizes that are not known at compile time "
                    "and covers no single dimension");
    dim = d;
  }
  for (unsigned i : {1, 2, 3})
    for (Value number : shape[i])
      if (constantOf(number) != 1)
        return refuse("has a window whose size is not known at compile time, "
                      "with strides or dilations other than 1");
  Value low = shape[4][2 * dim], high = shape[4][2 * dim + 1];
  bool isReverse = constantOf(low) == 0;
  if (inputs.size() != 1 || (!isReverse && constantOf(high) != 0))
    return refuse("has a window whose size is not known at compile time; such "
                  "windows reduce one input, padded on one side");
  Value input = inputs.front(), init = inits.front();
  auto type = cast<RankedTensorType>(input.getType());
  Value size = tensor::DimOp::create(b, loc, input, dim);
  checkCovers(dim, size, index(isReverse ? high : low));

  Value one = arith::ConstantIndexOp::create(b, loc, 1), length = position(size);
  SmallVector<Value> start = {position(one), input};
  SmallVector<Type> types = {length.getType(), type};
  SmallVector<Location> locations(2, loc);
  auto loop = dhlo::WhileOp::create(b, loc, types, start);
  Block *more = b.createBlock(&loop.getCond(), {}, types, locations);
  Value goesOn = dhlo::CompareOp::create(b, loc, more->getArgument(0), length,
                                         dhlo::ComparisonDirection::LT,
                                         dhlo::ComparisonType::SIGNED);
  dhlo::ReturnOp::create(b, loc, goesOn);
  Block *body = b.createBlock(&loop.getBody(), {}, types, locations);
  Value step = body->getArgument(0), sums = body->getArgument(1);
  Value far = arith::IndexCastOp::create(
      b, loc, b.getIndexType(),
      tensor::ExtractOp::create(b, loc, step, ValueRange()));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value back = arith::SubIOp::create(b, loc, zero, far);
  SmallVector<Value> before(rank, zero), after(rank, zero);
  before[dim] = isReverse ? back : far;
  after[dim] = isReverse ? far : back;
  Value beside = pad(sums, init, before, after, SmallVector<int64_t>(rank, 0), type);
  Value next = isReverse ? combine(b, sums, beside) : combine(b, beside, sums);
  Value twice = dhlo::AddOp::create(b, loc, step, step);
  dhlo::ReturnOp::create(b, loc, ValueRange{twice, next});
  b.setInsertionPoint(call);
  Value sum = loop.getResult(1);
  if (sum.getType() != call->getResult(0).getType())
    sum = tensor::CastOp::create(b, loc, call->getResult(0).getType(), sum);
  call->getResult(0).replaceAllUsesWith(sum);
  return success();
}

LogicalResult DynamicWindow::run() {
  if (LogicalResult found = read(); failed(found))
    return found;
  scalars.builder.setInsertionPoint(call);
  bool isKnown = llvm::all_of(ArrayRef(shape).take_front(4), [&](ArrayRef<Value> list) {
    return known(list).has_value();
  });
  LogicalResult written = isKnown ? slide() : accumulate();
  if (succeeded(written))
    call.erase();
  return written;
}

LogicalResult disc::runInputDynamicWindows(ModuleOp module) {
  SmallVector<dhlo::CustomCallOp> calls;
  module.walk([&](dhlo::CustomCallOp call) {
    if (call.getCallTargetName() == "stablehlo.dynamic_reduce_window")
      calls.push_back(call);
  });
  if (calls.empty())
    return success();
  for (dhlo::CustomCallOp call : calls)
    if (LogicalResult written = DynamicWindow(call).run(); failed(written))
      return written;
  // The reducers are in place now.
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (func.isPrivate() && SymbolTable::symbolKnownUseEmpty(func, module))
      func.erase();
  return success();
}
