// Spellings that rewrites of the input share.
#include "passes/input/TensorBuilders.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value disc::scalarConstant(OpBuilder &b, Location loc, Type element,
                           Attribute value) {
  auto type = RankedTensorType::get({}, element);
  return dhlo::ConstantOp::create(b, loc, DenseElementsAttr::get(type, value));
}

Attribute disc::zeroOf(OpBuilder &b, Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex)
    return b.getZeroAttr(element);
  Attribute part = b.getZeroAttr(complex.getElementType());
  return b.getArrayAttr({part, part});
}

Value disc::listOf(OpBuilder &b, Location loc, ArrayRef<Value> scalars) {
  auto type = RankedTensorType::get({static_cast<int64_t>(scalars.size())},
                                    b.getIndexType());
  return tensor::FromElementsOp::create(b, loc, type, scalars);
}

Value disc::broadcastTo(OpBuilder &b, Location loc, Value value,
                        RankedTensorType type, Value sizes,
                        ArrayRef<int64_t> dims) {
  if (type.hasStaticShape())
    return dhlo::BroadcastInDimOp::create(b, loc, type, value, dims);
  return dhlo::DynamicBroadcastInDimOp::create(b, loc, Type(type), value, sizes,
                                               dims);
}

Value disc::reduceFromZero(OpBuilder &b, Location loc, Value value,
                           ArrayRef<int64_t> dims,
                           llvm::function_ref<Value(Value, Value)> combine) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(i)))
      shape.push_back(size);
  Value zero = scalarConstant(b, loc, element, zeroOf(b, element));
  auto reduce = dhlo::ReduceOp::create(
      b, loc, TypeRange{type.clone(shape)}, ValueRange{value}, ValueRange{zero},
      b.getDenseI64ArrayAttr(dims));
  auto scalar = RankedTensorType::get({}, element);
  OpBuilder::InsertionGuard guard(b);
  Block *body =
      b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
  dhlo::ReturnOp::create(b, loc,
                         combine(body->getArgument(0), body->getArgument(1)));
  return reduce.getResult(0);
}
