// Ops whose element is an element of one operand at another index: broadcasts, reshapes, permutations and slices.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

/// An element of a tensor. A null tensor: the op is of another family.
struct Place {
  Value tensor;
  SmallVector<Value> index;
};

using Request = const ElementRequest &;

Place asItIs(Request r) { return {r.result.getOwner()->getOperand(0), llvm::to_vector(r.index)}; }

/// The index into a dimension of the operand that a broadcast maps to a dimension of the result. Where the sizes are not known to be equal
/// the operand's one is asked at run time.
Value broadcastIndex(Request r, Value operand, int64_t from, int64_t to) {
  ElementEmitter &e = r.e;
  Value size = e.dim(operand, from);
  if (size == e.dim(r.result, to))
    return r.index[to];
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return *known == 1 ? e.constant(0) : r.index[to];
  Value one = IndexMath(e.site.prologue(), r.loc, e.site).equal(size, e.constant(1));
  return IndexMath(r.b, r.loc, e.site).select(one, e.constant(0), r.index[to]);
}

Place mapBroadcast(Request r, dhlo::BroadcastInDimOp op) {
  Place place{op.getOperand(), {}};
  for (auto [from, to] : llvm::enumerate(op.getBroadcastDimensions()))
    place.index.push_back(broadcastIndex(r, op.getOperand(), from, to));
  return place;
}

Place mapDynamicBroadcast(Request r, dhlo::DynamicBroadcastInDimOp op) {
  auto isKnown = [](std::optional<ArrayRef<int64_t>> dims, int64_t d) { return dims && llvm::is_contained(*dims, d); };
  Place place{op.getOperand(), {}};
  for (auto [from, to] : llvm::enumerate(op.getBroadcastDimensions())) {
    if (isKnown(op.getKnownNonexpandingDimensions(), from))
      place.index.push_back(r.index[to]);
    else if (isKnown(op.getKnownExpandingDimensions(), from))
      place.index.push_back(r.e.constant(0));
    else
      place.index.push_back(broadcastIndex(r, op.getOperand(), from, to));
  }
  return place;
}

Place mapLeadingBroadcast(Request r, dhlo::BroadcastOp op) {
  return {op.getOperand(), llvm::to_vector(r.index.drop_front(op.getBroadcastSizes().size()))};
}

Place mapReshape(Request r, Value operand) {
  IndexMath math(r.b, r.loc, r.e.site);
  return {operand, math.reshape(r.index, r.e.dims(r.result), r.e.dims(operand))};
}

Place mapTranspose(Request r, dhlo::TransposeOp op) {
  Place place{op.getOperand(), SmallVector<Value>(r.index.size())};
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    place.index[from] = r.index[to];
  return place;
}

Place mapReverse(Request r, dhlo::ReverseOp op) {
  IndexMath math(r.b, r.loc, r.e.site);
  Place place = asItIs(r);
  for (int64_t d : op.getDimensions()) {
    Value last = IndexMath(r.e.site.prologue(), r.loc, r.e.site).sub(r.e.dim(op.getOperand(), d), r.e.constant(1));
    place.index[d] = math.sub(last, r.index[d]);
  }
  return place;
}

Place mapSlice(Request r, dhlo::SliceOp op) {
  IndexMath math(r.b, r.loc, r.e.site);
  Place place{op.getOperand(), {}};
  for (auto [i, start, stride] : llvm::zip_equal(r.index, op.getStartIndices(), op.getStrides()))
    place.index.push_back(math.add(math.mul(i, math.constant(stride)), math.constant(start)));
  return place;
}

Place mapRealDynamicSlice(Request r, dhlo::RealDynamicSliceOp op) {
  IndexMath math(r.b, r.loc, r.e.site);
  Place place{op.getOperand(), {}};
  for (auto [d, i] : llvm::enumerate(r.index)) {
    Value at = r.e.constant(d);
    Value start = r.e.emitIndex(r.b, r.loc, op.getStartIndices(), at);
    Value stride = r.e.emitIndex(r.b, r.loc, op.getStrides(), at);
    place.index.push_back(math.add(math.mul(i, stride), start));
  }
  return place;
}

Place mapDynamicSlice(Request r, dhlo::DynamicSliceOp op) {
  IndexMath math(r.b, r.loc, r.e.site);
  Place place{op.getOperand(), {}};
  for (auto [d, i] : llvm::enumerate(r.index)) {
    Value room = math.sub(r.e.dim(op.getOperand(), d), math.constant(op.getSliceSizes()[d]));
    Value start = r.e.emitIndex(r.b, r.loc, op.getStartIndices()[d], {});
    place.index.push_back(math.add(math.clamp(start, math.constant(0), room), i));
  }
  return place;
}

Place mapIndex(Request r) {
  return llvm::TypeSwitch<Operation *, Place>(r.result.getOwner())
      .Case<dhlo::TieShapeOp, tensor::CastOp, dhlo::SetDimensionSizeOp>([&](auto) { return asItIs(r); })
      .Case([&](dhlo::BroadcastInDimOp op) { return mapBroadcast(r, op); })
      .Case([&](dhlo::DynamicBroadcastInDimOp op) { return mapDynamicBroadcast(r, op); })
      .Case([&](dhlo::BroadcastOp op) { return mapLeadingBroadcast(r, op); })
      .Case<dhlo::ReshapeOp, dhlo::DynamicReshapeOp>([&](auto op) { return mapReshape(r, op.getOperand()); })
      .Case([&](dhlo::TransposeOp op) { return mapTranspose(r, op); })
      .Case([&](dhlo::ReverseOp op) { return mapReverse(r, op); })
      .Case([&](dhlo::SliceOp op) { return mapSlice(r, op); })
      .Case([&](dhlo::RealDynamicSliceOp op) { return mapRealDynamicSlice(r, op); })
      .Case([&](dhlo::DynamicSliceOp op) { return mapDynamicSlice(r, op); })
      .Default([](Operation *) { return Place(); });
}

} // namespace

Value emitIndexMapOp(const ElementRequest &request) {
  Place place = mapIndex(request);
  return place.tensor ? request.e.emit(request.b, request.loc, place.tensor, place.index) : Value();
}

} // namespace disc
