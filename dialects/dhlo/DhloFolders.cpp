// Folders of elementwise ops: identities, and functions of constants.
#include "dialects/dhlo/ConstantFolding.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

/// `value` where it may stand for the result of `op` as it is.
static OpFoldResult sameTyped(Operation *op, Value value) {
  return value.getType() == op->getResult(0).getType() ? value : Value();
}

static Type elementType(Operation *op) {
  return elementTypeOf(op->getResult(0));
}

static bool isInt(Operation *op) { return isPredOrIntType(elementType(op)); }

/// Rounded to nearest, as the machine does; signals are not modelled.
using FloatOp = APFloat::opStatus (APFloat::*)(const APFloat &,
                                               APFloat::roundingMode);
static auto rounded(FloatOp function) {
  return [function](APFloat lhs, const APFloat &rhs) {
    (lhs.*function)(rhs, APFloat::rmNearestTiesToEven);
    return std::optional<APFloat>(lhs);
  };
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// x + 0 -> x of integers; x + -0 -> x of floats is left to later passes.
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isInt(*this) && isSplatOf(adaptor.getRhs(), 0))
    if (OpFoldResult lhs = sameTyped(*this, getLhs()))
      return lhs;
  bool isPred = isPredType(elementType(*this));
  auto ints = [&](const APInt &l, const APInt &r) {
    return std::optional<APInt>(isPred ? (l | r) : l + r);
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    rounded(&APFloat::add));
}

/// x - 0 -> x; x - x -> 0 would be wrong for floats and dynamic shapes.
OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0))
    if (OpFoldResult lhs = sameTyped(*this, getLhs()))
      return lhs;
  auto ints = [](const APInt &l, const APInt &r) {
    return std::optional<APInt>(l - r);
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    rounded(&APFloat::subtract));
}

/// x * 1 -> x; x * 0 -> 0 of integers
OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1))
    if (OpFoldResult lhs = sameTyped(*this, getLhs()))
      return lhs;
  if (isInt(*this) && isSplatOf(adaptor.getRhs(), 0))
    if (OpFoldResult rhs = sameTyped(*this, getRhs()))
      return rhs;
  auto ints = [](const APInt &l, const APInt &r) {
    return std::optional<APInt>(l * r);
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    rounded(&APFloat::multiply));
}

/// x / 1 -> x
OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1))
    if (OpFoldResult lhs = sameTyped(*this, getLhs()))
      return lhs;
  bool isUnsigned = isUnsignedElement(elementType(*this));
  auto ints = [&](const APInt &l, const APInt &r) {
    if (r.isZero())
      return std::optional<APInt>(APInt::getAllOnes(l.getBitWidth()));
    return std::optional<APInt>(isUnsigned ? l.udiv(r) : l.sdiv(r));
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    rounded(&APFloat::divide));
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  bool isUnsigned = isUnsignedElement(elementType(*this));
  auto ints = [&](const APInt &l, const APInt &r) {
    if (r.isZero())
      return std::optional<APInt>(l);
    return std::optional<APInt>(isUnsigned ? l.urem(r) : l.srem(r));
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    nullptr);
}

/// negate(negate(x)) -> x
OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    if (OpFoldResult operand = sameTyped(*this, inner.getOperand()))
      return operand;
  auto ints = [](const APInt &x, const APInt &) {
    return std::optional<APInt>(-x);
  };
  auto floats = [](const APFloat &x, const APFloat &) {
    return std::optional<APFloat>(neg(x));
  };
  return foldBinary(adaptor.getOperand(), adaptor.getOperand(), getType(), ints,
                    floats);
}

/// max(x, x) -> x
OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return sameTyped(*this, getLhs());
  bool isUnsigned = isUnsignedElement(elementType(*this));
  auto ints = [&](const APInt &l, const APInt &r) {
    return std::optional<APInt>((isUnsigned ? l.uge(r) : l.sge(r)) ? l : r);
  };
  auto floats = [](const APFloat &l, const APFloat &r) {
    return std::optional<APFloat>(maximum(l, r));
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    floats);
}

/// min(x, x) -> x
OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return sameTyped(*this, getLhs());
  bool isUnsigned = isUnsignedElement(elementType(*this));
  auto ints = [&](const APInt &l, const APInt &r) {
    return std::optional<APInt>((isUnsigned ? l.ule(r) : l.sle(r)) ? l : r);
  };
  auto floats = [](const APFloat &l, const APFloat &r) {
    return std::optional<APFloat>(minimum(l, r));
  };
  return foldBinary(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                    floats);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// x & x -> x; x & 0 -> 0; x & -1 -> x
OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isSplatOf(adaptor.getRhs(), -1))
    return sameTyped(*this, getLhs());
  if (isSplatOf(adaptor.getRhs(), 0))
    return sameTyped(*this, getRhs());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &l, const APInt &r) { return std::optional(l & r); },
      nullptr);
}

/// x | x -> x; x | 0 -> x; x | -1 -> -1
OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isSplatOf(adaptor.getRhs(), 0))
    return sameTyped(*this, getLhs());
  if (isSplatOf(adaptor.getRhs(), -1))
    return sameTyped(*this, getRhs());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &l, const APInt &r) { return std::optional(l | r); },
      nullptr);
}

/// x ^ 0 -> x
OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0))
    return sameTyped(*this, getLhs());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](const APInt &l, const APInt &r) { return std::optional(l ^ r); },
      nullptr);
}

/// not(not(x)) -> x
OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NotOp>())
    if (OpFoldResult operand = sameTyped(*this, inner.getOperand()))
      return operand;
  return foldBinary(
      adaptor.getOperand(), adaptor.getOperand(), getType(),
      [](const APInt &x, const APInt &) { return std::optional(~x); }, nullptr);
}

/// x << 0 -> x, for every shift; amounts of the width or more shift all out.
template <typename OpT, typename Shift>
static OpFoldResult foldShift(OpT op, typename OpT::FoldAdaptor adaptor,
                              Shift shift) {
  if (isSplatOf(adaptor.getRhs(), 0))
    return sameTyped(op, op.getLhs());
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), op.getType(),
      [&](const APInt &value, const APInt &by) {
        uint64_t amount = by.getLimitedValue(value.getBitWidth());
        return std::optional<APInt>(shift(value, amount));
      },
      nullptr);
}

OpFoldResult ShiftLeftOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, [](const APInt &value, uint64_t by) {
    return value.shl(static_cast<unsigned>(by));
  });
}

OpFoldResult ShiftRightLogicalOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, [](const APInt &value, uint64_t by) {
    return value.lshr(static_cast<unsigned>(by));
  });
}

OpFoldResult ShiftRightArithmeticOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, [](const APInt &value, uint64_t by) {
    return value.ashr(static_cast<unsigned>(by));
  });
}

//===----------------------------------------------------------------------===//
// Conversion, selection
//===----------------------------------------------------------------------===//

/// convert(x : T) : T -> x
OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (OpFoldResult operand = sameTyped(*this, getOperand()))
    return operand;
  return foldConvert(adaptor.getOperand(), getType());
}

/// bitcast_convert(x : T) : T -> x
OpFoldResult BitcastConvertOp::fold(FoldAdaptor) {
  return sameTyped(*this, getOperand());
}

/// real(complex(x, y)) -> x
OpFoldResult RealOp::fold(FoldAdaptor) {
  if (auto complex = getOperand().getDefiningOp<ComplexOp>())
    return sameTyped(*this, complex.getLhs());
  return {};
}

/// select(p, x, x) -> x; select(true, x, y) -> x; select(false, x, y) -> y
OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse() || isSplatOf(adaptor.getPred(), 1))
    return sameTyped(*this, getOnTrue());
  if (isSplatOf(adaptor.getPred(), 0))
    return sameTyped(*this, getOnFalse());
  return {};
}

static bool holds(ComparisonDirection direction, bool less, bool equal) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return equal;
  case ComparisonDirection::NE:
    return !equal;
  case ComparisonDirection::LT:
    return less;
  case ComparisonDirection::LE:
    return less || equal;
  case ComparisonDirection::GT:
    return !less && !equal;
  case ComparisonDirection::GE:
    return !less;
  }
  llvm_unreachable("unknown comparison direction");
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  // The total order of floats is left alone.
  if (getCompareType() == ComparisonType::TOTALORDER)
    return {};
  ComparisonDirection direction = getComparisonDirection();
  bool isUnsigned = isUnsignedElement(elementTypeOf(getLhs()));
  auto ints = [&](const APInt &l, const APInt &r) {
    return holds(direction, isUnsigned ? l.ult(r) : l.slt(r), l == r);
  };
  auto floats = [&](const APFloat &l, const APFloat &r) {
    APFloat::cmpResult order = l.compare(r);
    if (order == APFloat::cmpUnordered)
      return direction == ComparisonDirection::NE;
    return holds(direction, order == APFloat::cmpLessThan,
                 order == APFloat::cmpEqual);
  };
  return foldPredicate(adaptor.getLhs(), adaptor.getRhs(), getType(), ints,
                       floats);
}
