// Builders, assembly and verifiers of constants, iota and elementwise ops.
#include "dialects/dhlo/Dhlo.h"
#include "dialects/dhlo/DhloOpAssembly.h"
#include "dialects/dhlo/Quantization.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::dhlo;

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloElementwiseOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

void ConstantOp::build(OpBuilder &, OperationState &state, Attribute value) {
  auto elements = cast<ElementsAttr>(value);
  state.addAttribute("value", elements);
  state.addTypes(elements.getType());
}

LogicalResult ConstantOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  types.push_back(adaptor.getValue().getType());
  return success();
}

/// A quantized constant is given by its stored values.
bool ConstantOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != 1 || actual.size() != 1)
    return false;
  auto value = dyn_cast<ShapedType>(inferred[0]);
  auto result = dyn_cast<RankedTensorType>(actual[0]);
  if (!value || !result || value.getShape() != result.getShape())
    return false;
  Type element = result.getElementType();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return value.getElementType() == storageTypeOf(quantized) ||
           value.getElementType() == quantized.getStorageType();
  return value.getElementType() == element;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  // Other dialects could not make use of the storage values.
  return getValue().getType() == getType() ? getValue() : ElementsAttr();
}

void ConstantOp::getAsmResultNames(function_ref<void(Value, StringRef)> set) {
  bool integers = isa<IntegerType>(getType().getElementType());
  set(getOutput(), integers ? "c" : "cst");
}

LogicalResult
ConstantOp::reifyResultShapes(OpBuilder &builder,
                              ReifiedRankedShapedTypeDims &shapes) {
  return reifyElementwise(*this, builder, shapes);
}

/// `dense<1> : tensor<i32>`, or `() <{value = ...}> : () -> T`, which also
/// serves values whose type is not the result's.
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen())) {
    FunctionType type;
    NamedAttrList properties;
    if (parser.parseRParen())
      return failure();
    if (succeeded(parser.parseOptionalLess()) &&
        (parser.parseOptionalAttrDict(properties) || parser.parseGreater()))
      return failure();
    if (parser.parseOptionalAttrDict(result.attributes) ||
        parser.parseColonType(type))
      return failure();
    result.attributes.append(properties.begin(), properties.end());
    return parser.addTypesToList(type.getResults(), result.types);
  }
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseAttribute(value, "value", result.attributes))
    return failure();
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &p) {
  if (getValue().getType() != getType()) {
    p << "()";
    p.printOptionalAttrDict((*this)->getAttrs());
    p << " : () -> " << getType();
    return;
  }
  p.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  p << ' ' << getValue();
}

//===----------------------------------------------------------------------===//
// Iota
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult verifyIota(OpT op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getRank() == 0)
    return op.emitOpError("needs a result of rank 1 or more, got ") << type;
  int64_t dim = op.getIotaDimension();
  if (dim < 0 || dim >= type.getRank())
    return op.emitOpError("`iota_dimension` ")
           << dim << " is not a dimension of " << type;
  if (isPredType(type.getElementType()))
    return op.emitOpError("cannot count in elements of ") << type;
  return success();
}

LogicalResult IotaOp::verify() {
  if (!cast<RankedTensorType>(getType()).hasStaticShape())
    return emitOpError("needs a static shape, got ")
           << getType() << "; use `dhlo.dynamic_iota`";
  return verifyIota(*this);
}

LogicalResult IotaOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyElementwise(*this, builder, shapes);
}

LogicalResult DynamicIotaOp::verify() {
  auto shape = cast<RankedTensorType>(getOutputShape().getType());
  auto type = cast<RankedTensorType>(getType());
  if (!shape.isDynamicDim(0) && shape.getDimSize(0) != type.getRank())
    return emitOpError("`output_shape` of type ")
           << shape << " must have one element for each dimension of " << type;
  return verifyIota(*this);
}

LogicalResult
DynamicIotaOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  auto type = cast<RankedTensorType>(getType());
  SmallVector<OpFoldResult> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    shape.push_back(type.isDynamicDim(dim)
                        ? sizes.element(getOutputShape(), {dim})
                        : sizes.constant(type.getDimSize(dim)));
  shapes.push_back(sizes.conform(type, shape));
  return success();
}

/// dynamic_iota %s : (..) -> static  ->  iota : static
static LogicalResult iotaOfStaticShape(DynamicIotaOp op,
                                       PatternRewriter &rewriter) {
  if (!cast<RankedTensorType>(op.getType()).hasStaticShape())
    return rewriter.notifyMatchFailure(op, "the shape is dynamic");
  rewriter.replaceOpWithNewOp<IotaOp>(op, op.getType(), op.getIotaDimension());
  return success();
}

void DynamicIotaOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *) {
  patterns.add(iotaOfStaticShape);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult ReducePrecisionOp::verify() {
  if (static_cast<int32_t>(getExponentBits()) < 1)
    return emitOpError("needs 1 or more exponent bits, got ")
           << getExponentBits();
  if (static_cast<int32_t>(getMantissaBits()) < 0)
    return emitOpError("needs 0 or more mantissa bits, got ")
           << getMantissaBits();
  return success();
}

void ConvertOp::build(OpBuilder &builder, OperationState &state, Value operand,
                      Type elementType) {
  auto type = cast<RankedTensorType>(operand.getType());
  build(builder, state, type.clone(elementType), operand);
}

/// Checks that operand and result of `op` may have the same shape.
static LogicalResult verifySameShape(Operation *op) {
  Type operand = op->getOperand(0).getType(), result = op->getResult(0).getType();
  if (succeeded(verifyCompatibleShape(operand, result)))
    return success();
  return op->emitOpError("result of type ")
         << result << " must have the shape of the operand of type " << operand;
}

LogicalResult ConvertOp::verify() { return verifySameShape(*this); }

LogicalResult UniformQuantizeOp::verify() {
  Type from = getElementTypeOrSelf(getOperand().getType());
  auto to = cast<quant::QuantizedType>(getElementTypeOrSelf(getType()));
  if (!isSIntType(from) && !sameElementTypeUpToQuantization(from, to))
    return emitOpError("operand of type ")
           << getOperand().getType() << " must have elements of the expressed "
           << "type " << to.getExpressedType();
  return verifySameShape(*this);
}

LogicalResult UniformDequantizeOp::verify() {
  auto quantized = cast<quant::QuantizedType>(
      getElementTypeOrSelf(getOperand().getType()));
  if (quantized.getExpressedType() != getElementTypeOrSelf(getType()))
    return emitOpError("result of type ")
           << getType() << " must have elements of the expressed type "
           << quantized.getExpressedType();
  return verifySameShape(*this);
}

static unsigned bitWidthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.getStorageTypeIntegralWidth();
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// Elements of different widths add or take away a trailing dimension.
LogicalResult BitcastConvertOp::verify() {
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto to = cast<RankedTensorType>(getType());
  unsigned fromBits = bitWidthOf(from.getElementType());
  unsigned toBits = bitWidthOf(to.getElementType());
  if (isa<ComplexType>(from.getElementType()) !=
      isa<ComplexType>(to.getElementType()))
    return emitOpError("cannot convert between real and complex types, got ")
           << from << " and " << to;
  if (fromBits == toBits)
    return verifySameShape(*this);

  bool widens = fromBits < toBits;
  RankedTensorType longer = widens ? from : to, shorter = widens ? to : from;
  int64_t factor = std::max(fromBits, toBits) / std::min(fromBits, toBits);
  bool fits =
      std::max(fromBits, toBits) % std::min(fromBits, toBits) == 0 &&
      longer.getRank() == shorter.getRank() + 1 &&
      (longer.getShape().back() == factor ||
       ShapedType::isDynamic(longer.getShape().back())) &&
      succeeded(verifyCompatibleShape(longer.getShape().drop_back(),
                                      shorter.getShape()));
  if (fits)
    return success();
  return emitOpError("result of type ")
         << to << " does not go with the operand of type " << from
         << "; the narrower type has a trailing dimension of size " << factor;
}

LogicalResult
BitcastConvertOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto to = cast<RankedTensorType>(getType());
  SmallVector<OpFoldResult> shape;
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    if (dim < from.getRank())
      shape.push_back(sizes.dim(getOperand(), dim));
    else
      shape.push_back(sizes.constant(bitWidthOf(from.getElementType()) /
                                     bitWidthOf(to.getElementType())));
  }
  shapes.push_back(sizes.conform(to, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void CompareOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                      Value rhs, ComparisonDirection direction,
                      ComparisonType type) {
  MLIRContext *context = builder.getContext();
  auto typeAttr = type == ComparisonType::NOTYPE
                      ? ComparisonTypeAttr()
                      : ComparisonTypeAttr::get(context, type);
  build(builder, state, lhs, rhs,
        ComparisonDirectionAttr::get(context, direction), typeAttr);
}
