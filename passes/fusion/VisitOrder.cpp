// The order in which a fusion of kind "loop" visits its elements.
#include "passes/fusion/VisitOrder.h"

using namespace mlir;

dhlo::TransposeOp disc::getResultTranspose(Block &body) {
  OperandRange results = body.getTerminator()->getOperands();
  if (results.size() != 1)
    return {};
  Value value = results.front();
  while (auto tie = value.getDefiningOp<dhlo::TieShapeOp>())
    value = tie.getValue();
  auto transpose = value.getDefiningOp<dhlo::TransposeOp>();
  if (!transpose)
    return {};
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  int64_t last = static_cast<int64_t>(permutation.size()) - 1;
  return last >= 0 && permutation[last] == last ? transpose : dhlo::TransposeOp();
}
