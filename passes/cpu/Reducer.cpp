// Accumulation of reductions, from a region or in a fast form.
#include "passes/cpu/Reducer.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

SmallVector<Type> elementTypesOf(ValueRange tensors) {
  return llvm::map_to_vector(tensors, [](Value tensor) { return getElementTypeOrSelf(tensor.getType()); });
}

/// The op of `x, y -> x op y` on numbers of one type, when that is all the body does.
static Operation *matchSingleOp(Block &body) {
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return nullptr;
  Operation *op = &body.front();
  Value x = body.getArgument(0), y = body.getArgument(1);
  bool isSum = isa<dhlo::AddOp, dhlo::MulOp, dhlo::MaxOp, dhlo::MinOp, dhlo::AndOp, dhlo::OrOp, dhlo::XorOp>(op);
  if (!isSum || body.getTerminator()->getOperand(0) != op->getResult(0) || x.getType() != y.getType())
    return nullptr;
  bool usesBoth = (op->getOperand(0) == x && op->getOperand(1) == y) || (op->getOperand(0) == y && op->getOperand(1) == x);
  return usesBoth ? op : nullptr;
}

static Operation *matchFastForm(Operation *single) {
  return single && isa<FloatType>(getElementTypeOrSelf(single->getResult(0).getType())) ? single : nullptr;
}

TypedAttr Reducer::getNeutral() const {
  Type type = single ? getElementTypeOrSelf(single->getResult(0).getType()) : Type();
  Builder b(body.getContext());
  if (fast) {
    auto real = cast<FloatType>(types.front());
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    if (isa<dhlo::MulOp>(fast))
      return b.getFloatAttr(real, 1.0);
    if (isa<dhlo::AddOp>(fast))
      return b.getFloatAttr(real, APFloat::getZero(semantics, /*Negative=*/true));
    return b.getFloatAttr(real, APFloat::getInf(semantics, /*Negative=*/isa<dhlo::MaxOp>(fast)));
  }
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer)
    return {};
  unsigned width = integer.getWidth();
  bool isUnsigned = integer.isUnsigned() || width == 1;
  APInt value = APInt::getZero(width);
  if (isa<dhlo::MulOp>(single))
    value = APInt(width, 1);
  else if (isa<dhlo::AndOp>(single))
    value = APInt::getAllOnes(width);
  else if (isa<dhlo::MaxOp>(single))
    value = isUnsigned ? value : APInt::getSignedMinValue(width);
  else if (isa<dhlo::MinOp>(single))
    value = isUnsigned ? APInt::getAllOnes(width) : APInt::getSignedMaxValue(width);
  return b.getIntegerAttr(scalarType(integer), value);
}

Reducer::Reducer(ElementEmitter &e, Location loc, Region &body)
    : e(e), loc(loc), body(body), single(matchSingleOp(body.front())), fast(matchFastForm(single)) {
  size_t count = body.getNumArguments() / 2;
  for (BlockArgument arg : body.getArguments().take_front(count)) {
    Type type = getElementTypeOrSelf(arg.getType());
    bool widen = fast && type.getIntOrFloatBitWidth() < 32;
    types.push_back(widen ? Float32Type::get(type.getContext()) : type);
  }
}

SmallVector<Value> Reducer::convert(OpBuilder &b, ValueRange values, TypeRange from, TypeRange to) const {
  SmallVector<Value> result;
  for (auto [value, source, target] : llvm::zip_equal(values, from, to))
    result.push_back(source == target ? value : emitConvert(b, loc, value, source, target));
  return result;
}

SmallVector<Value> Reducer::start(OpBuilder &b, ValueRange initial, TypeRange from) const { return convert(b, initial, from, types); }

SmallVector<Value> Reducer::finish(OpBuilder &b, ValueRange accumulators, TypeRange to) const {
  return convert(b, accumulators, types, to);
}

SmallVector<Value> Reducer::combine(OpBuilder &b, ValueRange accumulators, ValueRange elements, TypeRange from) const {
  SmallVector<Type> wanted = types;
  if (!fast)
    for (auto [type, arg] : llvm::zip_equal(wanted, body.getArguments().take_back(types.size())))
      type = getElementTypeOrSelf(arg.getType());
  SmallVector<Value> next = convert(b, elements, from, wanted);
  if (!fast) {
    SmallVector<Value> arguments = llvm::to_vector(accumulators);
    llvm::append_range(arguments, next);
    return e.emitRegion(b, loc, body, arguments);
  }
  Value x = accumulators.front(), y = next.front();
  if (isa<dhlo::MaxOp>(fast))
    return {arith::MaximumFOp::create(b, loc, x, y)};
  if (isa<dhlo::MinOp>(fast))
    return {arith::MinimumFOp::create(b, loc, x, y)};
  if (isa<dhlo::MulOp>(fast))
    return {arith::MulFOp::create(b, loc, x, y, arith::FastMathFlags::reassoc)};
  return {arith::AddFOp::create(b, loc, x, y, arith::FastMathFlags::reassoc)};
}

} // namespace disc
