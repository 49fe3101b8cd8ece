// Element type predicates, and inference and reification of elementwise ops.
#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

bool mlir::dhlo::isPredType(Type type) { return type.isSignlessInteger(1); }

static bool hasElementWidth(Type type) {
  return llvm::is_contained({2, 4, 8, 16, 32, 64},
                            static_cast<int>(type.getIntOrFloatBitWidth()));
}

bool mlir::dhlo::isSIntType(Type type) {
  return type.isIndex() || (type.isSignlessInteger() && hasElementWidth(type));
}

bool mlir::dhlo::isIntType(Type type) {
  return isSIntType(type) || (type.isUnsignedInteger() && hasElementWidth(type));
}

bool mlir::dhlo::isPredOrIntType(Type type) {
  return isPredType(type) || isIntType(type);
}

bool mlir::dhlo::isFloatType(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 64;
}

bool mlir::dhlo::isComplexType(Type type) {
  auto complex = dyn_cast<ComplexType>(type);
  return complex && isa<Float32Type, Float64Type>(complex.getElementType());
}

bool mlir::dhlo::isQuantizedType(Type type) {
  return isa<quant::QuantizedType>(type);
}

bool mlir::dhlo::isElementType(Type type) {
  return isPredOrIntType(type) || isFloatType(type) || isComplexType(type) ||
         isQuantizedType(type);
}

bool mlir::dhlo::sameElementTypeUpToQuantization(Type lhs, Type rhs) {
  auto expressed = [](Type type) {
    auto quantized = dyn_cast<quant::QuantizedType>(type);
    return quantized ? quantized.getExpressedType() : type;
  };
  return expressed(lhs) == expressed(rhs);
}

