// Parts of the assembly of shaped ops.

#include "dialects/dhlo/DhloOpAssembly.h"
#include "dialects/dhlo/DhloTypeAssembly.h"
#include "dialects/dhlo/Checks.h"
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

//===----------------------------------------------------------------------===//
// Operands, slices, formats
//===----------------------------------------------------------------------===//

ParseResult mlir::dhlo::parseOperandsAndComma(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed) || failed(parser.parseComma()))
      return failure();
    operands.push_back(operand);
  }
}

void mlir::dhlo::printOperandsAndComma(OpAsmPrinter &p, Operation *,
                                       OperandRange operands) {
  for (Value operand : operands)
    p << operand << ", ";
}

ParseResult mlir::dhlo::parseSliceRanges(OpAsmParser &parser,
                                         DenseI64ArrayAttr &starts,
                                         DenseI64ArrayAttr &limits,
                                         DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    start.push_back(0);
    limit.push_back(0);
    stride.push_back(1);
    if (parser.parseInteger(start.back()) || parser.parseColon() ||
        parser.parseInteger(limit.back()))
      return failure();
    if (failed(parser.parseOptionalColon()))
      return success();
    return parser.parseInteger(stride.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &b = parser.getBuilder();
  starts = b.getDenseI64ArrayAttr(start);
  limits = b.getDenseI64ArrayAttr(limit);
  strides = b.getDenseI64ArrayAttr(stride);
  return success();
}

void mlir::dhlo::printSliceRanges(OpAsmPrinter &p, Operation *,
                                  ArrayRef<int64_t> starts,
                                  ArrayRef<int64_t> limits,
                                  ArrayRef<int64_t> strides) {
  p << '[';
  llvm::interleaveComma(
      llvm::zip(starts, limits, strides), p.getStream(), [&](auto range) {
        auto [start, limit, stride] = range;
        p << start << ':' << limit;
        if (stride != 1)
          p << ':' << stride;
      });
  p << ']';
}

ParseResult mlir::dhlo::parseExponentMantissa(OpAsmParser &parser,
                                              IntegerAttr &exponent,
                                              IntegerAttr &mantissa) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef format;
  if (parser.parseKeyword(&format))
    return failure();
  StringRef rest = format;
  int32_t e = 0, m = 0;
  if (!rest.consume_front("e") || rest.consumeInteger(10, e) ||
      !rest.consume_front("m") || rest.getAsInteger(10, m))
    return parser.emitError(loc, "expected a format such as `e5m10`, got `")
           << format << "`";
  exponent = parser.getBuilder().getI32IntegerAttr(e);
  mantissa = parser.getBuilder().getI32IntegerAttr(m);
  return success();
}

void mlir::dhlo::printExponentMantissa(OpAsmPrinter &p, Operation *,
                                       IntegerAttr exponent,
                                       IntegerAttr mantissa) {
  p << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

static ParseResult parseDims(AsmParser &parser, SmallVector<int64_t> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dims.emplace_back());
  });
}

/// `[0, 1] x [0, 1]`.
static ParseResult parseDimPairs(AsmParser &parser, SmallVector<int64_t> &lhs,
                                 SmallVector<int64_t> &rhs) {
  return failure(parser.parseEqual() || parseDims(parser, lhs) ||
                 parser.parseKeyword("x") || parseDims(parser, rhs));
}

ParseResult
mlir::dhlo::parseDotDimensionNumbers(OpAsmParser &parser,
                                     DotDimensionNumbersAttr &numbers) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (succeeded(parser.parseOptionalKeyword("batching_dims"))) {
    if (parseDimPairs(parser, lhsBatch, rhsBatch) || parser.parseComma())
      return failure();
  }
  if (parser.parseKeyword("contracting_dims") ||
      parseDimPairs(parser, lhsContract, rhsContract))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch,
                                         rhsBatch, lhsContract, rhsContract);
  return success();
}

static void printDimPairs(OpAsmPrinter &p, ArrayRef<int64_t> lhs,
                          ArrayRef<int64_t> rhs) {
  p << formatList(lhs) << " x " << formatList(rhs);
}

void mlir::dhlo::printDotDimensionNumbers(OpAsmPrinter &p, Operation *,
                                          DotDimensionNumbersAttr numbers) {
  ArrayRef<int64_t> lhsBatch = numbers.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = numbers.getRhsBatchingDimensions();
  if (!lhsBatch.empty() || !rhsBatch.empty()) {
    p << "batching_dims = ";
    printDimPairs(p, lhsBatch, rhsBatch);
    p << ", ";
  }
  p << "contracting_dims = ";
  printDimPairs(p, numbers.getLhsContractingDimensions(),
                numbers.getRhsContractingDimensions());
}

/// What follows `precision =`.
static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> precisions;
  auto parseOne = [&]() -> ParseResult {
    llvm::SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<Precision> value = symbolizePrecision(name);
    if (!value)
      return parser.emitError(loc, "unknown precision `") << name << "`";
    precisions.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseEqual() || parser.parseCommaSeparatedList(
                                 AsmParser::Delimiter::Square, parseOne))
    return failure();
  precision = parser.getBuilder().getArrayAttr(precisions);
  return success();
}

ParseResult mlir::dhlo::parsePrecisionConfig(OpAsmParser &parser,
                                             ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") ||
                 parsePrecisions(parser, precision));
}

