// Recognises matrix products that a library call computes.
#include "passes/graph/DotForm.h"

using namespace mlir;
using namespace disc;

/// Multiply-adds below which a loop beats a library call.
static constexpr int64_t kTinyWork = 2048;

bool disc::isLibraryElement(Type element) {
  return element.isF32() || element.isF64() || element.isF16() ||
         element.isBF16();
}

bool disc::isTinyDot(dhlo::DotGeneralOp dot) {
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  auto result = cast<RankedTensorType>(dot.getType());
  int64_t depth = 1;
  for (int64_t d :
       dot.getDotDimensionNumbers().getLhsContractingDimensions()) {
    if (lhs.isDynamicDim(d))
      return false;
    depth *= lhs.getDimSize(d);
  }
  if (depth <= 2)
    return true;
  return result.hasStaticShape() &&
         result.getNumElements() * depth <= kTinyWork;
}

bool disc::isLibraryDot(dhlo::DotGeneralOp dot) {
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  auto rhs = cast<RankedTensorType>(dot.getRhs().getType());
  auto result = cast<RankedTensorType>(dot.getType());
  Type element = result.getElementType();
  if (!isLibraryElement(element) || lhs.getElementType() != element ||
      rhs.getElementType() != element || isTinyDot(dot))
    return false;
  auto numbers = dot.getDotDimensionNumbers();
  int64_t batch = lhs.getRank() - 2;
  auto isLeading = [&](ArrayRef<int64_t> dims) {
    return static_cast<int64_t>(dims.size()) == batch &&
           (batch == 0 || dims.front() == 0);
  };
  return (batch == 0 || batch == 1) && rhs.getRank() == lhs.getRank() &&
         isLeading(numbers.getLhsBatchingDimensions()) &&
         isLeading(numbers.getRhsBatchingDimensions()) &&
         numbers.getLhsContractingDimensions().size() == 1 &&
         numbers.getRhsContractingDimensions().size() == 1;
}
