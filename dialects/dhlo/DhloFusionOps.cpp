// dhlo.fusion and dhlo.tie_shape.
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// tie_shape
//===----------------------------------------------------------------------===//

LogicalResult TieShapeOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  int64_t dynamic = type.getNumDynamicDims();
  if (static_cast<int64_t>(getSizes().size()) == dynamic)
    return success();
  return emitOpError("needs a size for each of the ")
         << dynamic << " dynamic dimensions of " << type << ", got "
         << getSizes().size();
}

OpFoldResult TieShapeOp::getMixedSize(int64_t dim) {
  auto type = cast<RankedTensorType>(getType());
  if (!type.isDynamicDim(dim))
    return IntegerAttr::get(IndexType::get(getContext()), type.getDimSize(dim));
  return getSizes()[type.getDynamicDimIndex(dim)];
}

SmallVector<OpFoldResult> TieShapeOp::getMixedSizes() {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(getType()).getRank(); ++dim)
    sizes.push_back(getMixedSize(dim));
  return sizes;
}

LogicalResult
TieShapeOp::reifyResultShapes(OpBuilder &,
                              ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(getMixedSizes());
  return success();
}

/// tie_shape of a static tensor -> the tensor; a tie repeated -> the first
OpFoldResult TieShapeOp::fold(FoldAdaptor) {
  if (getSizes().empty())
    return getValue();
  if (auto tie = getValue().getDefiningOp<TieShapeOp>())
    if (tie.getSizes() == getSizes())
      return tie.getResult();
  return {};
}

//===----------------------------------------------------------------------===//
// fusion
//===----------------------------------------------------------------------===//

/// fusion "kind" (%a = %x : T, ...) -> (T, ...) attributes {..} {..}
ParseResult FusionOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  StringAttr kind;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand operand;
    return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                   parser.parseOperand(operand) ||
                   parser.parseColonType(argument.type) ||
                   parser.resolveOperand(operand, argument.type,
                                         result.operands));
  };
  if (parser.parseAttribute(kind, parser.getBuilder().getNoneType(), "kind",
                            result.attributes) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  return success();
}

void FusionOp::print(OpAsmPrinter &p) {
  p << ' ' << getKindAttr() << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()), p,
                        [&](auto pair) {
                          auto [argument, input] = pair;
                          p << argument << " = " << input << " : "
                            << input.getType();
                        });
  p << ')';
  p.printOptionalArrowTypeList(getResultTypes());
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"kind"});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult FusionOp::verify() {
  if (!llvm::is_contained({"loop", "row", "scatter", "sort", "stitch"}, getKind()))
    return emitOpError("`kind` must be \"loop\", \"row\", \"scatter\", \"sort\" or "
                       "\"stitch\", got ")
           << getKindAttr();
  if (getBody().getArgumentTypes() != getInputs().getTypes())
    return emitOpError("body has arguments of types ")
           << getBody().getArgumentTypes() << ", but the inputs are of types "
           << getInputs().getTypes();
  TypeRange returned = getYielded().getTypes();
  if (returned != getResultTypes())
    return emitOpError("body returns ")
           << returned << ", but the results are of types " << getResultTypes();
  return success();
}

/// Tensors come in through block arguments alone.
LogicalResult FusionOp::verifyRegions() {
  LogicalResult valid = success();
  getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<ShapedType>(operand.get().getType()) ||
          getBody().isAncestor(operand.get().getParentRegion()))
        continue;
      op->emitOpError("operand #")
          << operand.getOperandNumber()
          << " is a tensor from outside of the fusion; pass it as an input";
      valid = failure();
    }
  });
  return valid;
}

/// The sizes that a value of the body is tied to, where they are defined
/// outside of it; those of an input where the value is one.
static FailureOr<SmallVector<OpFoldResult>>
sizesOfYielded(FusionOp op, Value value, SizeBuilder &sizes) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return dimsOf(op.getInputs()[argument.getArgNumber()], sizes);
  if (cast<RankedTensorType>(value.getType()).hasStaticShape())
    return dimsOf(value, sizes);
  auto tie = value.getDefiningOp<TieShapeOp>();
  if (!tie)
    return failure();
  for (Value size : tie.getSizes())
    if (op.getBody().isAncestor(size.getParentRegion()))
      return failure();
  return tie.getMixedSizes();
}

LogicalResult FusionOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  SizeBuilder sizes(builder, getLoc());
  for (Value value : getYielded()) {
    auto shape = sizesOfYielded(*this, value, sizes);
    if (failed(shape))
      return failure();
    shapes.push_back(*shape);
  }
  return success();
}
