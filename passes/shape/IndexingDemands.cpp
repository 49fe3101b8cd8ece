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

void Demands::Collector::scatter(dhlo::ScatterOp scatter) {
  auto numbers = scatter.getScatterDimensionNumbers();
  int inputs = scatter.getInputs().size(), indices = inputs;
  int update = inputs + 1;
  equalShapes(0, inputs - 1);
  equalShapes(update, update + inputs - 1);
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
