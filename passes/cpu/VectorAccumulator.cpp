// Sums and extrema, one in each lane.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "passes/cpu/VectorBody.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {

VectorAccumulator::VectorAccumulator(OpBuilder &b, Location loc, Operation *combine, int64_t lanes)
    : b(b), loc(loc), combine(combine), lanes(lanes), neutral(getNeutralElement(combine)),
      isExtremum(isa<arith::MaximumFOp, arith::MinimumFOp>(combine)), isMaximum(isa<arith::MaximumFOp>(combine)),
      bitsType(b.getIntegerType(neutral.getType().getIntOrFloatBitWidth())) {}

Value VectorAccumulator::splat(TypedAttr value) {
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vectorOf(value.getType()), Attribute(value)));
}

Value VectorAccumulator::apply(Value x, Value y) {
  OperationState state(loc, combine->getName());
  state.addOperands({x, y});
  state.addTypes(x.getType());
  if (!isa<arith::AddFOp, arith::MulFOp>(combine)) // The order is chosen: nobody shall choose again.
    state.addAttributes(combine->getAttrs());
  return b.create(state)->getResult(0);
}

/// x where it is the greater (lesser) one, else y: one instruction, which NaN and signed zeros do not matter to.
Value VectorAccumulator::better(Value x, Value y) {
  auto predicate = isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  return arith::SelectOp::create(b, loc, arith::CmpFOp::create(b, loc, predicate, x, y), x, y);
}

/// The sign: a maximum of zeros is +0 unless all have the sign, a minimum is -0 if one has it.
Value VectorAccumulator::mergeBits(Value x, Value y) {
  return isMaximum ? arith::AndIOp::create(b, loc, x, y).getResult() : arith::OrIOp::create(b, loc, x, y).getResult();
}

/// Whether `init` may stand in every lane: the neutral element, or any zero of a sum of floats.
bool VectorAccumulator::isLaneStart(Value init) {
  TypedAttr value;
  if (!matchPattern(init, m_Constant(&value)))
    return false;
  auto number = dyn_cast<FloatAttr>(value);
  return value == neutral || (isa<arith::AddFOp>(combine) && number && number.getValue().isZero());
}

SmallVector<Value> VectorAccumulator::start(Value init) {
  if (!isExtremum) {
    TypedAttr value = neutral;
    if (isLaneStart(init))
      matchPattern(init, m_Constant(&value));
    return {splat(value)};
  }
  return {splat(neutral), splat(b.getIntegerAttr(bitsType, isMaximum ? -1 : 0)), splat(b.getBoolAttr(false))};
}

SmallVector<Value> VectorAccumulator::step(ValueRange state, Value elements, Value mask) {
  if (!isExtremum) {
    Value next = apply(state.front(), elements);
    return {mask ? arith::SelectOp::create(b, loc, mask, next, state.front()).getResult() : next};
  }
  if (mask)
    elements = arith::SelectOp::create(b, loc, mask, elements, splat(neutral));
  Value bits = arith::BitcastOp::create(b, loc, vectorOf(bitsType), elements);
  Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, elements, elements);
  return {better(elements, state[0]), mergeBits(state[1], bits), arith::OrIOp::create(b, loc, state[2], isNan)};
}

SmallVector<Value> VectorAccumulator::merge(ValueRange x, ValueRange y) {
  if (!isExtremum)
    return {apply(x.front(), y.front())};
  return {better(x[0], y[0]), mergeBits(x[1], y[1]), arith::OrIOp::create(b, loc, x[2], y[2])};
}

static vector::CombiningKind kindOf(Operation *combine) {
  return llvm::TypeSwitch<Operation *, vector::CombiningKind>(combine)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return vector::CombiningKind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return vector::CombiningKind::MUL; })
      .Case([](arith::AndIOp) { return vector::CombiningKind::AND; })
      .Case([](arith::OrIOp) { return vector::CombiningKind::OR; })
      .Case([](arith::XOrIOp) { return vector::CombiningKind::XOR; })
      .Case([](arith::MaxSIOp) { return vector::CombiningKind::MAXSI; })
      .Case([](arith::MinSIOp) { return vector::CombiningKind::MINSI; })
      .Case([](arith::MaxUIOp) { return vector::CombiningKind::MAXUI; })
      .Case([](arith::MinUIOp) { return vector::CombiningKind::MINUI; });
}

Value VectorAccumulator::finishExtremum(ValueRange state) {
  Value best = state[0];
  for (int64_t width = lanes / 2; width >= 1; width /= 2) {
    auto half = [&](int64_t from) -> Value {
      return vector::ShuffleOp::create(b, loc, best, best, llvm::to_vector(llvm::seq<int64_t>(from, from + width)));
    };
    best = better(half(width), half(0));
  }
  best = vector::ExtractOp::create(b, loc, best, 0);
  Type type = best.getType();
  auto number = [&](APFloat value) -> Value { return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value)); };
  const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
  Value plus = number(APFloat::getZero(semantics)), minus = number(APFloat::getZero(semantics, /*Negative=*/true));
  Value hasSign = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, state[1], splat(b.getIntegerAttr(bitsType, 0)));
  hasSign = vector::ReductionOp::create(b, loc, isMaximum ? vector::CombiningKind::AND : vector::CombiningKind::OR, hasSign);
  Value hasNan = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, state[2]);
  Value isZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, best, plus);
  best = arith::SelectOp::create(b, loc, isZero, arith::SelectOp::create(b, loc, hasSign, minus, plus), best);
  return arith::SelectOp::create(b, loc, hasNan, number(APFloat::getQNaN(semantics)), best);
}

Value VectorAccumulator::finish(ValueRange state, Value init) {
  if (isExtremum) {
    Value best = finishExtremum(state);
    return isLaneStart(init) ? best : apply(init, best);
  }
  arith::FastMathFlags flags = arith::FastMathFlags::none;
  if (isa<arith::AddFOp, arith::MulFOp>(combine))
    flags = arith::FastMathFlags::reassoc;
  // Of its own, a sum would start from +0, which is not neutral.
  Value start = arith::ConstantOp::create(b, loc, neutral);
  Value total = vector::ReductionOp::create(b, loc, kindOf(combine), state.front(), start, flags);
  return isLaneStart(init) ? total : apply(init, total);
}

} // namespace disc
