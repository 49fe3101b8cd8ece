// Ops of a loop's body on vectors.
#include "passes/cpu/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace disc {

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

constexpr int64_t kCacheLine = 64;
/// Far enough for memory, near enough for the first cache to keep it: 2 to 8 KiB are as good.
constexpr int64_t kBytesAhead = 4096;

/// Whether `memref` is scratch of the kernel: there is room for whole vectors, and a whole one is ready for the load that follows its store.
static bool isScratch(Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  auto kernel = argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()) : FunctionOpInterface();
  return kernel && kernel.getArgAttr(argument.getArgNumber(), "disc.scratch");
}

/// What a store past the caches is aligned to: the vector itself.
static llvm::MaybeAlign wholeVector(Value value) {
  auto type = cast<VectorType>(value.getType());
  return llvm::Align(type.getNumElements() * type.getElementTypeBitWidth() / 8);
}

/// Asks for the element at `at`, and for a cache line with it, so many bytes ahead.
void VectorBody::fetchAhead(memref::LoadOp load, Value memref, SmallVector<Value> at) {
  int64_t bytes = load.getMemRefType().getElementTypeBitWidth() / 8;
  auto stores = loop.getBody()->getOps<memref::StoreOp>();
  if (bytes * form.lanes != kCacheLine || load.getIndices() != (*stores.begin()).getIndices())
    return;
  Value distance = arith::ConstantIndexOp::create(b, loc, kBytesAhead / bytes);
  at.back() = b.createOrFold<arith::AddIOp>(loc, at.back(), distance); // past the end of a row is the next one
  memref::PrefetchOp::create(b, loc, memref, at, /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

/// The vector of a varying op's results, or null for an op without.
Value VectorBody::emitLane(Operation &op) {
  if (auto prefetch = dyn_cast<memref::PrefetchOp>(op)) { // A vector is a cache line.
    if (lanes.requests || !prefetch.getIsWrite())
      memref::PrefetchOp::create(b, loc, scalar(prefetch.getMemref()), indices(prefetch.getIndices()), prefetch.getIsWrite(),
                                 prefetch.getLocalityHint(), prefetch.getIsDataCache());
    return {};
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value value = vector(store.getValue()), memref = scalar(store.getMemref());
    SmallVector<Value> at = indices(store.getIndices());
    if (lanes.mask && !isScratch(store.getMemref()))
      vector::MaskedStoreOp::create(b, loc, memref, at, lanes.mask, value);
    else
      vector::StoreOp::create(b, loc, value, memref, at, lanes.streams, lanes.streams ? wholeVector(value) : llvm::MaybeAlign());
    return {};
  }
  VectorType type = vectorOf(op.getResult(0).getType());
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value memref = scalar(load.getMemref());
    SmallVector<Value> at = indices(load.getIndices());
    if (lanes.fetches)
      fetchAhead(load, memref, at);
    if (!lanes.mask || isScratch(load.getMemref()))
      return vector::LoadOp::create(b, loc, type, memref, at);
    Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, loc, type, memref, at, lanes.mask, zeros);
  }
  SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) { return vector(operand); });
  if (isa<LLVM::LoadExpOp>(op)) // its op takes one exponent
    return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr("llvm.ldexp"), operands).getResult(0);
  OperationState state(op.getLoc(), op.getName());
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(op.getAttrs());
  return b.create(state)->getResult(0);
}

void VectorBody::emit(ArrayRef<Operation *> step, MutableArrayRef<VectorBody> bodies) {
  if (bodies.empty())
    return;
  const VectorDivision &division = bodies.front().division;
  if (!division.accepts(step.front())) {
    for (VectorBody &body : bodies)
      body.emit(*step.front());
    return;
  }
  SmallVector<VectorDivision::Operands> operands;
  for (Operation *op : step)
    for (VectorBody &body : bodies)
      operands.push_back({body.vector(op->getOperand(0)), op->getOperand(1)});
  SmallVector<Value> quotients = division.emit(bodies.front().b, step.front()->getLoc(), operands);
  auto next = quotients.begin();
  for (Operation *op : step)
    for (VectorBody &body : bodies)
      body.vectors[op->getResult(0)] = *next++;
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
