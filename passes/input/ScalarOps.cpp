// Elementwise dhlo and arith ops on single elements, as scalar arith.
#include "passes/input/ScalarElements.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace disc;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static Value zeroLike(OpBuilder &b, Location loc, Value like) {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(like.getType()));
}

static Value oneLike(OpBuilder &b, Location loc, Value like) {
  return arith::ConstantOp::create(b, loc, b.getOneAttr(like.getType()));
}

/// `x / 0` is -1 and `x rem 0` is x; neither traps. INT_MIN / -1 is not met in
/// sizes, but must not trap either: the divisor 0 and -1 go around the division.
static Value divide(OpBuilder &b, Location loc, Value x, Value y, bool rem) {
  std::optional<int64_t> divisor = constantOf(y);
  if (divisor && *divisor != 0 && *divisor != -1)
    return rem ? Value(arith::RemSIOp::create(b, loc, x, y))
               : Value(arith::DivSIOp::create(b, loc, x, y));
  Value zero = zeroLike(b, loc, x), one = oneLike(b, loc, x);
  Value minusOne = arith::SubIOp::create(b, loc, zero, one);
  Value isZero = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, y, zero);
  Value isMinus = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, y, minusOne);
  Value odd = arith::OrIOp::create(b, loc, isZero, isMinus);
  Value safe = arith::SelectOp::create(b, loc, odd, one, y);
  Value usual = rem ? Value(arith::RemSIOp::create(b, loc, x, safe))
                    : Value(arith::DivSIOp::create(b, loc, x, safe));
  Value atMinus = rem ? zero : Value(arith::SubIOp::create(b, loc, zero, x));
  Value atZero = rem ? x : minusOne;
  Value result = arith::SelectOp::create(b, loc, isMinus, atMinus, usual);
  return arith::SelectOp::create(b, loc, isZero, atZero, result);
}

static Value convert(OpBuilder &b, Location loc, Value x, Type to) {
  Type from = x.getType();
  if (from == to)
    return x;
  if (to.isIndex() || from.isIndex()) {
    if (isa<FloatType>(to))
      return convert(b, loc, convert(b, loc, x, b.getI64Type()), to);
    if (isa<FloatType>(from))
      return convert(b, loc, convert(b, loc, x, b.getI64Type()), to);
    if (from.isInteger(1))
      return arith::IndexCastUIOp::create(b, loc, to, x);
    if (to.isInteger(1))
      return arith::CmpIOp::create(b, loc, CmpIPredicate::ne, x,
                                   zeroLike(b, loc, x));
    return arith::IndexCastOp::create(b, loc, to, x);
  }
  if (to.isInteger(1)) {
    Value zero = zeroLike(b, loc, x);
    if (isa<FloatType>(from))
      return arith::CmpFOp::create(b, loc, CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(b, loc, CmpIPredicate::ne, x, zero);
  }
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  unsigned fromWidth = from.getIntOrFloatBitWidth(),
           toWidth = to.getIntOrFloatBitWidth();
  if (fromFloat && toFloat) {
    if (fromWidth == toWidth)
      return nullptr;
    return toWidth > fromWidth ? Value(arith::ExtFOp::create(b, loc, to, x))
                               : Value(arith::TruncFOp::create(b, loc, to, x));
  }
  if (fromFloat) {
    // Out of range it saturates, as elsewhere: see llvm/RuntimeCalls.cpp.
    // Narrower types stay in the tensor.
    return from.isF64() && toWidth == 64
               ? Value(arith::FPToSIOp::create(b, loc, to, x))
               : Value();
  }
  if (toFloat)
    return from.isInteger(1) ? Value(arith::UIToFPOp::create(b, loc, to, x))
                             : Value(arith::SIToFPOp::create(b, loc, to, x));
  if (toWidth < fromWidth)
    return arith::TruncIOp::create(b, loc, to, x);
  return from.isInteger(1) ? Value(arith::ExtUIOp::create(b, loc, to, x))
                           : Value(arith::ExtSIOp::create(b, loc, to, x));
}

static Value compare(OpBuilder &b, Location loc, dhlo::CompareOp op, Value x,
                     Value y) {
  using D = dhlo::ComparisonDirection;
  D direction = op.getComparisonDirection();
  if (isa<FloatType>(x.getType())) {
    auto type = op.getCompareType();
    if (type && *type == dhlo::ComparisonType::TOTALORDER)
      return nullptr;
    CmpFPredicate p = direction == D::EQ   ? CmpFPredicate::OEQ
                      : direction == D::NE ? CmpFPredicate::UNE
                      : direction == D::GE ? CmpFPredicate::OGE
                      : direction == D::GT ? CmpFPredicate::OGT
                      : direction == D::LE ? CmpFPredicate::OLE
                                           : CmpFPredicate::OLT;
    return arith::CmpFOp::create(b, loc, p, x, y);
  }
  bool bit = x.getType().isInteger(1);
  CmpIPredicate p =
      direction == D::EQ   ? CmpIPredicate::eq
      : direction == D::NE ? CmpIPredicate::ne
      : direction == D::GE ? (bit ? CmpIPredicate::uge : CmpIPredicate::sge)
      : direction == D::GT ? (bit ? CmpIPredicate::ugt : CmpIPredicate::sgt)
      : direction == D::LE ? (bit ? CmpIPredicate::ule : CmpIPredicate::sle)
                           : (bit ? CmpIPredicate::ult : CmpIPredicate::slt);
  return arith::CmpIOp::create(b, loc, p, x, y);
}

/// Binary ops with an integer and a float form.
template <typename IntOp, typename FloatOp>
static Value either(OpBuilder &b, Location loc, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return FloatOp::create(b, loc, x, y);
  return IntOp::create(b, loc, x, y);
}

static Value binary(OpBuilder &b, Operation *op, Value x, Value y) {
  Location loc = op->getLoc();
  bool isFloat = isa<FloatType>(x.getType());
  bool bit = x.getType().isInteger(1);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](dhlo::AddOp) {
        return bit ? Value(arith::OrIOp::create(b, loc, x, y))
                   : either<arith::AddIOp, arith::AddFOp>(b, loc, x, y);
      })
      .Case([&](dhlo::SubtractOp) {
        return either<arith::SubIOp, arith::SubFOp>(b, loc, x, y);
      })
      .Case([&](dhlo::MulOp) {
        return bit ? Value(arith::AndIOp::create(b, loc, x, y))
                   : either<arith::MulIOp, arith::MulFOp>(b, loc, x, y);
      })
      .Case([&](dhlo::DivOp) {
        return isFloat ? Value(arith::DivFOp::create(b, loc, x, y))
                       : divide(b, loc, x, y, /*rem=*/false);
      })
      .Case([&](dhlo::RemOp) {
        return isFloat ? Value() : divide(b, loc, x, y, /*rem=*/true);
      })
      .Case([&](dhlo::MaxOp) {
        return bit ? Value(arith::OrIOp::create(b, loc, x, y))
                   : either<arith::MaxSIOp, arith::MaximumFOp>(b, loc, x, y);
      })
      .Case([&](dhlo::MinOp) {
        return bit ? Value(arith::AndIOp::create(b, loc, x, y))
                   : either<arith::MinSIOp, arith::MinimumFOp>(b, loc, x, y);
      })
      .Case([&](dhlo::AndOp) -> Value {
        return arith::AndIOp::create(b, loc, x, y);
      })
      .Case([&](dhlo::OrOp) -> Value {
        return arith::OrIOp::create(b, loc, x, y);
      })
      .Case([&](dhlo::XorOp) -> Value {
        return arith::XOrIOp::create(b, loc, x, y);
      })
      .Case([&](dhlo::CompareOp cmp) { return compare(b, loc, cmp, x, y); })
      .Default([](Operation *) { return Value(); });
}

