// Constants, iota and the elementwise ops of StableHLO.

#ifndef DISC_DIALECTS_DHLO_ELEMENTWISE_OPS_TD
#define DISC_DIALECTS_DHLO_ELEMENTWISE_OPS_TD

include "mlir/IR/OpAsmInterface.td"
include "dialects/dhlo/DhloBase.td"

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

def Dhlo_ConstantOp : Dhlo_Op<"constant", [ConstantLike, Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>, Dhlo_Reify]> {
  let summary = "A tensor given by its value";
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange actual);
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Dhlo_StaticTensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::Attribute":$value)>];
}

def Dhlo_IotaOp : Dhlo_Op<"iota", [Pure, Dhlo_Reify]> {
  let summary = "Numbers that count up along a dimension";
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs Dhlo_Tensor:$output);
  let assemblyFormat =
      "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def Dhlo_DynamicIotaOp : Dhlo_ReifyOp<"dynamic_iota", [Pure]> {
  let summary = "Iota of a shape that is known at run time";
  let arguments = (ins Dhlo_DimensionTensor:$output_shape,
                       I64Attr:$iota_dimension);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Unary ops
//===----------------------------------------------------------------------===//

class Dhlo_UnaryOp<string mnemonic, Type type, string rule = "Same">
    : Dhlo_InferredElementwiseOp<mnemonic, rule, !if(!eq(rule, "Same"),
                                 [Dhlo_SameElementType], [])> {
  let arguments = (ins type:$operand);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

// A transcendental function; `result_accuracy` is what its caller asks for.
class Dhlo_AccurateUnaryOp<string mnemonic, Type type>
    : Dhlo_UnaryOp<mnemonic, type> {
  let arguments = (ins type:$operand,
                       OptionalAttr<Dhlo_ResultAccuracyAttr>:$result_accuracy);
}

def Dhlo_AbsOp : Dhlo_UnaryOp<"abs", Dhlo_SIntFpComplexOrQuantizedTensor,
                              "RealOfComplex"> {
  let summary = "Absolute value, modulus of a complex number";
}
def Dhlo_CbrtOp : Dhlo_AccurateUnaryOp<"cbrt", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Cube root";
}
def Dhlo_CeilOp : Dhlo_UnaryOp<"ceil", Dhlo_FpOrQuantizedTensor> {
  let summary = "Round towards plus infinity";
}
def Dhlo_ClzOp : Dhlo_UnaryOp<"count_leading_zeros", Dhlo_IntTensor> {
  let summary = "Number of leading zero bits";
}
def Dhlo_CosineOp : Dhlo_AccurateUnaryOp<"cosine",
                                         Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Cosine";
}
def Dhlo_ExpOp : Dhlo_AccurateUnaryOp<"exponential",
                                      Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "exp(x)";
}
def Dhlo_Expm1Op : Dhlo_AccurateUnaryOp<"exponential_minus_one",
                                        Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "exp(x) - 1 without cancellation";
}
def Dhlo_FloorOp : Dhlo_UnaryOp<"floor", Dhlo_FpOrQuantizedTensor> {
  let summary = "Round towards minus infinity";
}
def Dhlo_ImagOp : Dhlo_UnaryOp<"imag", Dhlo_FpOrComplexTensor,
                               "RealOfComplex"> {
  let summary = "Imaginary part; zero of a real number";
}
def Dhlo_LogOp : Dhlo_AccurateUnaryOp<"log", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Natural logarithm";
}
def Dhlo_Log1pOp : Dhlo_AccurateUnaryOp<"log_plus_one",
                                        Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "log(1 + x) without cancellation";
}
def Dhlo_LogisticOp : Dhlo_AccurateUnaryOp<"logistic",
                                           Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "1 / (1 + exp(-x))";
}
def Dhlo_NegOp : Dhlo_UnaryOp<"negate", Dhlo_IntFpComplexOrQuantizedTensor> {
  let summary = "Negation; wraps for integers";
  let hasFolder = 1;
}
def Dhlo_NotOp : Dhlo_UnaryOp<"not", Dhlo_PredOrIntTensor> {
  let summary = "Logical or bitwise complement";
  let hasFolder = 1;
}
def Dhlo_PopulationCountOp : Dhlo_UnaryOp<"popcnt", Dhlo_IntTensor> {
  let summary = "Number of bits that are set";
}
def Dhlo_RealOp : Dhlo_UnaryOp<"real", Dhlo_FpOrComplexTensor,
                               "RealOfComplex"> {
  let summary = "Real part";
  let hasFolder = 1;
}
def Dhlo_RoundOp : Dhlo_UnaryOp<"round_nearest_afz", Dhlo_FpOrQuantizedTensor> {
  let summary = "Round to the nearest integer, ties away from zero";
}
def Dhlo_RoundNearestEvenOp : Dhlo_UnaryOp<"round_nearest_even",
                                           Dhlo_FpOrQuantizedTensor> {
  let summary = "Round to the nearest integer, ties to even";
}
def Dhlo_RsqrtOp : Dhlo_AccurateUnaryOp<"rsqrt",
                                        Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "1 / sqrt(x)";
}
def Dhlo_SignOp : Dhlo_UnaryOp<"sign", Dhlo_SIntFpComplexOrQuantizedTensor> {
  let summary = "-1, 0 or 1; x / |x| of a complex number";
}
def Dhlo_SineOp : Dhlo_AccurateUnaryOp<"sine", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Sine";
}
def Dhlo_SqrtOp : Dhlo_AccurateUnaryOp<"sqrt", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Square root";
}
def Dhlo_TanOp : Dhlo_AccurateUnaryOp<"tan", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Tangent";
}
def Dhlo_TanhOp : Dhlo_AccurateUnaryOp<"tanh", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Hyperbolic tangent";
}

