// Which reductions of a body a column split is for, and where their kept elements lie.
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/cpu/FlatBody.h"
#include "passes/cpu/IndexMath.h"
#include "passes/cpu/ScalarOps.h"
#include "passes/cpu/Split.h"

using namespace mlir;

namespace disc {

static bool isUnit(Value dim) { return getConstantIntValue(dim) == 1; }

SmallVector<Value> withoutUnits(ArrayRef<Value> dims) {
  SmallVector<Value> result(dims);
  llvm::erase_if(result, isUnit);
  return result;
}

ColumnForm::ColumnForm(ElementEmitter &e) {
  for (Operation &op : e.site.fusion.getBody().front())
    if (isa<dhlo::ReduceOp>(op) || llvm::any_of(op.getOperands(), [&](Value v) { return dependent.contains(v); }))
      dependent.insert(op.result_begin(), op.result_end());
  DenseSet<Value> visited;
  for (Value result : e.site.fusion.getBody().front().getTerminator()->getOperands())
    if (!collect(e, result, visited))
      return;
  isValid = !reductions.empty() && haveNeutral(e, reductions) && locate(e);
}

/// The reductions that an element of `tensor` needs at its own index; false where one is reached in another way.
bool ColumnForm::collect(ElementEmitter &e, Value tensor, DenseSet<Value> &visited) {
  Operation *op = tensor.getDefiningOp();
  if (!op || !visited.insert(tensor).second)
    return true;
  if (auto reduce = dyn_cast<dhlo::ReduceOp>(op)) {
    Value result = e.site.fusion.getBody().front().getTerminator()->getOperand(0);
    if (withoutUnits(e.dims(tensor)) != withoutUnits(e.dims(result)))
      return false;
    reductions.push_back(reduce);
    return true;
  }
  bool keepsIndex = isa<dhlo::TieShapeOp, dhlo::ReshapeOp, dhlo::DynamicReshapeOp>(op) || isScalarOp(op);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || (keepsIndex ? collect(e, operand, visited) : !dependent.contains(operand));
  });
}

bool ColumnForm::locate(ElementEmitter &e) {
  dims = e.dims(reductions.front().getInputs().front());
  SmallVector<int64_t> reduced = llvm::to_vector(reductions.front().getDimensions());
  llvm::sort(reduced);
  for (dhlo::ReduceOp op : reductions) {
    SmallVector<int64_t> others = llvm::to_vector(op.getDimensions());
    llvm::sort(others);
    if (others != reduced || e.dims(op.getInputs().front()) != dims)
      return false;
  }
  if (reduced.empty())
    return false;
  first = reduced.front(), end = reduced.back() + 1;
  if (end == dims.size()) // rows
    return false;
  for (size_t d = first; d < end; ++d)
    if (!llvm::is_contained(reduced, static_cast<int64_t>(d)) && !isUnit(dims[d]))
      return false;
  FlatBody flat(e, dims, first);
  isFlat = llvm::all_of(reductions, [&](dhlo::ReduceOp op) { return flat.accepts(op.getInputs().front()); });
  return isFlat || withoutUnits(columnDims()).size() == 1;
}

Value ColumnForm::leadingPosition(OpBuilder &b, ElementEmitter &e, ValueRange kept) const {
  return IndexMath(b, e.site.loc(), e.site).linearise(kept.take_front(first), leadingDims());
}

Value ColumnForm::column(OpBuilder &b, ElementEmitter &e, ValueRange kept) const {
  return IndexMath(b, e.site.loc(), e.site).linearise(kept.take_back(dims.size() - end), columnDims());
}

} // namespace disc
