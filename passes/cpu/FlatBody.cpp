// The walk from a value to the inputs that its elements are made of.
#include "passes/cpu/FlatBody.h"

#include "dialects/dhlo/Broadcasts.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "passes/cpu/ScalarOps.h"

using namespace mlir;

namespace disc {

/// The operand's element is that of a row, whatever it is made of.
bool FlatBody::acceptsBroadcast(Operation *op) {
  Value operand = op->getOperand(0);
  if (isOneElement(operand))
    return true;
  std::optional<ArrayRef<int64_t>> map = broadcastDimensionsOf(op);
  if (!map)
    return false;
  for (auto [from, to] : llvm::enumerate(*map))
    if (to >= static_cast<int64_t>(lead) && getConstantIntValue(e.dim(operand, from)) != 1)
      return false;
  return true;
}

bool FlatBody::accepts(Value tensor) {
  if (accepted.contains(tensor) || isOneElement(tensor))
    return true;
  bool ok = false;
  Operation *op = tensor.getDefiningOp();
  DenseElementsAttr value;
  if (!op)
    ok = llvm::equal(e.dims(tensor), full);
  else if (isa<dhlo::TieShapeOp, tensor::CastOp>(op))
    ok = accepts(op->getOperand(0));
  else if (isa<dhlo::BroadcastInDimOp, dhlo::DynamicBroadcastInDimOp, dhlo::BroadcastOp>(op))
    ok = acceptsBroadcast(op);
  else if (matchPattern(op, m_Constant(&value)))
    ok = value.isSplat();
  else
    ok = isScalarOp(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return cast<RankedTensorType>(operand.getType()).getRank() == 0 || accepts(operand);
         });
  if (ok)
    accepted.insert(tensor);
  return ok;
}

} // namespace disc
