// Accumulation of reductions, from a region or in a fast form.
#include "passes/cpu/Reducer.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

/// The op of `x, y -> x op y` on real floats, when that is all the body does.
static Operation *matchFastForm(Block &body) {
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return nullptr;
  Operation *op = &body.front();
  Value x = body.getArgument(0), y = body.getArgument(1);
  if (!isa<dhlo::AddOp, dhlo::MulOp, dhlo::MaxOp, dhlo::MinOp>(op) || body.getTerminator()->getOperand(0) != op->getResult(0))
    return nullptr;
  bool usesBoth = (op->getOperand(0) == x && op->getOperand(1) == y) || (op->getOperand(0) == y && op->getOperand(1) == x);
  return usesBoth && isa<FloatType>(getElementTypeOrSelf(x.getType())) ? op : nullptr;
}

Reducer::Reducer(ElementEmitter &e, Location loc, Region &body) : e(e), loc(loc), body(body), fast(matchFastForm(body.front())) {
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
