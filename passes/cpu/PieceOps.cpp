// Ops whose elements come from one of several places: concatenate, pad, dynamic_update_slice.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

using Request = const ElementRequest &;

/// The element of the `k`-th and later inputs; the earlier ones end at `start`.
Value emitFromInput(Request r, dhlo::ConcatenateOp op, unsigned k, OpBuilder &b, Value start) {
  int64_t d = op.getDimension();
  Value input = op.getInputs()[k];
  SmallVector<Value> index = llvm::to_vector(r.index);
  auto own = [&](OpBuilder &b) {
    index[d] = IndexMath(b, r.loc, r.e.site).sub(r.index[d], start);
    return r.e.emit(b, r.loc, input, index);
  };
  if (k + 1 == op.getInputs().size())
    return own(b);
  Value end = IndexMath(r.e.site.prologue(), r.loc, r.e.site).add(start, r.e.dim(input, d));
  Value inside = IndexMath(b, r.loc, r.e.site).less(r.index[d], end);
  return emitIf(r.e, b, r.loc, inside, own, [&](OpBuilder &b) { return emitFromInput(r, op, k + 1, b, end); });
}

/// What a pad does to one dimension.
struct Padding {
  Value low, interior;
  bool isLowPositive, isHighPositive;
};

bool mayBePositive(Value amount) {
  std::optional<int64_t> known = getConstantIntValue(amount);
  return !known || *known > 0;
}

Value emitPad(Request r, Value operand, Value paddingValue, ArrayRef<Padding> padding) {
  IndexMath math(r.b, r.loc, r.e.site);
  Value inside = arith::ConstantIntOp::create(r.b, r.loc, 1, 1);
  SmallVector<Value> index;
  for (auto [d, pad] : llvm::enumerate(padding)) {
    Value size = r.e.dim(operand, d);
    Value position = math.sub(r.index[d], pad.low);
    if (pad.isLowPositive)
      inside = math.both(inside, math.less(math.constant(-1), position));
    if (mayBePositive(pad.interior)) {
      Value step = math.add(pad.interior, math.constant(1));
      inside = math.both(inside, math.equal(math.rem(position, step), math.constant(0)));
      position = math.div(position, step);
    }
    if (pad.isHighPositive)
      inside = math.both(inside, math.less(position, size));
    index.push_back(position);
  }
  return emitIf(
      r.e, r.b, r.loc, inside, [&](OpBuilder &b) { return r.e.emit(b, r.loc, operand, index); },
      [&](OpBuilder &b) { return r.e.emit(b, r.loc, paddingValue, {}); });
}

Value emitStaticPad(Request r, dhlo::PadOp op) {
  SmallVector<Padding> padding;
  for (auto [low, high, interior] : llvm::zip_equal(op.getEdgePaddingLow(), op.getEdgePaddingHigh(), op.getInteriorPadding()))
    padding.push_back({r.e.constant(low), r.e.constant(interior), low > 0, high > 0});
  return emitPad(r, op.getOperand(), op.getPaddingValue(), padding);
}

Value emitDynamicPad(Request r, dhlo::DynamicPadOp op) {
  SmallVector<Padding> padding;
  for (size_t d = 0; d < r.index.size(); ++d) {
    auto amount = [&](Value amounts) { return r.e.emitIndex(r.b, r.loc, amounts, r.e.constant(d)); };
    Value low = amount(op.getEdgePaddingLow()), high = amount(op.getEdgePaddingHigh());
    padding.push_back({low, amount(op.getInteriorPadding()), mayBePositive(low), mayBePositive(high)});
  }
  return emitPad(r, op.getOperand(), op.getPaddingValue(), padding);
}

Value emitUpdateSlice(Request r, dhlo::DynamicUpdateSliceOp op) {
  IndexMath math(r.b, r.loc, r.e.site);
  Value inside = arith::ConstantIntOp::create(r.b, r.loc, 1, 1);
  SmallVector<Value> index;
  for (auto [d, i] : llvm::enumerate(r.index)) {
    Value size = r.e.dim(op.getUpdate(), d), whole = r.e.dim(op.getOperand(), d);
    if (size == whole) {
      index.push_back(i);
      continue;
    }
    Value start = r.e.emitIndex(r.b, r.loc, op.getStartIndices()[d], {});
    start = math.clamp(start, math.constant(0), math.sub(whole, size));
    Value position = math.sub(i, start);
    inside = math.both(inside, math.both(math.less(math.constant(-1), position), math.less(position, size)));
    index.push_back(position);
  }
  return emitIf(
      r.e, r.b, r.loc, inside, [&](OpBuilder &b) { return r.e.emit(b, r.loc, op.getUpdate(), index); },
      [&](OpBuilder &b) { return r.e.emit(b, r.loc, op.getOperand(), r.index); });
}

} // namespace

Value emitPieceOp(const ElementRequest &r) {
  return llvm::TypeSwitch<Operation *, Value>(r.result.getOwner())
      .Case([&](dhlo::ConcatenateOp op) { return emitFromInput(r, op, 0, r.b, r.e.constant(0)); })
      .Case([&](dhlo::PadOp op) { return emitStaticPad(r, op); })
      .Case([&](dhlo::DynamicPadOp op) { return emitDynamicPad(r, op); })
      .Case([&](dhlo::DynamicUpdateSliceOp op) { return emitUpdateSlice(r, op); })
      .Default([](Operation *) { return Value(); });
}

} // namespace disc
