// Verifiers, inference and reification of the ops that come from CHLO.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::dhlo;

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloChloOps.cpp.inc"

//===----------------------------------------------------------------------===//
// constant_like
//===----------------------------------------------------------------------===//

LogicalResult ConstantLikeOp::verify() {
  Type element = elementTypeOf(getOperand());
  if (getValue().getType() == element)
    return success();
  return emitOpError("value of type ")
         << getValue().getType() << " is not an element of "
         << getOperand().getType();
}

/// constant_like %x {value} : static -> a constant
OpFoldResult ConstantLikeOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getType());
  if (!type.hasStaticShape() || !isa<IntegerAttr, FloatAttr>(getValue()))
    return {};
  return DenseElementsAttr::get(type, getValue());
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

/// For every dimension of the result the one of an operand of rank `rank`, or
/// -1. Without `dims` the trailing dimensions match.
static SmallVector<int64_t>
placeDims(int64_t rank, int64_t resultRank,
          std::optional<ArrayRef<int64_t>> dims) {
  SmallVector<int64_t> place(resultRank, -1);
  for (int64_t i = 0; i < rank; ++i)
    place[dims && rank < resultRank ? (*dims)[i] : resultRank - rank + i] = i;
  return place;
}

static int64_t maxRank(ValueRange operands) {
  int64_t rank = 0;
  for (Value operand : operands)
    rank = std::max(rank, rankOf(operand));
  return rank;
}

/// The size that operands of the sizes `lhs` and `rhs` give: a static size
/// other than 1 wins; null when they do not go together.
static std::optional<int64_t> mergeSizes(int64_t lhs, int64_t rhs) {
  if (lhs == rhs || rhs == 1)
    return lhs;
  if (lhs == 1 || ShapedType::isDynamic(lhs))
    return rhs;
  if (ShapedType::isDynamic(rhs))
    return lhs;
  return std::nullopt;
}

/// The broadcast shape of `operands`.
static LogicalResult broadcastShape(std::optional<Location> loc, StringRef name,
                                    ValueRange operands,
                                    std::optional<ArrayRef<int64_t>> dims,
                                    SmallVectorImpl<int64_t> &shape) {
  for (Value operand : operands)
    if (!isa<RankedTensorType>(operand.getType()))
      return emitOptionalError(loc, "'", name,
                               "' op operands must be ranked tensors, got ",
                               operand.getType());
  shape.assign(maxRank(operands), 1);
  int64_t rank = shape.size();
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto type = tensorTypeOf(operand);
    if (dims && type.getRank() < rank) {
      auto outside = [&](int64_t dim) { return dim < 0 || dim >= rank; };
      if (static_cast<int64_t>(dims->size()) != type.getRank() ||
          llvm::any_of(*dims, outside) || !llvm::is_sorted(*dims))
        return emitOptionalError(
            loc, "'", name, "' op `broadcast_dimensions` ", formatList(*dims),
            " do not place operand #", number, " of type ", type,
            " in a result of rank ", rank);
    }
    SmallVector<int64_t> place = placeDims(type.getRank(), rank, dims);
    for (auto [size, dim] : llvm::zip(shape, place)) {
      if (dim < 0)
        continue;
      std::optional<int64_t> merged = mergeSizes(size, type.getDimSize(dim));
      if (!merged)
        return emitOptionalError(loc, "'", name, "' op operand #", number,
                                 " of type ", type,
                                 " does not broadcast with operand #0 of type ",
                                 operands[0].getType());
      size = *merged;
    }
  }
  return success();
}

/// Infers a broadcast of `operands`; the element type is that of `leader`.
static LogicalResult inferBroadcast(std::optional<Location> loc, StringRef name,
                                    ValueRange operands, unsigned leader,
                                    std::optional<ArrayRef<int64_t>> dims,
                                    Type element, SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  if (failed(broadcastShape(loc, name, operands, dims, shape)))
    return failure();
  Type leading = operands[leader].getType();
  for (auto [number, operand] : llvm::enumerate(operands.drop_front(leader)))
    if (elementTypeOf(operand) != getElementTypeOrSelf(leading))
      return emitOptionalError(loc, "'", name, "' op operand #",
                               number + leader, " of type ", operand.getType(),
                               " must have the element type of operand #",
                               leader, " of type ", leading);
  types.push_back(RankedTensorType::get(
      shape, element ? element : getElementTypeOrSelf(leading)));
  return success();
}

