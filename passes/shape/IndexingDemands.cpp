// What gather and scatter demand of sizes.
#include "passes/shape/DemandCollector.h"

using namespace mlir;
using namespace disc;

using Role = SizePlace::Role;

/// 1, or 0 where a gather has no indices and so reads nothing.
Size Demands::Collector::readSlices(dhlo::GatherDimensionNumbersAttr numbers) {
  Size count = number(1);
  for (int64_t i = 0, rank = rankOf(op->getOperand(1)); i < rank; ++i)
    if (i != numbers.getIndexVectorDim())
      count = analysis.sizes().mul(count, dim(1, i));
  return analysis.sizes().min(number(1), count);
}

/// Positions have a coordinate for each mapped dimension; batching dimensions are as
/// large on both sides.
void Demands::Collector::positions(int indices, int64_t vectorDim,
                                   ArrayRef<int64_t> mapped,
                                   ArrayRef<int64_t> batching,
                                   ArrayRef<int64_t> indicesBatching) {
  if (vectorDim < rankOf(op->getOperand(indices)))
    add(Demand::Equal, dim(indices, vectorDim),
        {Role::Dim, indices, int(vectorDim)}, number(mapped.size()));
  for (auto [i, j] : llvm::zip(batching, indicesBatching))
    equalDims(0, i, indices, j);
}

/// Slices fit the operand where any are read. One of a dimension that is dropped has
/// one position.
void Demands::Collector::gather(dhlo::GatherDimensionNumbersAttr numbers,
                                llvm::function_ref<Size(int64_t)> sliceSize) {
  positions(1, numbers.getIndexVectorDim(), numbers.getStartIndexMap(),
            numbers.getOperandBatchingDims(),
            numbers.getStartIndicesBatchingDims());
  Size read = readSlices(numbers);
  for (int i = 0, rank = rankOf(op->getOperand(0)); i < rank; ++i) {
    Size size = sliceSize(i);
    if (!size)
      continue;
    atLeast(size, {Role::SliceSize, 0, i}, 0);
    bool isDropped = llvm::is_contained(numbers.getCollapsedSliceDims(), i) ||
                     llvm::is_contained(numbers.getOperandBatchingDims(), i);
    if (isDropped) {
      add(Demand::AtMost, size, {Role::SliceSize, 0, i}, number(1));
      add(Demand::AtLeast, dim(0, i), {Role::Dim, 0, i}, read);
    } else {
      add(Demand::AtLeast, dim(0, i), {Role::Dim, 0, i},
          analysis.sizes().mul(size, read), {Role::SliceSize, 0, i});
    }
  }
}

void Demands::Collector::indexSelect(dhlo::TorchIndexSelectOp select) {
  for (int64_t i = 0; i < int64_t(select.getBatchDims()); ++i)
    equalDims(0, i, 1, i);
  int along = select.getDim();
  Size count = analysis.elementCount(select.getIndex());
  add(Demand::AtLeast, dim(0, along), {Role::Dim, 0, along},
      analysis.sizes().min(number(1), count));
}

void Demands::Collector::scatter(dhlo::ScatterOp scatter) {
  auto numbers = scatter.getScatterDimensionNumbers();
  int inputs = scatter.getInputs().size(), indices = inputs;
  int update = inputs + 1;
  equalShapes(0, inputs - 1);
  equalShapes(update, update + inputs - 1);
  positions(indices, numbers.getIndexVectorDim(),
            numbers.getScatterDimsToOperandDims(),
            numbers.getInputBatchingDims(),
            numbers.getScatterIndicesBatchingDims());
  SmallVector<int64_t> batch, window;
  for (int64_t i = 0, rank = rankOf(scatter.getScatterIndices()); i < rank; ++i)
    if (i != numbers.getIndexVectorDim())
      batch.push_back(i);
  for (int64_t i = 0, rank = rankOf(op->getOperand(0)); i < rank; ++i)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), i) &&
        !llvm::is_contained(numbers.getInputBatchingDims(), i))
      window.push_back(i);
  size_t nextBatch = 0, nextWindow = 0;
  for (int64_t i = 0, rank = rankOf(op->getOperand(update)); i < rank; ++i) {
    if (!llvm::is_contained(numbers.getUpdateWindowDims(), i)) {
      equalDims(indices, batch[nextBatch++], update, i);
      continue;
    }
    int64_t of = window[nextWindow++];
    add(Demand::AtMost, dim(update, i), {Role::Dim, update, int(i)}, dim(0, of),
        {Role::Dim, 0, int(of)});
  }
}