void mlir::dhlo::printPrecisionConfig(OpAsmPrinter &p, Operation *,
                                      ArrayAttr precision) {
  if (!precision)
    return;
  p << ", precision = [";
  llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), p.getStream(),
                        [&](PrecisionAttr one) {
                          p << stringifyPrecision(one.getValue());
                        });
  p << ']';
}

ParseResult mlir::dhlo::parsePrecisionConfigAndAlgorithm(
    OpAsmParser &parser, ArrayAttr &precision, DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    if (!precision && succeeded(parser.parseOptionalKeyword("precision"))) {
      if (parsePrecisions(parser, precision))
        return failure();
      continue;
    }
    if (parser.parseKeyword("algorithm") || parser.parseEqual())
      return failure();
    Attribute parsed = DotAlgorithmAttr::parse(parser, Type());
    if (!parsed)
      return failure();
    algorithm = cast<DotAlgorithmAttr>(parsed);
    return success();
  }
  return success();
}

void mlir::dhlo::printPrecisionConfigAndAlgorithm(OpAsmPrinter &p,
                                                  Operation *op,
                                                  ArrayAttr precision,
                                                  DotAlgorithmAttr algorithm) {
  printPrecisionConfig(p, op, precision);
  if (!algorithm)
    return;
  p << ", algorithm = ";
  algorithm.print(p);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

ParseResult
mlir::dhlo::parseConvolutionDimensions(OpAsmParser &parser,
                                       ConvDimensionNumbersAttr &numbers) {
  return parseConvDimensions(parser, numbers);
}

void mlir::dhlo::printConvolutionDimensions(OpAsmPrinter &p, Operation *,
                                            ConvDimensionNumbersAttr numbers) {
  printConvDimensions(p, numbers);
}

/// `[[low, high], ...]` as an Nx2 tensor.
static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  int64_t rows = 0;
  auto parseRow = [&]() -> ParseResult {
    SmallVector<int64_t> row;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parseDims(parser, row))
      return failure();
    if (row.size() != 2)
      return parser.emitError(loc, "expected `[low, high]`, got ")
             << row.size() << " numbers";
    values.append(row);
    ++rows;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
    return failure();
  auto type = RankedTensorType::get({rows, 2}, parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

ParseResult mlir::dhlo::parseWindowAttributes(OpAsmParser &parser,
                                              DenseI64ArrayAttr &strides,
                                              DenseIntElementsAttr &padding,
                                              DenseI64ArrayAttr &lhsDilation,
                                              DenseI64ArrayAttr &rhsDilation,
                                              DenseBoolArrayAttr &reversal) {
  auto parseDimsInto = [&](DenseI64ArrayAttr &attr) -> ParseResult {
    SmallVector<int64_t> dims;
    if (parseDims(parser, dims))
      return failure();
    attr = parser.getBuilder().getDenseI64ArrayAttr(dims);
    return success();
  };
  auto parseReversal = [&]() -> ParseResult {
    SmallVector<bool> flags;
    auto parseFlag = [&]() -> ParseResult {
      if (succeeded(parser.parseOptionalKeyword("true"))) {
        flags.push_back(true);
        return success();
      }
      if (succeeded(parser.parseOptionalKeyword("false"))) {
        flags.push_back(false);
        return success();
      }
      int64_t number = 0;
      if (parser.parseInteger(number))
        return failure();
      flags.push_back(number != 0);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFlag))
      return failure();
    reversal = parser.getBuilder().getDenseBoolArrayAttr(flags);
    return success();
  };
  auto parseOne = [&](StringRef name) -> ParseResult {
    if (name == "stride")
      return parseDimsInto(strides);
    if (name == "pad")
      return parsePadding(parser, padding);
    if (name == "lhs_dilate")
      return parseDimsInto(lhsDilation);
    if (name == "rhs_dilate")
      return parseDimsInto(rhsDilation);
    return parseReversal();
  };
  StringRef name;
  while (succeeded(parser.parseOptionalKeyword(
      &name, {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"}))) {
    if (parser.parseEqual() || parseOne(name))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  return success();
}

void mlir::dhlo::printWindowAttributes(OpAsmPrinter &p, Operation *,
                                       DenseI64ArrayAttr strides,
                                       DenseIntElementsAttr padding,
                                       DenseI64ArrayAttr lhsDilation,
                                       DenseI64ArrayAttr rhsDilation,
                                       DenseBoolArrayAttr reversal) {
  StringRef separator = "";
  auto printDims = [&](StringRef name, DenseI64ArrayAttr dims) {
    if (!dims)
      return;
    p << separator << name << " = " << formatList(dims.asArrayRef());
    separator = ", ";
  };
  printDims("stride", strides);
  if (padding) {
    auto values = llvm::to_vector(padding.getValues<int64_t>());
    p << separator << "pad = [";
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      p << (i ? ", " : "") << formatList({values[i], values[i + 1]});
    p << ']';
    separator = ", ";
  }
  printDims("lhs_dilate", lhsDilation);
  printDims("rhs_dilate", rhsDilation);
  if (!reversal)
    return;
  p << separator << "reverse = [";
  llvm::interleaveComma(reversal.asArrayRef(), p.getStream(), [&](bool flag) {
    p << (flag ? "true" : "false");
  });
  p << ']';
}
