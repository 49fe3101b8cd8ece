// Pass input-expand-broadcasts: broadcast_add(x, y) -> add(broadcast x, broadcast y).
#include "Passes.h.inc"
#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/input/ScalarElements.h"

using namespace mlir;
using namespace disc;

/// The plain op of an op with implicit broadcast; empty for other ops.
static std::string plainName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("dhlo.broadcast_"))
    return "";
  std::string plain = ("dhlo." + name).str();
  return RegisteredOperationName::lookup(plain, op->getContext()) ? plain : "";
}

static Value broadcastTo(ScalarElements &scalars, Location loc, Value operand,
                         ArrayRef<Value> sizes, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> dims) {
  OpBuilder &b = scalars.builder;
  auto from = cast<RankedTensorType>(operand.getType());
  auto type = RankedTensorType::get(shape, from.getElementType());
  if (type.hasStaticShape() && from.hasStaticShape())
    return from == type ? operand
                        : dhlo::BroadcastInDimOp::create(
                              b, loc, type, operand, b.getDenseI64ArrayAttr(dims))
                              .getResult();
  auto sizesType = RankedTensorType::get({static_cast<int64_t>(sizes.size())},
                                         b.getIndexType());
  Value shapeTensor =
      tensor::FromElementsOp::create(b, loc, sizesType, sizes);
  return dhlo::DynamicBroadcastInDimOp::create(b, loc, type, operand,
                                               shapeTensor, dims);
}

/// Where the dimensions of each operand are in the result: as the op says, for those
/// of lower rank, else the last ones.
static SmallVector<int64_t> placesOf(Operation *op, Value operand) {
  auto places = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions");
  int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
  int64_t lead = cast<RankedTensorType>(op->getResult(0).getType()).getRank() - rank;
  if (places && lead > 0)
    return SmallVector<int64_t>(places.asArrayRef());
  return llvm::to_vector(llvm::seq(lead, lead + rank));
}

static void expand(ScalarElements &scalars, Operation *op, StringRef plain) {
  OpBuilder &b = scalars.builder;
  Location loc = op->getLoc();
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<ScalarElements::Scalars> operandSizes;
  for (Value operand : op->getOperands())
    operandSizes.push_back(scalars.dims(operand));
  b.setInsertionPoint(op);
  for (auto [operand, own] : llvm::zip_equal(op->getOperands(), operandSizes)) {
    ScalarElements::Scalars inResult(resultType.getRank());
    for (auto [place, size] : llvm::zip_equal(placesOf(op, operand), own))
      inResult[place] = size;
    for (Value &size : inResult)
      if (!size)
        size = scalars.constant(loc, 1);
    own = inResult;
  }
  ScalarElements::Scalars sizes = operandSizes[0];
  for (const auto &other : llvm::drop_begin(operandSizes))
    sizes = scalars.broadcast(loc, sizes, other);
  // The result type may know more than the operands.
  SmallVector<int64_t> shape(resultType.getShape());
  for (auto [known, size] : llvm::zip_equal(shape, sizes)) {
    std::optional<int64_t> number = constantOf(size);
    if (ShapedType::isDynamic(known) && number)
      known = *number;
    else if (!ShapedType::isDynamic(known) && !number)
      size = scalars.constant(loc, known);
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(broadcastTo(scalars, loc, operand, sizes, shape,
                                   placesOf(op, operand)));
  OperationState state(loc, plain);
  state.addOperands(operands);
  for (NamedAttribute attr : op->getAttrs())
    if (attr.getName() != "broadcast_dimensions")
      state.addAttribute(attr.getName(), attr.getValue());
  auto type = RankedTensorType::get(shape, resultType.getElementType());
  state.addTypes(type);
  Value result = b.create(state)->getResult(0);
  if (type != resultType)
    result = tensor::CastOp::create(b, loc, resultType, result);
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

LogicalResult disc::runInputExpandBroadcasts(func::FuncOp func) {
  ScalarElements scalars(func.getContext());
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<dhlo::ConstantLikeOp>(op) || !plainName(op).empty())
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto like = dyn_cast<dhlo::ConstantLikeOp>(op)) {
      auto type = cast<RankedTensorType>(like.getType());
      ScalarElements::Scalars sizes = scalars.dims(like.getOperand());
      scalars.builder.setInsertionPoint(op);
      auto scalarType = RankedTensorType::get({}, type.getElementType());
      Value scalar = dhlo::ConstantOp::create(
          scalars.builder, op->getLoc(),
          DenseElementsAttr::get(scalarType, Attribute(like.getValue())));
      like.replaceAllUsesWith(broadcastTo(scalars, op->getLoc(), scalar, sizes,
                                          type.getShape(), {}));
      op->erase();
      continue;
    }
    expand(scalars, op, plainName(op));
  }
  return success();
}
