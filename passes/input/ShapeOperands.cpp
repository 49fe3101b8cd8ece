// Operands of custom calls that tell the shapes of results.
#include "passes/input/ShapeOperands.h"

#include "dialects/lmhlo_disc/LmhloDisc.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/shape/Demands.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace disc;

static constexpr StringLiteral kIndicesAttr = "indices_of_shape_operands";

/// For each result, the operand that tells its shape.
static FailureOr<SmallVector<int64_t>> shapeOperands(dhlo::CustomCallOp call,
                                                     Attribute attr) {
  SmallVector<int64_t> indices;
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attr))
    llvm::append_range(indices, array.asArrayRef());
  else if (auto dense = dyn_cast<DenseIntElementsAttr>(attr))
    for (APInt index : dense.getValues<APInt>())
      indices.push_back(index.getSExtValue());
  int64_t count = call->getNumOperands();
  if (indices.size() != call->getNumResults() ||
      llvm::any_of(indices, [&](int64_t i) { return i < 0 || i >= count; }))
    return call.emitOpError("`")
           << kIndicesAttr << "` is " << attr << "; expected for each of "
           << call->getNumResults() << " results one of " << count
           << " operands";
  return indices;
}

/// Checks size `i` of a result at run time: it is the one of the type, where
/// that has one, and no negative number.
static void checkSize(dhlo::CustomCallOp call, ScalarElements &scalars,
                      RankedTensorType type, int64_t i, Value actual) {
  Location loc = call.getLoc();
  bool isKnown = !type.isDynamicDim(i);
  Value expected = scalars.constant(loc, isKnown ? type.getDimSize(i) : 0);
  Value holds = arith::CmpIOp::create(
      scalars.builder, loc,
      isKnown ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge, actual,
      expected);
  std::string message = "`custom_call` at " + shortLocation(loc) +
                        ": dimension " + std::to_string(i) +
                        " of a result is {0}, expected ";
  message += isKnown ? "{1} (its type says so)" : "at least {1}";
  lmhlo_disc::CheckOp::create(scalars.builder, loc, holds, message,
                              ValueRange{actual, expected});
}

static LogicalResult tie(dhlo::CustomCallOp call, OpResult result,
                         int64_t index, ScalarElements &scalars) {
  Location loc = call.getLoc();
  Value shape = call->getOperand(index);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  std::optional<ScalarElements::Scalars> sizes = scalars.of(shape);
  if (!type || !sizes || static_cast<int64_t>(sizes->size()) != type.getRank())
    return call.emitOpError("operand #")
           << index << " of type " << shape.getType()
           << " tells the shape of a result of type " << result.getType()
           << "; expected a tensor with an integer for each dimension";
  OpBuilder &b = scalars.builder;
  b.setInsertionPoint(call);
  SmallVector<Value> dynamic;
  for (auto [i, size] : llvm::enumerate(*sizes)) {
    Value actual = scalars.toIndex(loc, size);
    checkSize(call, scalars, type, i, actual);
    if (type.isDynamicDim(i))
      dynamic.push_back(actual);
  }
  if (dynamic.empty())
    return success();
  b.setInsertionPointAfter(call);
  auto tied = dhlo::TieShapeOp::create(b, loc, type, result, dynamic);
  result.replaceAllUsesExcept(tied, tied);
  return success();
}

LogicalResult disc::tieShapeOperands(dhlo::CustomCallOp call,
                                     ScalarElements &scalars) {
  Attribute attr = call->getAttr(kIndicesAttr);
  if (!attr)
    return success();
  FailureOr<SmallVector<int64_t>> indices = shapeOperands(call, attr);
  if (failed(indices))
    return indices;
  llvm::BitVector told(call->getNumOperands());
  for (auto [result, index] : llvm::zip(call->getResults(), *indices)) {
    told.set(index);
    if (LogicalResult tied = tie(call, result, index, scalars); failed(tied))
      return tied;
  }
  call->removeAttr(kIndicesAttr);
  if (std::optional<ArrayAttr> layouts = call.getOperandLayouts()) {
    SmallVector<Attribute> rest;
    for (auto [i, layout] : llvm::enumerate(*layouts))
      if (!told.test(i))
        rest.push_back(layout);
    call.setOperandLayoutsAttr(ArrayAttr::get(call.getContext(), rest));
  }
  call->eraseOperands(told);
  return success();
}
