// Ops that read at indices which are data: gather, dynamic_gather, torch_index_select. Indices outside are clamped.
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/IndexMath.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace disc {
namespace {

using Request = const ElementRequest &;

Value emitGather(Request r, Value operand, Value startIndices, dhlo::GatherDimensionNumbersAttr numbers,
                 llvm::function_ref<Value(int64_t)> sliceSize) {
  IndexMath math(r.b, r.loc, r.e.site);
  SmallVector<Value> batch, offsets;
  for (auto [d, i] : llvm::enumerate(r.index))
    (llvm::is_contained(numbers.getOffsetDims(), static_cast<int64_t>(d)) ? offsets : batch).push_back(i);

  int64_t indicesRank = cast<RankedTensorType>(startIndices.getType()).getRank();
  int64_t vectorDim = numbers.getIndexVectorDim();
  auto start = [&](int64_t k) {
    SmallVector<Value> at = batch;
    if (vectorDim < indicesRank)
      at.insert(at.begin() + vectorDim, math.constant(k));
    return r.e.emitIndex(r.b, r.loc, startIndices, at);
  };

  SmallVector<Value> index;
  int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
  size_t nextOffset = 0;
  for (int64_t d = 0; d < rank; ++d) {
    auto batching = llvm::find(numbers.getOperandBatchingDims(), d);
    if (batching != numbers.getOperandBatchingDims().end()) {
      int64_t place = numbers.getStartIndicesBatchingDims()[batching - numbers.getOperandBatchingDims().begin()];
      index.push_back(batch[place < vectorDim ? place : place - 1]);
      continue;
    }
    Value position = math.constant(0);
    auto mapped = llvm::find(numbers.getStartIndexMap(), d);
    if (mapped != numbers.getStartIndexMap().end()) {
      bool isDropped = llvm::is_contained(numbers.getCollapsedSliceDims(), d);
      Value room = math.sub(r.e.dim(operand, d), isDropped ? math.constant(1) : sliceSize(d));
      position = math.clamp(start(mapped - numbers.getStartIndexMap().begin()), math.constant(0), room);
    }
    if (!llvm::is_contained(numbers.getCollapsedSliceDims(), d))
      position = math.add(position, offsets[nextOffset++]);
    index.push_back(position);
  }
  return r.e.emit(r.b, r.loc, operand, index);
}

Value emitIndexSelect(Request r, dhlo::TorchIndexSelectOp op) {
  IndexMath math(r.b, r.loc, r.e.site);
  int64_t d = op.getDim(), batchDims = op.getBatchDims();
  int64_t selected = cast<RankedTensorType>(op.getIndex().getType()).getRank() - batchDims;
  // The result is operand[:d], index[batch_dims:], operand[d + 1:].
  SmallVector<Value> at = llvm::to_vector(r.index.take_front(batchDims));
  llvm::append_range(at, r.index.slice(d, selected));
  SmallVector<Value> index = llvm::to_vector(r.index.take_front(d));
  Value last = math.sub(r.e.dim(op.getOperand(), d), math.constant(1));
  index.push_back(math.clamp(r.e.emitIndex(r.b, r.loc, op.getIndex(), at), math.constant(0), last));
  llvm::append_range(index, r.index.drop_front(d + selected));
  return r.e.emit(r.b, r.loc, op.getOperand(), index);
}

} // namespace

Value emitGatherOp(const ElementRequest &r) {
  return llvm::TypeSwitch<Operation *, Value>(r.result.getOwner())
      .Case([&](dhlo::GatherOp op) {
        return emitGather(r, op.getOperand(), op.getStartIndices(), op.getDimensionNumbers(),
                          [&](int64_t d) { return r.e.constant(op.getSliceSizes()[d]); });
      })
      .Case([&](dhlo::DynamicGatherOp op) {
        return emitGather(r, op.getOperand(), op.getStartIndices(), op.getDimensionNumbers(),
                          [&](int64_t d) { return r.e.emitIndex(r.b, r.loc, op.getSliceSizes(), r.e.constant(d)); });
      })
      .Case([&](dhlo::TorchIndexSelectOp op) { return emitIndexSelect(r, op); })
      .Default([](Operation *) { return Value(); });
}

} // namespace disc
