// Shapes and small tensors as scalars: the shape, tensor and arith dialects.
#include "passes/input/ScalarElements.h"

#include "dialects/dhlo/Dhlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace disc;
using Scalars = ScalarElements::Scalars;

std::optional<int64_t> disc::constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

Value ScalarElements::constant(Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value ScalarElements::toIndex(Location loc, Value scalar) {
  if (scalar.getType().isIndex())
    return scalar;
  if (auto number = constantOf(scalar))
    return constant(loc, *number);
  if (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn();
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    scalar);
}

Scalars ScalarElements::dims(Value tensor) {
  auto it = knownDims.find(tensor);
  if (it != knownDims.end())
    return it->second;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(tensor);
  auto type = cast<RankedTensorType>(tensor.getType());
  Scalars result;
  for (int64_t i = 0; i < type.getRank(); ++i)
    result.push_back(
        type.isDynamicDim(i)
            ? tensor::DimOp::create(builder, tensor.getLoc(), tensor, i)
                  .getResult()
            : constant(tensor.getLoc(), type.getDimSize(i)));
  return knownDims[tensor] = result;
}

Scalars ScalarElements::broadcast(Location loc, ArrayRef<Value> a,
                                  ArrayRef<Value> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  size_t lead = a.size() - b.size();
  Scalars result(a.begin(), a.begin() + lead);
  for (size_t i = 0; i < b.size(); ++i) {
    Value x = toIndex(loc, a[lead + i]), y = toIndex(loc, b[i]);
    std::optional<int64_t> cx = constantOf(x), cy = constantOf(y);
    if (x == y || (cx && *cx != 1) || cy == 1) {
      result.push_back(x);
    } else if ((cy && *cy != 1) || cx == 1) {
      result.push_back(y);
    } else {
      Value one = constant(loc, 1);
      Value isOne = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::eq, x, one);
      result.push_back(arith::SelectOp::create(builder, loc, isOne, y, x));
    }
  }
  return result;
}

std::optional<Scalars> ScalarElements::of(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  std::optional<Scalars> result = compute(value);
  if (result)
    known[value] = *result;
  return result;
}

std::optional<Scalars> ScalarElements::compute(Value value) {
  Type type = value.getType();
  Operation *op = value.getDefiningOp();
  if (op && isa_and_nonnull<shape::ShapeDialect>(op->getDialect()))
    return computeShape(op, cast<OpResult>(value).getResultNumber());
  if (type.isIntOrIndexOrFloat())
    return Scalars{value};
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType)
    return std::nullopt;
  if (!tensorType.hasStaticShape()) {
    // An extent tensor of unknown length may still come from known elements.
    if (auto cast = value.getDefiningOp<tensor::CastOp>())
      return of(cast.getSource());
    return std::nullopt;
  }
  if (tensorType.getNumElements() > kMaxScalarElements)
    return std::nullopt;
  if (op)
    if (std::optional<Scalars> result = computeTensor(op))
      return result;
  return extract(value);
}

std::optional<Scalars> ScalarElements::extract(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  if (!type.getElementType().isSignlessIntOrIndexOrFloat())
    return std::nullopt;
  Scalars result;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<Value> position(type.getRank());
    int64_t rest = i;
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      position[d] = constant(loc, rest % type.getDimSize(d));
      rest /= type.getDimSize(d);
    }
    result.push_back(
        tensor::ExtractOp::create(builder, loc, tensor, position));
  }
  return result;
}

/// The scalars of a constant; none for element types that arith lacks.
static std::optional<Scalars> constantScalars(OpBuilder &builder, Location loc,
                                              DenseElementsAttr value) {
  Scalars result;
  Type type = value.getElementType();
  if (!type.isSignlessIntOrIndexOrFloat())
    return std::nullopt;
  for (Attribute element : value.getValues<Attribute>())
    result.push_back(arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(element)));
  return result;
}

std::optional<Scalars> ScalarElements::computeTensor(Operation *op) {
  Location loc = op->getLoc();
  DenseElementsAttr constantValue;
  if (op->getNumResults() == 1 &&
      matchPattern(op->getResult(0), m_Constant(&constantValue)))
    return constantScalars(builder, loc, constantValue);
  if (auto from = dyn_cast<tensor::FromElementsOp>(op))
    return Scalars(from.getElements());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return of(cast.getSource());
  if (auto size = dyn_cast<dhlo::GetDimensionSizeOp>(op)) {
    Value dim = dims(size.getOperand())[size.getDimension()];
    auto type = cast<RankedTensorType>(size.getType()).getElementType();
    if (!type.isSignlessInteger())
      return std::nullopt;
    return Scalars{arith::IndexCastOp::create(builder, loc, type, dim)};
  }
  if (std::optional<Scalars> moved = computeMovement(op))
    return moved;
  return computeElementwise(op);
}