LogicalResult OpTrait::dhlo::impl::verifySameElementType(Operation *op) {
  Type first = getElementTypeOrSelf(op->getOperand(0).getType());
  auto check = [&](Type type, StringRef kind,
                   unsigned number) -> LogicalResult {
    if (sameElementTypeUpToQuantization(first, getElementTypeOrSelf(type)))
      return success();
    return op->emitOpError() << kind << " #" << number << " of type " << type
                             << " must have the element type of operand #0 of "
                                "type "
                             << op->getOperand(0).getType();
  };
  for (OpOperand &operand : op->getOpOperands())
    if (failed(check(operand.get().getType(), "operand",
                     operand.getOperandNumber())))
      return failure();
  for (OpResult result : op->getResults())
    if (failed(check(result.getType(), "result", result.getResultNumber())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Whether an operand takes part in the shape, or is a scalar that goes with
/// every shape.
static bool mayBeScalar(ElementRule rule, unsigned operand) {
  return (rule == ElementRule::Select && operand == 0) ||
         (rule == ElementRule::Clamp && operand != 1);
}

/// The operand whose element type and encoding the result takes.
static unsigned leadingOperand(ElementRule rule) {
  return rule == ElementRule::Select || rule == ElementRule::Clamp ? 1 : 0;
}

static Type resultElementType(ElementRule rule, Type element) {
  switch (rule) {
  case ElementRule::Pred:
    return IntegerType::get(element.getContext(), 1);
  case ElementRule::RealOfComplex:
    if (auto complex = dyn_cast<ComplexType>(element))
      return complex.getElementType();
    return element;
  case ElementRule::ComplexOfReal:
    return ComplexType::get(element);
  default:
    return element;
  }
}

/// Merges the shape of operand `number` into `shape`.
static LogicalResult mergeShape(std::optional<Location> loc, StringRef name,
                                ValueRange operands, unsigned leader,
                                unsigned number,
                                SmallVectorImpl<int64_t> &shape) {
  auto type = cast<RankedTensorType>(operands[number].getType());
  auto mismatch = [&]() {
    return emitOptionalError(loc, "'", name, "' op operand #", number,
                             " of type ", type,
                             " must have the shape of operand #", leader,
                             " of type ", operands[leader].getType());
  };
  if (type.getRank() != static_cast<int64_t>(shape.size()))
    return mismatch();
  for (auto [merged, size] : llvm::zip(shape, type.getShape())) {
    if (ShapedType::isDynamic(merged))
      merged = size;
    else if (!ShapedType::isDynamic(size) && size != merged)
      return mismatch();
  }
  return success();
}

/// Inference runs before the operand constraints are verified.
static LogicalResult checkRanked(std::optional<Location> loc, StringRef name,
                                 ValueRange operands) {
  for (auto [number, operand] : llvm::enumerate(operands))
    if (!isa<RankedTensorType>(operand.getType()))
      return emitOptionalError(loc, "'", name, "' op operand #", number,
                               " must be a ranked tensor, got ",
                               operand.getType());
  return success();
}

LogicalResult mlir::dhlo::inferElementwise(std::optional<Location> loc,
                                           StringRef name, ValueRange operands,
                                           ElementRule rule,
                                           SmallVectorImpl<Type> &types) {
  if (failed(checkRanked(loc, name, operands)))
    return failure();
  unsigned leader = leadingOperand(rule);
  auto leading = cast<RankedTensorType>(operands[leader].getType());
  Type element = leading.getElementType();
  auto shape = llvm::to_vector(leading.getShape());
  for (unsigned i = 0, e = operands.size(); i < e; ++i) {
    if (i == leader)
      continue;
    if (!(rule == ElementRule::Select && i == 0) &&
        !sameElementTypeUpToQuantization(
            element, getElementTypeOrSelf(operands[i].getType())))
      return emitOptionalError(loc, "'", name, "' op operand #", i,
                               " of type ", operands[i].getType(),
                               " must have the element type of operand #",
                               leader, " of type ", leading);
    bool scalar = cast<RankedTensorType>(operands[i].getType()).getRank() == 0;
    if (scalar && mayBeScalar(rule, i))
      continue;
    if (failed(mergeShape(loc, name, operands, leader, i, shape)))
      return failure();
  }
  if (rule == ElementRule::ComplexOfReal && !element.isF32() &&
      !element.isF64())
    return emitOptionalError(loc, "'", name, "' op operand #0 of type ",
                             leading, " must have elements of type f32 or f64");
  types.push_back(RankedTensorType::get(
      shape, resultElementType(rule, element), leading.getEncoding()));
  return success();
}

//===----------------------------------------------------------------------===//
// Reification
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> mlir::dhlo::getMixedSizes(OpBuilder &builder,
                                                    Location loc,
                                                    Value tensor) {
  SizeBuilder sizes(builder, loc);
  return dimsOf(tensor, sizes);
}

/// The size of dimension `dim` of a value that has the shape of `sources`.
static OpFoldResult sizeFrom(SizeBuilder &sizes, ArrayRef<Value> sources,
                             int64_t dim) {
  for (Value source : sources)
    if (!tensorTypeOf(source).isDynamicDim(dim))
      return sizes.dim(source, dim);
  return sources.empty() ? OpFoldResult() : sizes.dim(sources.front(), dim);
}

LogicalResult
mlir::dhlo::reifyElementwise(Operation *op, OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, op->getLoc());
  for (OpResult result : op->getResults()) {
    RankedTensorType type = tensorTypeOf(result);
    SmallVector<Value> sources;
    for (Value operand : op->getOperands())
      if (auto source = dyn_cast<RankedTensorType>(operand.getType()))
        if (source.getRank() == type.getRank())
          sources.push_back(operand);
    SmallVector<OpFoldResult> &shape = shapes.emplace_back();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      shape.push_back(type.isDynamicDim(dim)
                          ? sizeFrom(sizes, sources, dim)
                          : sizes.constant(type.getDimSize(dim)));
    shape = sizes.conform(type, shape);
  }
  return success();
}