/// A dynamic result size is the maximum of the operands' sizes, or 0 where one
/// is 0: the size of the first operand unless that is 1.
static OpFoldResult broadcastSize(OpBuilder &builder, Location loc,
                                  SizeBuilder &sizes, OpFoldResult lhs,
                                  OpFoldResult rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (std::optional<int64_t> known = getConstantIntValue(rhs))
    return *known == 1 ? lhs : rhs;
  if (std::optional<int64_t> known = getConstantIntValue(lhs))
    return *known == 1 ? rhs : lhs;
  Value one = sizes.materialize(sizes.constant(1));
  Value left = sizes.materialize(lhs), right = sizes.materialize(rhs);
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      left, one);
  return builder.createOrFold<arith::SelectOp>(loc, isOne, right, left);
}

static LogicalResult reifyBroadcast(Operation *op, OpBuilder &builder,
                                    std::optional<ArrayRef<int64_t>> dims,
                                    ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, op->getLoc());
  auto type = tensorTypeOf(op->getResult(0));
  SmallVector<OpFoldResult> shape(type.getRank());
  for (Value operand : op->getOperands()) {
    auto place = placeDims(rankOf(operand), type.getRank(), dims);
    for (auto [number, dim] : llvm::enumerate(place))
      if (dim >= 0 && type.isDynamicDim(number))
        shape[number] = broadcastSize(builder, op->getLoc(), sizes,
                                      shape[number], sizes.dim(operand, dim));
  }
  shapes.push_back(sizes.conform(type, shape));
  return success();
}

#define DHLO_BROADCAST(OpType, element)                                        \
  LogicalResult OpType::inferReturnTypes(                                      \
      MLIRContext *context, std::optional<Location> loc, ValueRange operands,  \
      DictionaryAttr attributes, OpaqueProperties properties,                  \
      RegionRange regions, SmallVectorImpl<Type> &types) {                     \
    Adaptor adaptor(operands, attributes, properties, regions);                \
    return inferBroadcast(loc, getOperationName(), operands, 0,                \
                          adaptor.getBroadcastDimensions(), element, types);   \
  }                                                                            \
  LogicalResult OpType::reifyResultShapes(                                     \
      OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {               \
    return reifyBroadcast(*this, builder, getBroadcastDimensions(), shapes);   \
  }
DHLO_BROADCAST(BroadcastAddOp, Type())
DHLO_BROADCAST(BroadcastAndOp, Type())
DHLO_BROADCAST(BroadcastAtan2Op, Type())
DHLO_BROADCAST(BroadcastDivOp, Type())
DHLO_BROADCAST(BroadcastMaxOp, Type())
DHLO_BROADCAST(BroadcastMinOp, Type())
DHLO_BROADCAST(BroadcastMulOp, Type())
DHLO_BROADCAST(BroadcastNextAfterOp, Type())
DHLO_BROADCAST(BroadcastOrOp, Type())
DHLO_BROADCAST(BroadcastPolygammaOp, Type())
DHLO_BROADCAST(BroadcastPowOp, Type())
DHLO_BROADCAST(BroadcastRemOp, Type())
DHLO_BROADCAST(BroadcastShiftLeftOp, Type())
DHLO_BROADCAST(BroadcastShiftRightArithmeticOp, Type())
DHLO_BROADCAST(BroadcastShiftRightLogicalOp, Type())
DHLO_BROADCAST(BroadcastSubOp, Type())
DHLO_BROADCAST(BroadcastXorOp, Type())
DHLO_BROADCAST(BroadcastZetaOp, Type())
DHLO_BROADCAST(BroadcastComplexOp, ComplexType::get(elementTypeOf(operands[0])))
DHLO_BROADCAST(BroadcastCompareOp, IntegerType::get(context, 1))
#undef DHLO_BROADCAST

LogicalResult BroadcastSelectOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &types) {
  return inferBroadcast(loc, getOperationName(), operands, 1, std::nullopt,
                        Type(), types);
}

LogicalResult
BroadcastSelectOp::reifyResultShapes(OpBuilder &builder,
                                     ReifiedRankedShapedTypeDims &shapes) {
  return reifyBroadcast(*this, builder, std::nullopt, shapes);
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto type = dyn_cast<RankedTensorType>(operands[0].getType());
  if (!type || type.getRank() == 0)
    return opError<TopKOp>(loc, "operand of type ", operands[0].getType(),
                           " must have rank 1 or more");
  int64_t k = adaptor.getK(), last = type.getShape().back();
  if (k < 0 || (!ShapedType::isDynamic(last) && k > last))
    return opError<TopKOp>(loc, "`k` is ", k, ", but the last dimension of ",
                           type, " has ", last, " elements");
  auto shape = llvm::to_vector(type.getShape());
  shape.back() = k;
  types.push_back(type.clone(shape));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}

LogicalResult TopKOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  SmallVector<OpFoldResult> shape = dimsOf(getOperand(), sizes);
  shape.back() = sizes.constant(getK());
  for (Value result : getResults())
    shapes.push_back(sizes.conform(result.getType(), shape));
  return success();
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

