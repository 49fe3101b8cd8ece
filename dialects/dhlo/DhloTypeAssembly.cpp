// Implementation of the abbreviated types of op assembly.
#include "dialects/dhlo/Dhlo.h"

using namespace mlir;
using namespace mlir::dhlo;

/// Distributes the parts of `(A, B) -> C` over `operands` and `result`.
static ParseResult assignFunctionType(OpAsmParser &parser, SMLoc loc,
                                      FunctionType type,
                                      ArrayRef<Type *> operands,
                                      Type &result) {
  if (type.getNumInputs() != operands.size() || type.getNumResults() != 1)
    return parser.emitError(loc)
           << "expected " << operands.size()
           << " operand types and one result type, got " << type;
  for (auto [operand, input] : llvm::zip(operands, type.getInputs()))
    *operand = input;
  result = type.getResult(0);
  return success();
}

ParseResult mlir::dhlo::detail::parseSameTypes(OpAsmParser &parser,
                                               ArrayRef<Type *> operands,
                                               Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  if (auto function = dyn_cast<FunctionType>(types.front());
      function && types.size() == 1)
    return assignFunctionType(parser, loc, function, operands, result);

  bool hasResult = succeeded(parser.parseOptionalArrow());
  if (hasResult && parser.parseType(result))
    return failure();
  if (!hasResult && types.size() == 1) {
    result = types.front();
    types.assign(operands.size(), result);
  }
  if (!result || types.size() != operands.size())
    return parser.emitError(loc)
           << "expected one type, or " << operands.size()
           << " operand types and a result type, got " << types.size();
  for (auto [operand, type] : llvm::zip(operands, types))
    *operand = type;
  return success();
}

void mlir::dhlo::detail::printSameTypes(OpAsmPrinter &p,
                                        ArrayRef<Type> operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    p << result;
  else
    p.printFunctionalType(operands, ArrayRef<Type>(result));
}

//===----------------------------------------------------------------------===//
// Complex, select
//===----------------------------------------------------------------------===//

/// tensor<T> of tensor<complex<T>>, null for other types.
static Type partOfComplex(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return nullptr;
  auto element = dyn_cast<ComplexType>(tensor.getElementType());
  return element ? tensor.clone(element.getElementType()) : Type();
}

ParseResult mlir::dhlo::parseComplexOpType(OpAsmParser &parser, Type &lhs,
                                           Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignFunctionType(parser, loc, function, {&lhs, &rhs}, result);
  result = type;
  lhs = rhs = partOfComplex(type);
  if (!lhs)
    return parser.emitError(loc, "expected a tensor of complex numbers, got ")
           << type;
  return success();
}

void mlir::dhlo::printComplexOpType(OpAsmPrinter &p, Operation *, Type lhs,
                                    Type rhs, Type result) {
  if (lhs == rhs && partOfComplex(result) == lhs)
    p << result;
  else
    p.printFunctionalType(ArrayRef<Type>{lhs, rhs}, ArrayRef<Type>(result));
}

ParseResult mlir::dhlo::parseSelectOpType(OpAsmParser &parser, Type &pred,
                                          Type &onTrue, Type &onFalse,
                                          Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 2) {
    pred = types[0];
    onTrue = onFalse = result = types[1];
    return success();
  }
  if (auto function = dyn_cast<FunctionType>(types.front());
      function && types.size() == 1)
    return assignFunctionType(parser, loc, function,
                              {&pred, &onTrue, &onFalse}, result);
  return parser.emitError(loc, "expected two types or a function type, got ")
         << types.size() << " types";
}

void mlir::dhlo::printSelectOpType(OpAsmPrinter &p, Operation *, Type pred,
                                   Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    p << pred << ", " << result;
  else
    p.printFunctionalType(ArrayRef<Type>{pred, onTrue, onFalse},
                          ArrayRef<Type>(result));
}

//===----------------------------------------------------------------------===//
// Lists of types
//===----------------------------------------------------------------------===//

ParseResult mlir::dhlo::parseTupleOpType(OpAsmParser &parser,
                                         SmallVectorImpl<Type> &operands,
                                         Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc, "expected a tuple type, got ") << result;
  llvm::append_range(operands, tuple.getTypes());
  return success();
}

void mlir::dhlo::printTupleOpType(OpAsmPrinter &p, Operation *, TypeRange,
                                  Type result) {
  p << result;
}

ParseResult mlir::dhlo::parsePairwiseOpType(OpAsmParser &parser,
                                            SmallVectorImpl<Type> &operands,
                                            SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void mlir::dhlo::printPairwiseOpType(OpAsmPrinter &p, Operation *, TypeRange,
                                     TypeRange results) {
  llvm::interleaveComma(results, p);
}

ParseResult mlir::dhlo::parseVariadicSameOperandsAndResultType(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
    SmallVectorImpl<Type> &operandTypes, Type &result) {
  if (parser.parseType(result))
    return failure();
  operandTypes.assign(operands.size(), result);
  return success();
}

void mlir::dhlo::printVariadicSameOperandsAndResultType(OpAsmPrinter &p,
                                                        Operation *,
                                                        OperandRange, TypeRange,
                                                        Type result) {
  p << result;
}

ParseResult mlir::dhlo::parseCustomCallTarget(OpAsmParser &parser,
                                              StringAttr &target) {
  return parser.parseSymbolName(target);
}

void mlir::dhlo::printCustomCallTarget(OpAsmPrinter &p, Operation *,
                                       StringAttr target) {
  p.printSymbolName(target.getValue());
}