def Dhlo_IsFiniteOp : Dhlo_InferredElementwiseOp<"is_finite", "Pred"> {
  let summary = "Whether a number is neither infinite nor NaN";
  let arguments = (ins Dhlo_FpOrQuantizedTensor:$x);
  let results = (outs Dhlo_PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Dhlo_ReducePrecisionOp : Dhlo_InferredElementwiseOp<"reduce_precision",
    "Same", [Dhlo_SameElementType]> {
  let summary = "Round to a format of fewer bits, keep the type";
  let arguments = (ins Dhlo_FpOrQuantizedTensor:$operand,
                       I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs Dhlo_FpOrQuantizedTensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=`
    custom<ExponentMantissa>($exponent_bits, $mantissa_bits) attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($output))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

def Dhlo_ConvertOp : Dhlo_ElementwiseOp<"convert"> {
  let summary = "Convert to another element type";
  let arguments = (ins Dhlo_Tensor:$operand);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::mlir::Type":$elementType)>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Dhlo_BitcastConvertOp : Dhlo_ReifyOp<"bitcast_convert", [Pure]> {
  let summary = "Read the bits as another element type";
  let arguments = (ins Dhlo_Tensor:$operand);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class Dhlo_QuantizationOp<string mnemonic, Type from, Type to>
    : Dhlo_ElementwiseOp<mnemonic> {
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $operand attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let hasVerifier = 1;
}
def Dhlo_UniformQuantizeOp : Dhlo_QuantizationOp<"uniform_quantize",
    Dhlo_TensorOf<[Dhlo_Float, Dhlo_SInt, Dhlo_Quantized]>,
    Dhlo_QuantizedTensor> {
  let summary = "Convert to a quantized type";
}
def Dhlo_UniformDequantizeOp : Dhlo_QuantizationOp<"uniform_dequantize",
    Dhlo_QuantizedTensor, Dhlo_FpTensor> {
  let summary = "Convert a quantized tensor to its expressed type";
}

//===----------------------------------------------------------------------===//
// Binary ops
//===----------------------------------------------------------------------===//

class Dhlo_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Dhlo_InferredElementwiseOp<mnemonic, "Same",
                                 [Dhlo_SameElementType] # traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    `:` custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))
  }];
}

def Dhlo_AddOp : Dhlo_BinaryOp<"add", Dhlo_Tensor, [Commutative]> {
  let summary = "Sum; logical or of i1";
  let hasFolder = 1;
}
def Dhlo_Atan2Op : Dhlo_BinaryOp<"atan2", Dhlo_FpComplexOrQuantizedTensor> {
  let summary = "Angle of the point (rhs, lhs)";
}
def Dhlo_DivOp : Dhlo_BinaryOp<"divide", Dhlo_IntFpComplexOrQuantizedTensor> {
  let summary = "Quotient; integers truncate, x / 0 is all ones";
  let hasFolder = 1;
}
def Dhlo_MaxOp : Dhlo_BinaryOp<"maximum", Dhlo_Tensor, [Commutative]> {
  let summary = "Maximum; NaN wins";
  let hasFolder = 1;
}
def Dhlo_MinOp : Dhlo_BinaryOp<"minimum", Dhlo_Tensor, [Commutative]> {
  let summary = "Minimum; NaN wins";
  let hasFolder = 1;
}
def Dhlo_MulOp : Dhlo_BinaryOp<"multiply", Dhlo_Tensor, [Commutative]> {
  let summary = "Product; logical and of i1";
  let hasFolder = 1;
}
def Dhlo_PowOp : Dhlo_BinaryOp<"power", Dhlo_IntFpComplexOrQuantizedTensor> {
  let summary = "lhs to the power rhs";
}
def Dhlo_RemOp : Dhlo_BinaryOp<"remainder", Dhlo_IntFpComplexOrQuantizedTensor> {
  let summary = "Remainder with the dividend's sign; x rem 0 is x";
  let hasFolder = 1;
}
def Dhlo_ShiftLeftOp : Dhlo_BinaryOp<"shift_left", Dhlo_IntTensor> {
  let summary = "Shift left; 0 when shifted out";
  let hasFolder = 1;
}
def Dhlo_ShiftRightArithmeticOp : Dhlo_BinaryOp<"shift_right_arithmetic",
                                                Dhlo_IntTensor> {
  let summary = "Shift right, the sign is repeated";
  let hasFolder = 1;
}
def Dhlo_ShiftRightLogicalOp : Dhlo_BinaryOp<"shift_right_logical",
                                             Dhlo_IntTensor> {
  let summary = "Shift right, zeros come in";
  let hasFolder = 1;
}
def Dhlo_SubtractOp : Dhlo_BinaryOp<"subtract",
                                    Dhlo_IntFpComplexOrQuantizedTensor> {
  let summary = "Difference";
  let hasFolder = 1;
}
def Dhlo_AndOp : Dhlo_BinaryOp<"and", Dhlo_PredOrIntTensor, [Commutative]> {
  let summary = "Logical or bitwise and";
  let hasFolder = 1;
}
def Dhlo_OrOp : Dhlo_BinaryOp<"or", Dhlo_PredOrIntTensor, [Commutative]> {
  let summary = "Logical or bitwise or";
  let hasFolder = 1;
}
def Dhlo_XorOp : Dhlo_BinaryOp<"xor", Dhlo_PredOrIntTensor, [Commutative]> {
  let summary = "Logical or bitwise exclusive or";
  let hasFolder = 1;
}

def Dhlo_ComplexOp : Dhlo_InferredElementwiseOp<"complex", "ComplexOfReal"> {
  let summary = "A complex number from its real and imaginary part";
  let arguments = (ins Dhlo_FpTensor:$lhs, Dhlo_FpTensor:$rhs);
  let results = (outs Dhlo_ComplexTensor:$result);
  let assemblyFormat = [{
    operands attr-dict
    `:` custom<ComplexOpType>(type($lhs), type($rhs), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

def Dhlo_CompareOp : Dhlo_InferredElementwiseOp<"compare", "Pred"> {
  let summary = "Compare elements";
  let arguments = (ins Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs,
                       Dhlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Dhlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Dhlo_PredTensor:$result);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins
      "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::mlir::dhlo::ComparisonDirection":$direction,
      CArg<"::mlir::dhlo::ComparisonType",
           "::mlir::dhlo::ComparisonType::NOTYPE">:$type)>];
  let hasFolder = 1;
}

def Dhlo_SelectOp : Dhlo_InferredElementwiseOp<"select", "Select"> {
  let summary = "Choose between two tensors by a predicate";
  let arguments = (ins Dhlo_PredTensor:$pred, Dhlo_Tensor:$on_true,
                       Dhlo_Tensor:$on_false);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict
    `:` custom<SelectOpType>(type($pred), type($on_true), type($on_false),
                             type($result))
  }];
  let hasFolder = 1;
}

def Dhlo_ClampOp : Dhlo_InferredElementwiseOp<"clamp", "Clamp",
                                              [Dhlo_SameElementType]> {
  let summary = "min(max(operand, min), max)";
  let arguments = (ins Dhlo_Tensor:$min, Dhlo_Tensor:$operand,
                       Dhlo_Tensor:$max);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict
    `:` custom<SameOperandsAndResultType>(type($min), type($operand),
                                          type($max), type($result))
  }];
}

#endif // DISC_DIALECTS_DHLO_ELEMENTWISE_OPS_TD