/// scan(%inputs) inits (%inits) dimension=0 attributes {..} {..} : (..) -> (..)
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits;
  IntegerAttr dimension;
  FunctionType type;
  SMLoc loc;
  auto paren = OpAsmParser::Delimiter::Paren;
  if (parser.parseOperandList(operands, paren) ||
      parser.parseKeyword("inits") || parser.parseOperandList(inits, paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseAttribute(dimension, parser.getBuilder().getI64Type(),
                            "dimension", result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) ||
      parser.getCurrentLocation(&loc) || parser.parseColonType(type))
    return failure();
  auto count = [](size_t n) { return static_cast<int32_t>(n); };
  int32_t numInputs = count(operands.size()), numInits = count(inits.size());
  int32_t numOutputs = count(type.getNumResults()) - numInits;
  if (numOutputs < 0)
    return parser.emitError(loc, "expected a result for each of the ")
           << numInits << " inits";
  operands.append(inits);
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {numInputs, numInits};
  properties.resultSegmentSizes = {numOutputs, numInits};
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc,
                                result.operands);
}

void ScanOp::print(OpAsmPrinter &p) {
  p << '(' << getInputs() << ") inits (" << getInits()
    << ") dimension=" << getDimension();
  SmallVector<StringRef> elided = {"dimension", "operandSegmentSizes",
                                   "resultSegmentSizes"};
  if (!getIsReverse())
    elided.push_back("is_reverse");
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(), elided);
  p << ' ';
  p.printRegion(getBody());
  p << " : ";
  p.printFunctionalType(*this);
}

/// `type` without dimension `dim`.
static RankedTensorType dropDim(RankedTensorType type, int64_t dim) {
  auto shape = llvm::to_vector(type.getShape());
  shape.erase(shape.begin() + dim);
  return type.clone(shape);
}

LogicalResult ScanOp::verify() {
  int64_t dim = getDimension();
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError("body must have ")
           << getNumOperands() << " arguments, got " << block.getNumArguments();
  SmallVector<Type> expected;
  int64_t steps = ShapedType::kDynamic;
  for (Value input : getInputs()) {
    auto type = tensorTypeOf(input);
    if (dim >= type.getRank())
      return emitOpError("`dimension` ")
             << dim << " is not a dimension of input type " << type;
    if (!mayBeEqual(type.getDimSize(dim), steps))
      return emitOpError("input of type ")
             << type << " must have the size " << steps
             << " of the other inputs in dimension " << dim;
    if (ShapedType::isDynamic(steps))
      steps = type.getDimSize(dim);
    expected.push_back(dropDim(type, dim));
  }
  llvm::append_range(expected, getInits().getTypes());
  for (auto [number, type] : llvm::enumerate(expected))
    if (!areCompatible(type, block.getArgument(number).getType()))
      return emitOpError("body argument #")
             << number << " must have type " << type << ", got "
             << block.getArgument(number).getType();
  FailureOr<OperandRange> yielded = returnedValues(*this, "body", getBody());
  if (failed(yielded))
    return failure();
  if (yielded->size() != getNumResults())
    return emitOpError("body must return ")
           << getNumResults() << " values, got " << yielded->size();
  for (auto [output, value] : llvm::zip(getOutputs(), *yielded)) {
    auto type = tensorTypeOf(output);
    if (dim >= type.getRank() || !mayBeEqual(type.getDimSize(dim), steps) ||
        !areCompatible(Type(dropDim(type, dim)), value.getType()))
      return emitOpError("body returns ")
             << value.getType() << " for the output of type " << type
             << ", expected one such value for each position of dimension "
             << dim << " of the inputs";
  }
  for (auto [carry, value] :
       llvm::zip(getCarries(), yielded->drop_front(getOutputs().size())))
    if (!areCompatible(carry.getType(), value.getType()))
      return emitOpError("body returns ")
             << value.getType() << " for the carry of type " << carry.getType();
  return success();
}

LogicalResult ScanOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  if (getInputs().empty())
    return failure();
  int64_t dim = getDimension();
  for (Value output : getOutputs()) {
    // Sizes other than that of the scanned dimension come out of the body.
    SmallVector<OpFoldResult> shape(rankOf(output));
    shape[dim] = sizes.dim(getInputs().front(), dim);
    if (rankOf(output) == rankOf(getInputs().front()))
      shape = dimsOf(getInputs().front(), sizes);
    shapes.push_back(sizes.conform(output.getType(), shape));
  }
  for (auto [carry, init] : llvm::zip(getCarries(), getInits()))
    shapes.push_back(sizes.conform(carry.getType(), dimsOf(init, sizes)));
  return success();
}
