// The reciprocal of a divisor before its loop; quotients from it, each with a check of its range.
#include "passes/cpu/VectorDivision.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;

namespace disc {

/// A divisor's magnitude is in [1 / kRange, kRange].
static constexpr float kRange = 0x1p24f;
/// A quotient's magnitude is at least this. Then the dividend's is at least 2^-100, and its remainder, a multiple of 2^-47 of it, is exact.
static constexpr float kLeastQuotient = 0x1p-76f;
static constexpr int64_t kNanBits = 0x7fc00000;

/// Whether the target has a faster form of it.
static bool isMarked(arith::DivFOp op) { return bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::arcp); }

static bool isUniformDivision(const LoopForm &form, arith::DivFOp op) {
  scf::ForOp loop = form.loop;
  return op.getType().isF32() && loop.isDefinedOutsideOfLoop(op.getRhs()) && form.laneOf(op.getLhs()) == Lane::varying && !isMarked(op);
}

VectorDivision::VectorDivision(OpBuilder &b, const LoopForm &form) {
  scf::ForOp loop = form.loop;
  for (auto op : loop.getBody()->getOps<arith::DivFOp>()) {
    Value value = op.getRhs();
    if (!isUniformDivision(form, op) || divisors.contains(value))
      continue;
    Location loc = op.getLoc();
    auto number = [&](float x) -> Value { return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(x)); };
    auto bits = [&](int64_t x) -> Value { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(x)); };
    auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) { return arith::CmpFOp::create(b, loc, predicate, x, y); };
    auto spread = [&](Value x) -> Value {
      return vector::BroadcastOp::create(b, loc, VectorType::get({form.lanes}, x.getType()), x);
    };
    Value magnitude = math::AbsFOp::create(b, loc, value);
    Value isNear = arith::AndIOp::create(b, loc, compare(arith::CmpFPredicate::OGE, magnitude, number(1 / kRange)),
                                         compare(arith::CmpFPredicate::OLE, magnitude, number(kRange)));
    // Else all quotients are NaN here, so that vectors are divided.
    Value reciprocal = arith::SelectOp::create(b, loc, isNear, arith::DivFOp::create(b, loc, number(1), value), number(NAN));
    Value exempt = arith::SelectOp::create(b, loc, isNear, bits(0), bits(kNanBits));
    divisors[value] = {spread(value), spread(arith::NegFOp::create(b, loc, value)), spread(reciprocal), spread(exempt)};
  }
}

Value VectorDivision::emit(OpBuilder &b, arith::DivFOp op, Value dividends) const {
  auto known = divisors.find(op.getRhs());
  if (known == divisors.end() || isMarked(op))
    return {};
  const Divisor &divisor = known->second;
  Location loc = op.getLoc();
  auto type = cast<VectorType>(dividends.getType());
  Value estimate = arith::MulFOp::create(b, loc, dividends, divisor.reciprocal);
  Value remainder = math::FmaOp::create(b, loc, estimate, divisor.negated, dividends);
  Value quotient = math::FmaOp::create(b, loc, remainder, divisor.reciprocal, estimate);
  Value least = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, kLeastQuotient));
  Value isSmall = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ULT, math::AbsFOp::create(b, loc, quotient), least);
  Value bits = arith::BitcastOp::create(b, loc, VectorType::get(type.getShape(), b.getI32Type()), dividends);
  Value isOther = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bits, divisor.exempt);
  Value isUnsure =
      vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, arith::AndIOp::create(b, loc, isSmall, isOther));
  auto choice = scf::IfOp::create(b, loc, TypeRange(type), isUnsure, /*withElseRegion=*/true);
  OpBuilder then = choice.getThenBodyBuilder();
  scf::YieldOp::create(then, loc, arith::DivFOp::create(then, loc, dividends, divisor.value).getResult());
  OpBuilder otherwise = choice.getElseBodyBuilder();
  scf::YieldOp::create(otherwise, loc, quotient);
  return choice.getResult(0);
}

} // namespace disc