static Value unary(OpBuilder &b, Operation *op, Value x) {
  Location loc = op->getLoc();
  bool isFloat = isa<FloatType>(x.getType());
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](dhlo::ConvertOp) {
        return convert(b, loc, x,
                       getElementTypeOrSelf(op->getResult(0).getType()));
      })
      .Case([&](dhlo::NegOp) -> Value {
        if (isFloat)
          return arith::NegFOp::create(b, loc, x);
        return arith::SubIOp::create(b, loc, zeroLike(b, loc, x), x);
      })
      .Case([&](dhlo::NotOp) -> Value {
        return arith::XOrIOp::create(
            b, loc, x,
            arith::ConstantOp::create(
                b, loc,
                b.getIntegerAttr(x.getType(), -1)));
      })
      .Case([&](dhlo::AbsOp) -> Value {
        if (isFloat)
          return math::AbsFOp::create(b, loc, x);
        return arith::MaxSIOp::create(
            b, loc, x,
            arith::SubIOp::create(b, loc, zeroLike(b, loc, x), x));
      })
      .Case([&](dhlo::CeilOp) -> Value {
        return math::CeilOp::create(b, loc, x);
      })
      .Case([&](dhlo::FloorOp) -> Value {
        return math::FloorOp::create(b, loc, x);
      })
      .Default([](Operation *) { return Value(); });
}

Value disc::scalarElementwise(OpBuilder &b, Operation *op,
                              ArrayRef<Value> operands) {
  Location loc = op->getLoc();
  if (!isa<dhlo::DhloDialect>(op->getDialect())) {
    // Elementwise-mappable ops (arith, math) work on scalars as they are.
    OperationState state(loc, op->getName());
    state.addOperands(operands);
    state.addAttributes(op->getAttrs());
    state.addTypes(getElementTypeOrSelf(op->getResult(0).getType()));
    return b.create(state)->getResult(0);
  }
  if (auto select = dyn_cast<dhlo::SelectOp>(op))
    return arith::SelectOp::create(b, loc, operands[0], operands[1],
                                   operands[2]);
  if (isa<dhlo::ClampOp>(op) && operands[1].getType().isInteger(1))
    return arith::AndIOp::create(b, loc, arith::OrIOp::create(b, loc, operands[0], operands[1]), operands[2]);
  if (isa<dhlo::ClampOp>(op)) {
    Value low = either<arith::MaxSIOp, arith::MaximumFOp>(b, loc, operands[0],
                                                          operands[1]);
    return either<arith::MinSIOp, arith::MinimumFOp>(b, loc, low, operands[2]);
  }
  if (operands.size() == 2)
    return binary(b, op, operands[0], operands[1]);
  return operands.size() == 1 ? unary(b, op, operands[0]) : Value();
}
