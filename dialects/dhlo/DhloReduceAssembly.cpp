// The assembly of `dhlo.reduce`: a short form that names the one op applied,
// and a long form with the region.
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"


using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The op that the short form may name: the body is this op on the two
/// arguments, in order, and has nothing that the op's name does not say.
static Operation *getAppliedOp(ReduceOp reduce) {
  Block &block = reduce.getBody().front();
  if (reduce.getInputs().size() != 1 || block.getNumArguments() != 2 ||
      !llvm::hasNItems(block.begin(), block.end(), 2))
    return nullptr;
  Operation &applied = block.front();
  if (!isa_and_present<DhloDialect>(applied.getDialect()) ||
      applied.getNumOperands() != 2 || applied.getNumResults() != 1 ||
      applied.getNumRegions() != 0 || !applied.getAttrDictionary().empty())
    return nullptr;
  Type scalar = RankedTensorType::get(
      {}, getElementTypeOrSelf(reduce->getResult(0).getType()));
  bool inOrder = applied.getOperand(0) == block.getArgument(0) &&
                 applied.getOperand(1) == block.getArgument(1);
  bool oneType = applied.getResult(0).getType() == scalar &&
                 block.getArgument(0).getType() == scalar &&
                 block.getArgument(1).getType() == scalar;
  auto end = dyn_cast<ReturnOp>(block.back());
  if (!inOrder || !oneType || !end || end->getNumOperands() != 1 ||
      end->getOperand(0) != applied.getResult(0))
    return nullptr;
  return &applied;
}

void ReduceOp::print(OpAsmPrinter &p) {
  p << '(';
  llvm::interleave(
      llvm::zip(getInputs(), getInitValues()), p.getStream(),
      [&](auto pair) {
        p << std::get<0>(pair) << " init: " << std::get<1>(pair);
      },
      "), (");
  p << ')';
  Operation *applied = getAppliedOp(*this);
  if (applied)
    p << " applies " << applied->getName().getStringRef();
  p << " across dimensions = " << formatList(getDimensions());
  p.printOptionalAttrDict((*this)->getAttrs(), {getDimensionsAttrName(),
                                                "operandSegmentSizes"});
  p << " : ";
  p.printFunctionalType(*this);
  if (applied)
    return;
  p.printNewline();
  p << " reducer";
  size_t pairs = getInputs().size();
  Block &block = getBody().front();
  for (size_t i = 0; i < pairs; ++i) {
    p << '(';
    p.printRegionArgument(block.getArgument(i));
    p << ", ";
    p.printRegionArgument(block.getArgument(pairs + i));
    p << ") ";
  }
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// `(%x init: %c), (%y init: %d)`.
static ParseResult
parsePairs(OpAsmParser &parser,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  llvm::append_range(operands, inits);
  return success();
}

/// `(%a: T, %b: T) (%c: U, %d: U) {...}`.
static ParseResult parseReducer(OpAsmParser &parser, size_t pairs,
                                Region &body) {
  if (parser.parseKeyword("reducer"))
    return failure();
  SmallVector<OpAsmParser::Argument> first, second;
  for (size_t i = 0; i < pairs; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(first.emplace_back(), /*allowType=*/true,
                             /*allowAttrs=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(second.emplace_back(), /*allowType=*/true,
                             /*allowAttrs=*/true) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(first, second);
  std::optional<Location> ignored;
  if (parser.parseOptionalLocationSpecifier(ignored))
    return failure();
  return parser.parseRegion(body, first);
}

/// A body that applies the op `name` to scalars of type `scalar`.
static ParseResult buildBody(OpAsmParser &parser, llvm::SMLoc nameLoc,
                             StringRef name, Location loc, Type scalar,
                             Region &body) {
  std::string full = canonicalOpName(name);
  if (!RegisteredOperationName::lookup(full, parser.getContext()))
    return parser.emitError(nameLoc, "unknown op `") << name << "`";
  OpBuilder builder(parser.getContext());
  Block *block = builder.createBlock(&body, {}, {scalar, scalar}, {loc, loc});
  OperationState state(loc, full, block->getArguments(), {scalar});
  Operation *applied = builder.create(state);
  ReturnOp::create(builder, loc, applied->getResults());
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SMLoc operandsLoc = parser.getCurrentLocation();
  if (parsePairs(parser, operands))
    return failure();
  std::string applied;
  llvm::SMLoc appliedLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    appliedLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    applied = name->getStringRef().str();
  }
  Location bodyLoc = parser.getEncodedSourceLoc(parser.getNameLoc());
  std::optional<Location> explicitLoc;
  if (!applied.empty() && parser.parseOptionalLocationSpecifier(explicitLoc))
    return failure();

  SmallVector<int64_t> dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dimensions.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), operandsLoc,
                             result.operands))
    return failure();
  result.addTypes(type.getResults());
  result.addAttribute(getDimensionsAttrName(result.name),
                      parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  Region *body = result.addRegion();
  size_t pairs = operands.size() / 2;
  if (applied.empty())
    return parseReducer(parser, pairs, *body);
  if (pairs != 1 || type.getNumResults() != 1)
    return parser.emitError(appliedLoc, "`applies` needs one input");
  Type scalar =
      RankedTensorType::get({}, getElementTypeOrSelf(type.getResult(0)));
  return buildBody(parser, appliedLoc, applied, explicitLoc.value_or(bodyLoc),
                   scalar, *body);
}
