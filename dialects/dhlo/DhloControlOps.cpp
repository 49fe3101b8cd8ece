// Control flow, tuples, calls and sizes of dimensions.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::dhlo;

#define GET_OP_CLASSES
#include "dialects/dhlo/DhloControlOps.cpp.inc"

//===----------------------------------------------------------------------===//
// if, case
//===----------------------------------------------------------------------===//

/// Checks that `region` has no arguments and returns the results of `op`.
static LogicalResult verifyBranch(Operation *op, Region &region,
                                  const Twine &name) {
  Block &block = region.front();
  if (block.getNumArguments() != 0)
    return op->emitOpError() << name << " must have no arguments, got "
                             << block.getNumArguments();
  FailureOr<OperandRange> returned = returnedValues(op, name, region);
  if (failed(returned))
    return failure();
  if (areCompatible(returned->getTypes(), op->getResultTypes()))
    return success();
  return op->emitOpError() << name << " returns " << returned->getTypes()
                           << ", which do not go with the result types "
                           << op->getResultTypes();
}

LogicalResult IfOp::verify() {
  return success(succeeded(verifyBranch(*this, getTrueBranch(), "true branch")) &&
                 succeeded(
                     verifyBranch(*this, getFalseBranch(), "false branch")));
}

LogicalResult CaseOp::verify() {
  if (getBranches().empty())
    return emitOpError("needs 1 or more branches");
  for (auto [number, branch] : llvm::enumerate(getBranches()))
    if (failed(verifyBranch(*this, branch, "branch #" + Twine(number))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

LogicalResult WhileOp::verify() {
  TypeRange types = getOperand().getTypes();
  if (!areCompatible(types, getResultTypes()))
    return emitOpError("operands of types ")
           << types << " do not go with the result types " << getResultTypes();
  for (auto [region, name] :
       {std::pair<Region *, StringRef>{&getCond(), "condition"},
        {&getBody(), "body"}}) {
    TypeRange arguments = region->getArgumentTypes();
    if (!areCompatible(types, arguments))
      return emitOpError() << name << " has arguments of types " << arguments
                           << ", which do not go with the operand types "
                           << types;
  }
  FailureOr<OperandRange> returned = returnedValues(*this, "body", getBody());
  FailureOr<OperandRange> condition =
      returnedValues(*this, "condition", getCond());
  if (failed(returned) || failed(condition))
    return failure();
  if (!areCompatible(returned->getTypes(), types))
    return emitOpError("body returns ")
           << returned->getTypes()
           << ", which do not go with the operand types " << types;
  auto pred = condition->size() == 1
                  ? dyn_cast<RankedTensorType>(condition->front().getType())
                  : RankedTensorType();
  if (!pred || pred.getRank() != 0 || !isPredType(pred.getElementType()))
    return emitOpError("condition must return tensor<i1>, got ")
           << condition->getTypes();
  return success();
}

/// while(%arg = %init, ...) : types attributes {..} cond {..} do {..}
ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAssignmentList(arguments, operands))
    return failure();
  if (!operands.empty() && parser.parseColonTypeList(result.types))
    return failure();
  if (result.types.size() != operands.size())
    return parser.emitError(loc, "expected ")
           << operands.size() << " types, got " << result.types.size();
  for (auto [argument, type] : llvm::zip(arguments, result.types))
    argument.type = type;
  if (parser.resolveOperands(operands, result.types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("cond") ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseKeyword("do") ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  return success();
}

/// The arguments of the two regions have the same names: neither sees the
/// other's, and the assembly writes them once.
void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

void WhileOp::print(OpAsmPrinter &p) {
  p << '(';
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getOperand()), p,
                        [&](auto pair) {
                          p.printOperand(std::get<0>(pair));
                          p << " = ";
                          p.printOperand(std::get<1>(pair));
                        });
  p << ')';
  if (getNumOperands()) {
    p << " : ";
    llvm::interleaveComma(getOperand().getTypes(), p);
  }
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  p.printNewline();
  p << " cond ";
  p.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  p << " do ";
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// map
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  if (getInputs().empty())
    return emitOpError("needs 1 or more inputs");
  auto first = tensorTypeOf(getInputs().front());
  for (auto [number, input] : llvm::enumerate(getInputs()))
    if (failed(verifyCompatibleShape(first, input.getType())))
      return emitOpError("operand #")
             << number << " of type " << input.getType()
             << " must have the shape of operand #0 of type " << first;
  if (failed(verifyCompatibleShape(first, getType())))
    return emitOpError("result of type ")
           << getType() << " must have the shape of the inputs, " << first;
  for (auto [number, dim] : llvm::enumerate(getDimensions()))
    if (dim != static_cast<int64_t>(number))
      return emitOpError("`dimensions` must be 0 to rank - 1 in order, got ")
             << formatList(getDimensions());
  Block &block = getComputation().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("computation must have ")
           << getInputs().size() << " arguments, got "
           << block.getNumArguments();
  for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
    auto expected =
        RankedTensorType::get({}, elementTypeOf(getInputs()[number]));
    if (argument.getType() != expected)
      return emitOpError("computation argument #")
             << number << " must have type " << expected << ", got "
             << argument.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Tuples, barriers, calls
//===----------------------------------------------------------------------===//

LogicalResult GetTupleElementOp::verify() {
  auto tuple = cast<TupleType>(getOperand().getType());
  uint32_t index = getIndex();
  if (index >= tuple.size())
    return emitOpError("index ")
           << static_cast<int32_t>(index) << " is out of range for " << tuple;
  if (tuple.getType(index) != getType())
    return emitOpError("result of type ")
           << getType() << " must have the type of element " << index << " of "
           << tuple;
  return success();
}

/// get_tuple_element(tuple(%a, %b))[1] -> %b
OpFoldResult GetTupleElementOp::fold(FoldAdaptor) {
  if (auto tuple = getOperand().getDefiningOp<TupleOp>())
    return tuple.getVal()[getIndex()];
  return {};
}

LogicalResult OptimizationBarrierOp::verify() {
  if (areCompatible(getOperand().getTypes(), getResultTypes()))
    return success();
  return emitOpError("operands of types ")
         << getOperand().getTypes() << " do not go with the result types "
         << getResultTypes();
}

LogicalResult
OptimizationBarrierOp::reifyResultShapes(OpBuilder &builder,
                                         ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  for (auto [operand, result] : llvm::zip(getOperand(), getResults())) {
    if (isa<RankedTensorType>(result.getType()))
      shapes.push_back(sizes.conform(result.getType(), dimsOf(operand, sizes)));
    else
      shapes.emplace_back();
  }
  return success();
}

LogicalResult CustomCallOp::verify() {
  if (getOperandLayouts().has_value() != getResultLayouts().has_value())
    return emitOpError(
        "needs both or neither of `operand_layouts` and `result_layouts`");
  if (auto layouts = getOperandLayouts())
    if (layouts->size() != getInputs().size())
      return emitOpError("needs a layout for each of ")
             << getInputs().size() << " operands, got " << layouts->size();
  return success();
}

void CustomCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Sizes of dimensions
//===----------------------------------------------------------------------===//

/// Checks that `dim` is a dimension of `op`'s first operand.
static LogicalResult verifyDimension(Operation *op, int64_t dim) {
  auto type = tensorTypeOf(op->getOperand(0));
  if (dim >= 0 && dim < type.getRank())
    return success();
  return op->emitOpError("`dimension` ")
         << dim << " is not a dimension of " << type;
}

LogicalResult GetDimensionSizeOp::verify() {
  return verifyDimension(*this, getDimension());
}

LogicalResult GetDimensionSizeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location>, ValueRange, DictionaryAttr,
    OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  types.push_back(RankedTensorType::get({}, IntegerType::get(context, 32)));
  return success();
}

LogicalResult
GetDimensionSizeOp::reifyResultShapes(OpBuilder &,
                                      ReifiedRankedShapedTypeDims &shapes) {
  shapes.emplace_back();
  return success();
}

/// get_dimension_size of a static dimension -> a constant
OpFoldResult GetDimensionSizeOp::fold(FoldAdaptor) {
  auto operand = tensorTypeOf(getOperand());
  int64_t dim = getDimension();
  if (dim < 0 || dim >= operand.getRank() || operand.isDynamicDim(dim))
    return {};
  auto type = cast<RankedTensorType>(getType());
  auto size = IntegerAttr::get(type.getElementType(), operand.getDimSize(dim));
  return DenseElementsAttr::get(type, size);
}

LogicalResult SetDimensionSizeOp::verify() {
  if (failed(verifyDimension(*this, getDimension())))
    return failure();
  auto operand = tensorTypeOf(getOperand());
  auto result = cast<RankedTensorType>(getType());
  auto shape = llvm::to_vector(operand.getShape());
  shape[getDimension()] = ShapedType::kDynamic;
  if (operand.getElementType() == result.getElementType() &&
      succeeded(verifyCompatibleShape(result.getShape(), shape)))
    return success();
  return emitOpError("result of type ")
         << result << " must have the type of the operand, " << operand
         << ", but for dimension " << getDimension();
}

LogicalResult
SetDimensionSizeOp::reifyResultShapes(OpBuilder &builder,
                                      ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  SmallVector<OpFoldResult> shape = dimsOf(getOperand(), sizes);
  shape[getDimension()] = sizes.element(getSize(), {});
  shapes.push_back(sizes.conform(getType(), shape));
  return success();
}

/// An empty terminator.
void ReturnOp::build(OpBuilder &, OperationState &) {}
