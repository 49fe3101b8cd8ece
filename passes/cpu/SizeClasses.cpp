// Union-find over the dimensions of a body.
#include "passes/cpu/SizeClasses.h"

#include "dialects/dhlo/Dhlo.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

static int64_t rankOf(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getRank(); }

SizeClasses::SizeClasses(Block &body) {
  for (Operation &op : body) {
    bool sameSizes = isScalarOp(&op) || isa<dhlo::TieShapeOp>(op);
    for (Value result : op.getResults())
      if (sameSizes && isa<RankedTensorType>(result.getType()))
        for (Value operand : op.getOperands())
          if (isa<RankedTensorType>(operand.getType()))
            join(operand, result);
    // All inputs of a reduction have one shape.
    if (auto reduce = dyn_cast<dhlo::ReduceOp>(op))
      for (Value input : reduce.getInputs())
        join(reduce.getInputs().front(), input);
  }
}

unsigned SizeClasses::number(Value tensor) {
  auto [known, isNew] = firstDim.try_emplace(tensor, dims.size());
  for (int64_t i = 0; isNew && i < rankOf(tensor); ++i) {
    parents.push_back(dims.size());
    dims.push_back({tensor, i});
  }
  return known->second;
}

unsigned SizeClasses::leader(unsigned i) const {
  while (parents[i] != i)
    i = parents[i];
  return i;
}

void SizeClasses::join(Value a, Value b) {
  if (rankOf(a) != rankOf(b))
    return;
  unsigned left = number(a), right = number(b);
  for (int64_t i = 0; i < rankOf(a); ++i) {
    auto [low, high] = std::minmax(leader(left + i), leader(right + i));
    parents[high] = low;
  }
}

SmallVector<BodyDim> SizeClasses::equalTo(BodyDim dim) const {
  auto known = firstDim.find(dim.tensor);
  if (known == firstDim.end())
    return {dim};
  SmallVector<BodyDim> result;
  unsigned wanted = leader(known->second + dim.index);
  for (unsigned i = wanted; i < dims.size(); ++i)
    if (leader(i) == wanted)
      result.push_back(dims[i]);
  return result;
}

} // namespace disc