std::optional<Scalars> ScalarElements::computeElementwise(Operation *op) {
  bool mappable = op->hasTrait<OpTrait::dhlo::Elementwise>() ||
                  OpTrait::hasElementwiseMappableTraits(op);
  if (!mappable || op->getNumResults() != 1)
    return std::nullopt;
  int64_t count =
      cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
  // Ask before computing operands: they may read tensors.
  SmallVector<Scalars> operands;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (!element.isSignlessIntOrIndexOrFloat())
      return std::nullopt;
  }
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!element.isSignlessIntOrIndexOrFloat())
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    std::optional<Scalars> scalars = of(operand);
    if (!scalars || (scalars->size() != 1 &&
                     static_cast<int64_t>(scalars->size()) != count))
      return std::nullopt;
    operands.push_back(*scalars);
  }
  Scalars result;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<Value> args;
    for (Scalars &scalars : operands)
      args.push_back(scalars.size() == 1 ? scalars[0] : scalars[i]);
    Value scalar = scalarElementwise(builder, op, args);
    if (!scalar)
      return std::nullopt;
    result.push_back(scalar);
  }
  return result;
}

std::optional<Scalars> ScalarElements::computeShape(Operation *op,
                                                    unsigned result) {
  Location loc = op->getLoc();
  if (auto shapeOf = dyn_cast<shape::ShapeOfOp>(op)) {
    if (!isa<RankedTensorType>(shapeOf.getArg().getType()))
      return std::nullopt;
    return dims(shapeOf.getArg());
  }
  if (auto constShape = dyn_cast<shape::ConstShapeOp>(op)) {
    Scalars sizes;
    for (int64_t size : constShape.getShape().getValues<int64_t>())
      sizes.push_back(constant(loc, size));
    return sizes;
  }
  if (auto constSize = dyn_cast<shape::ConstSizeOp>(op))
    return Scalars{constant(loc, constSize.getValue().getSExtValue())};
  // The rest computes on the scalars of the operands.
  SmallVector<Scalars> args;
  for (Value operand : op->getOperands()) {
    std::optional<Scalars> scalars = of(operand);
    if (!scalars)
      return std::nullopt;
    args.push_back(*scalars);
  }
  auto indexArg = [&](unsigned i) -> std::optional<int64_t> {
    return args[i].size() == 1 ? constantOf(args[i][0]) : std::nullopt;
  };
  if (isa<shape::BroadcastOp>(op)) {
    Scalars common = args[0];
    for (const Scalars &other : llvm::drop_begin(args))
      common = broadcast(loc, common, other);
    return common;
  }
  if (isa<shape::ConcatOp>(op)) {
    Scalars all = args[0];
    all.append(args[1]);
    return all;
  }
  if (isa<shape::SplitAtOp>(op)) {
    std::optional<int64_t> at = indexArg(1);
    int64_t rank = args[0].size();
    if (at && *at < 0)
      *at += rank;
    if (!at || *at < 0 || *at > rank)
      return std::nullopt;
    return result == 0 ? Scalars(args[0].begin(), args[0].begin() + *at)
                       : Scalars(args[0].begin() + *at, args[0].end());
  }
  if (isa<shape::ToExtentTensorOp, shape::FromExtentTensorOp,
          shape::ValueAsShapeOp, shape::SizeToIndexOp, shape::IndexToSizeOp>(
          op))
    return args[0];
  if (isa<shape::FromExtentsOp>(op)) {
    Scalars all;
    for (const Scalars &arg : args)
      all.append(arg);
    return all;
  }
  if (isa<shape::GetExtentOp>(op)) {
    std::optional<int64_t> at = indexArg(1);
    if (!at || *at < 0 || *at >= static_cast<int64_t>(args[0].size()))
      return std::nullopt;
    return Scalars{args[0][*at]};
  }
  if (isa<shape::RankOp>(op))
    return Scalars{constant(loc, args[0].size())};
  if (isa<shape::NumElementsOp>(op)) {
    Value product = constant(loc, 1);
    for (Value size : args[0])
      product = arith::MulIOp::create(builder, loc, product,
                                      toIndex(loc, size));
    return Scalars{product};
  }
  if (isa<shape::AddOp, shape::MulOp, shape::DivOp, shape::MaxOp,
          shape::MinOp>(op)) {
    if (args[0].size() != 1 || args[1].size() != 1)
      return std::nullopt;
    Value a = toIndex(loc, args[0][0]), b = toIndex(loc, args[1][0]);
    if (isa<shape::AddOp>(op))
      return Scalars{arith::AddIOp::create(builder, loc, a, b)};
    if (isa<shape::MulOp>(op))
      return Scalars{arith::MulIOp::create(builder, loc, a, b)};
    if (isa<shape::DivOp>(op)) {
      // Undefined for 0, but it must not trap.
      Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, b, constant(loc, 0));
      Value divisor = arith::SelectOp::create(builder, loc, isZero, constant(loc, 1), b);
      return Scalars{arith::FloorDivSIOp::create(builder, loc, a, divisor)};
    }
    if (isa<shape::MaxOp>(op))
      return Scalars{arith::MaxSIOp::create(builder, loc, a, b)};
    return Scalars{arith::MinSIOp::create(builder, loc, a, b)};
  }
  return std::nullopt;
}
