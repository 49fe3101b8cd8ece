// The reciprocal of a divisor before its loop; quotients from it, each with a check of its range.
#include "passes/cpu/VectorDivision.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;

namespace disc {

/// A divisor's magnitude is in [1 / kRange, kRange].
static constexpr float kRange = 0x1p24f;
/// Twice the bits of the least quotient, 2^-76: twice, so that the sign is gone. Its dividend is at least 2^-100, and the remainder, a
/// multiple of 2^-47 of it, is exact.
static constexpr uint32_t kLeastTwice = uint32_t(127 - 76) << 24;
static constexpr uint32_t kInfinityTwice = uint32_t(255) << 24;

static bool isUniformDivision(const LoopForm &form, arith::DivFOp op) {
  scf::ForOp loop = form.loop;
  bool hasFasterForm = bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::arcp);
  return op.getType().isF32() && loop.isDefinedOutsideOfLoop(op.getRhs()) && form.laneOf(op.getLhs()) == Lane::varying && !hasFasterForm;
}

VectorDivision::VectorDivision(OpBuilder &b, const LoopForm &form) {
  scf::ForOp loop = form.loop;
  for (auto op : loop.getBody()->getOps<arith::DivFOp>())
    if (isUniformDivision(form, op)) {
      accepted.insert(op);
      if (!divisors.contains(op.getRhs()))
        prepare(b, form, op);
    }
  arrange(loop);
}

void VectorDivision::prepare(OpBuilder &b, const LoopForm &form, arith::DivFOp op) {
  Location loc = op.getLoc();
  auto number = [&](float x) -> Value { return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(x)); };
  auto bits = [&](int64_t x) -> Value { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(x)); };
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) { return arith::CmpFOp::create(b, loc, predicate, x, y); };
  auto spread = [&](Value x) -> Value { return vector::BroadcastOp::create(b, loc, VectorType::get({form.lanes}, x.getType()), x); };
  Value value = op.getRhs(), magnitude = math::AbsFOp::create(b, loc, value);
  Value isNear = arith::AndIOp::create(b, loc, compare(arith::CmpFPredicate::OGE, magnitude, number(1 / kRange)),
                                       compare(arith::CmpFPredicate::OLE, magnitude, number(kRange)));
  // Else all quotients are NaN here, so that vectors are divided.
  Value reciprocal = arith::SelectOp::create(b, loc, isNear, arith::DivFOp::create(b, loc, number(1), value), number(NAN));
  Value bias = arith::SelectOp::create(b, loc, compare(arith::CmpFPredicate::OGT, value, number(0)), bits(-1), bits(0));
  divisors[value] = {spread(value), spread(reciprocal), spread(arith::NegFOp::create(b, loc, reciprocal)), spread(bias)};
}

/// What no quotient is needed for comes first, then the divisions, then the rest. Stores are part of the rest; loads behind a store stay there.
void VectorDivision::arrange(scf::ForOp loop) {
  SmallVector<Operation *> divisions, rest;
  DenseSet<Value> late;
  auto isLate = [&](Operation &op) { return llvm::any_of(op.getOperands(), [&](Value value) { return late.contains(value); }); };
  bool hasStored = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    hasStored |= isa<memref::StoreOp>(op);
    bool waits = isLate(op) || (hasStored && !isMemoryEffectFree(&op));
    if (waits || accepts(&op))
      late.insert_range(op.getResults());
    if (waits)
      rest.push_back(&op);
    else if (accepts(&op))
      divisions.push_back(&op);
    else
      steps.push_back({&op});
  }
  if (!divisions.empty())
    steps.push_back(divisions);
  for (Operation *op : rest)
    steps.push_back({op});
}

SmallVector<Value> VectorDivision::emit(OpBuilder &b, Location loc, ArrayRef<Operands> operands) const {
  auto type = cast<VectorType>(operands.front().dividend.getType());
  Type bitsType = type.clone(b.getI32Type());
  auto number = [&](int64_t bits) -> Value {
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(cast<VectorType>(bitsType), APInt(32, bits)));
  };
  // Op by op: the chains hide each other's latency.
  using Emit = llvm::function_ref<Value(size_t, const Operands &, const Divisor &)>;
  auto each = [&](Emit emit) {
    SmallVector<Value> results;
    for (auto [i, pair] : llvm::enumerate(operands))
      results.push_back(emit(i, pair, divisors.at(pair.divisor)));
    return results;
  };
  SmallVector<Value> estimates = each([&](size_t, const Operands &pair, const Divisor &divisor) -> Value {
    return arith::MulFOp::create(b, loc, pair.dividend, divisor.reciprocal);
  });
  SmallVector<Value> excess = each([&](size_t i, const Operands &pair, const Divisor &divisor) -> Value {
    return math::FmaOp::create(b, loc, estimates[i], divisor.value, arith::NegFOp::create(b, loc, pair.dividend));
  });
  SmallVector<Value> quotients = each([&](size_t i, const Operands &, const Divisor &divisor) -> Value {
    return math::FmaOp::create(b, loc, excess[i], divisor.negatedReciprocal, estimates[i]);
  });
  // Twice the bits, without the sign: the least of what is not 0 and the largest of them tell whether one is too small, infinite or NaN.
  SmallVector<Value> twice = each([&](size_t i, const Operands &, const Divisor &) -> Value {
    Value bits = arith::BitcastOp::create(b, loc, bitsType, quotients[i]);
    return arith::AddIOp::create(b, loc, bits, bits);
  });
  SmallVector<Value> biased = each([&](size_t i, const Operands &, const Divisor &divisor) -> Value {
    return arith::AddIOp::create(b, loc, twice[i], divisor.bias);
  });
  Value least = biased.front(), largest = twice.front();
  for (auto [low, high] : llvm::drop_begin(llvm::zip_equal(biased, twice))) {
    least = arith::MinUIOp::create(b, loc, least, low);
    largest = arith::MaxUIOp::create(b, loc, largest, high);
  }
  Value isSmall = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, least, number(kLeastTwice - 1));
  Value isLarge = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, largest, number(kInfinityTwice));
  Value isUnsure =
      vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, arith::OrIOp::create(b, loc, isSmall, isLarge));
  auto choice = scf::IfOp::create(b, loc, ValueRange(quotients).getTypes(), isUnsure, /*withElseRegion=*/true);
  OpBuilder then = choice.getThenBodyBuilder();
  scf::YieldOp::create(then, loc, each([&](size_t, const Operands &pair, const Divisor &divisor) -> Value {
                         return arith::DivFOp::create(then, loc, pair.dividend, divisor.value);
                       }));
  OpBuilder otherwise = choice.getElseBodyBuilder();
  scf::YieldOp::create(otherwise, loc, quotients);
  return llvm::to_vector(ValueRange(choice.getResults()));
}

} // namespace disc
