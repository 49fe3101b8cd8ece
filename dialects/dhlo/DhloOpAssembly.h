// Parts of the assembly of shaped ops.

#ifndef DISC_DIALECTS_DHLO_OPASSEMBLY_H
#define DISC_DIALECTS_DHLO_OPASSEMBLY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace mlir::dhlo {

class ConvDimensionNumbersAttr;
class DotAlgorithmAttr;
class DotDimensionNumbersAttr;

/// `%a, %b, `: every operand is followed by a comma.
ParseResult parseOperandsAndComma(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands);
void printOperandsAndComma(OpAsmPrinter &p, Operation *op,
                           OperandRange operands);

/// `[start:limit, start:limit:stride]`.
ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides);
void printSliceRanges(OpAsmPrinter &p, Operation *op, ArrayRef<int64_t> starts,
                      ArrayRef<int64_t> limits, ArrayRef<int64_t> strides);

/// `e5m10`.
ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa);
void printExponentMantissa(OpAsmPrinter &p, Operation *op, IntegerAttr exponent,
                           IntegerAttr mantissa);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
ParseResult parseDotDimensionNumbers(OpAsmParser &parser,
                                     DotDimensionNumbersAttr &numbers);
void printDotDimensionNumbers(OpAsmPrinter &p, Operation *op,
                              DotDimensionNumbersAttr numbers);

/// `, precision = [DEFAULT, HIGH]`, or nothing.
ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision);
void printPrecisionConfig(OpAsmPrinter &p, Operation *op, ArrayAttr precision);

/// `, precision = [...], algorithm = <...>`, each of them optional.
ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser,
                                             ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(OpAsmPrinter &p, Operation *op,
                                      ArrayAttr precision,
                                      DotAlgorithmAttr algorithm);

/// `[b, 0, f]x[0, i, o]->[b, 0, f]`.
ParseResult parseConvolutionDimensions(OpAsmParser &parser,
                                       ConvDimensionNumbersAttr &numbers);
void printConvolutionDimensions(OpAsmPrinter &p, Operation *op,
                                ConvDimensionNumbersAttr numbers);

/// `stride = [..], pad = [[l, h], ..], lhs_dilate = [..], rhs_dilate = [..],
/// reverse = [..]`, each of them optional.
ParseResult parseWindowAttributes(OpAsmParser &parser,
                                  DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding,
                                  DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation,
                                  DenseBoolArrayAttr &reversal);
void printWindowAttributes(OpAsmPrinter &p, Operation *op,
                           DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding,
                           DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation,
                           DenseBoolArrayAttr reversal);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_OPASSEMBLY_H
