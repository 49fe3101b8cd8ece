// Ops of a loop's body on vectors.
#include "passes/cpu/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace disc {

/// What a store past the caches is aligned to: the vector itself.
static constexpr int64_t kStreamAlignment = 64;

Value emitSteps(OpBuilder &b, Location loc, int64_t lanes, Type element) {
  auto type = VectorType::get({lanes}, element);
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto steps = llvm::map_to_vector(llvm::seq<int64_t>(0, lanes), [&](int64_t i) { return APInt(width, i); });
  return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, steps));
}

Value VectorBody::scalar(Value value) {
  return value == loop.getInductionVar() ? base : scalars.lookupOrDefault(value);
}

Value VectorBody::vector(Value value) {
  if (Value known = vectors.lookup(value))
    return known;
  Value result;
  Attribute number;
  if (matchPattern(value, m_Constant(&number)) && value.getType().isIntOrIndexOrFloat()) // A constant stays one.
    result = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(vectorOf(value.getType()), number));
  else
    result = vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), scalar(value));
  if (form.laneOf(value) == Lane::linear)
    result = arith::AddIOp::create(b, loc, result, emitSteps(b, loc, form.lanes, value.getType()));
  return vectors[value] = result;
}

/// x / d with one d for all lanes: a product with the rounded 1 / d, corrected by its remainder, is the rounded quotient (Markstein) as long
/// as nothing over- or underflows; quotients next to the middle between two floats were tried for every d. That holds for d in
/// [2^-60, 2^60] and x = +0 or |x| in there too; other vectors are divided.
Value VectorBody::divideByUniform(arith::DivFOp op) {
  Value divisor = op.getRhs();
  if (!divisor.getType().isF32() || op.getFastmath() != arith::FastMathFlags::none || form.laneOf(divisor) != Lane::uniform ||
      matchPattern(divisor, m_Constant()))
    return {};
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  constexpr int64_t bias = 127, least = (bias - 60) << 23, most = (bias + 60) << 23;
  auto integer = [&](int64_t value) { return arith::ConstantIntOp::create(b, loc, i32, value).getResult(); };
  auto splat = [&](Value value) { return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value).getResult(); };
  auto inRange = [&](Value bits, Value from, Value length) {
    Value above = arith::SubIOp::create(b, loc, bits, from);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, above, length).getResult();
  };
  Value d = scalar(divisor), x = vector(op.getLhs());
  Value bits = arith::BitcastOp::create(b, loc, vectorOf(i32), x);
  Value twice = arith::ShLIOp::create(b, loc, bits, splat(integer(1)));
  Value isFine = inRange(twice, splat(integer(2 * least)), splat(integer(2 * (most - least))));
  Value isZero = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bits, splat(integer(0)));
  isFine = vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, arith::OrIOp::create(b, loc, isFine, isZero));
  Value isDivisorFine = inRange(arith::BitcastOp::create(b, loc, i32, d), integer(least), integer(most - least));
  auto choice = scf::IfOp::create(b, loc, x.getType(), arith::AndIOp::create(b, loc, isFine, isDivisorFine), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(f32, 1.0));
  Value reciprocal = splat(arith::DivFOp::create(b, loc, one, d)), all = splat(d);
  Value quotient = arith::MulFOp::create(b, loc, x, reciprocal);
  Value rest = math::FmaOp::create(b, loc, arith::NegFOp::create(b, loc, quotient), all, x);
  quotient = math::FmaOp::create(b, loc, rest, reciprocal, quotient);
  scf::YieldOp::create(b, loc, quotient);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, arith::DivFOp::create(b, loc, x, all).getResult());
  return choice.getResult(0);
}

/// The vector of a varying op's results, or null for a store.
Value VectorBody::emitLane(Operation &op) {
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value value = vector(store.getValue()), memref = scalar(store.getMemref());
    SmallVector<Value> at = indices(store.getIndices());
    if (lanes.mask)
      vector::MaskedStoreOp::create(b, loc, memref, at, lanes.mask, value);
    else
      vector::StoreOp::create(b, loc, value, memref, at, lanes.streams,
                              lanes.streams ? llvm::MaybeAlign(kStreamAlignment) : llvm::MaybeAlign());
    return {};
  }
  VectorType type = vectorOf(op.getResult(0).getType());
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value memref = scalar(load.getMemref());
    SmallVector<Value> at = indices(load.getIndices());
    if (!lanes.mask)
      return vector::LoadOp::create(b, loc, type, memref, at);
    Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, loc, type, memref, at, lanes.mask, zeros);
  }
  if (auto division = dyn_cast<arith::DivFOp>(op))
    if (Value quotient = divideByUniform(division))
      return quotient;
  SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) { return vector(operand); });
  if (isa<LLVM::LoadExpOp>(op)) // its op takes one exponent
    return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr("llvm.ldexp"), operands).getResult(0);
  OperationState state(op.getLoc(), op.getName());
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(op.getAttrs());
  return b.create(state)->getResult(0);
}

void VectorBody::emit(Operation &op) {
  if (form.isAccumulation(&op))
    return;
  bool isScalar = op.getNumResults() && form.laneOf(op.getResult(0)) != Lane::varying;
  if (isScalar) {
    scalars.map(loop.getInductionVar(), base);
    b.clone(op, scalars);
  } else if (Value result = emitLane(op)) {
    vectors[op.getResult(0)] = result;
  }
}

SmallVector<Value> VectorBody::accumulate(ValueRange states) {
  SmallVector<Value> next;
  for (const Accumulator &accumulator : form.accumulators) {
    VectorAccumulator sum(b, loc, accumulator.combine, form.lanes);
    llvm::append_range(next, sum.step(states.slice(next.size(), sum.stateSize()), vector(accumulator.element), lanes.mask));
  }
  return next;
}

} // namespace disc
