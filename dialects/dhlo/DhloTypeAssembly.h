// The `custom<...>` parts of op assembly that abbreviate types.
#ifndef DISC_DIALECTS_DHLO_DHLOTYPEASSEMBLY_H
#define DISC_DIALECTS_DHLO_DHLOTYPEASSEMBLY_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::dhlo {

class ConvDimensionNumbersAttr;

namespace detail {
ParseResult parseSameTypes(OpAsmParser &parser, ArrayRef<Type *> operands,
                           Type &result);
void printSameTypes(OpAsmPrinter &p, ArrayRef<Type> operands, Type result);

template <typename... Types, size_t... I>
ParseResult parseSameTypes(OpAsmParser &parser, std::tuple<Types &...> types,
                           std::index_sequence<I...>) {
  return parseSameTypes(parser, {&std::get<I>(types)...},
                        std::get<sizeof...(I)>(types));
}
} // namespace detail

/// `T` when all types are T, otherwise `(T, T) -> T`. CHLO's `T, T -> T` is
/// read too.
template <typename... Types>
ParseResult parseSameOperandsAndResultType(OpAsmParser &parser,
                                           Types &...types) {
  return detail::parseSameTypes(
      parser, std::tie(types...),
      std::make_index_sequence<sizeof...(Types) - 1>());
}
template <typename... Types>
void printSameOperandsAndResultType(OpAsmPrinter &p, Operation *,
                                    Types... types) {
  Type all[] = {types...};
  detail::printSameTypes(p, ArrayRef<Type>(all).drop_back(),
                         all[sizeof...(Types) - 1]);
}

/// `tensor<complex<f32>>` for two parts of type tensor<f32>.
ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs,
                               Type &result);
void printComplexOpType(OpAsmPrinter &p, Operation *op, Type lhs, Type rhs,
                        Type result);

/// `P, T` when both branches and the result are of type T.
ParseResult parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue,
                              Type &onFalse, Type &result);
void printSelectOpType(OpAsmPrinter &p, Operation *op, Type pred, Type onTrue,
                       Type onFalse, Type result);

/// `tuple<T0, T1>`, which names the operand types as well.
ParseResult parseTupleOpType(OpAsmParser &parser,
                             SmallVectorImpl<Type> &operands, Type &result);
void printTupleOpType(OpAsmPrinter &p, Operation *op, TypeRange operands,
                      Type result);

/// `T0, T1`, types of operands and of results.
ParseResult parsePairwiseOpType(OpAsmParser &parser,
                                SmallVectorImpl<Type> &operands,
                                SmallVectorImpl<Type> &results);
void printPairwiseOpType(OpAsmPrinter &p, Operation *op, TypeRange operands,
                         TypeRange results);

/// `T`, the type of every operand and of the result.
ParseResult parseVariadicSameOperandsAndResultType(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
    SmallVectorImpl<Type> &operandTypes, Type &result);
void printVariadicSameOperandsAndResultType(OpAsmPrinter &p, Operation *op,
                                            OperandRange operands,
                                            TypeRange operandTypes,
                                            Type result);

/// `@target`.
ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target);
void printCustomCallTarget(OpAsmPrinter &p, Operation *op, StringAttr target);

/// `[b, 0, f]x[0, i, o]->[b, 0, f]`.
ParseResult parseConvDimensions(AsmParser &parser,
                                ConvDimensionNumbersAttr &numbers);
void printConvDimensions(AsmPrinter &p, ConvDimensionNumbersAttr numbers);

} // namespace mlir::dhlo

#endif // DISC_DIALECTS_DHLO_DHLOTYPEASSEMBLY_H
