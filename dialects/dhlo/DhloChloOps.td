// The elementwise and broadcasting ops of CHLO.

#ifndef DISC_DIALECTS_DHLO_CHLO_OPS_TD
#define DISC_DIALECTS_DHLO_CHLO_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "dialects/dhlo/DhloBase.td"

//===----------------------------------------------------------------------===//
// Unary ops
//===----------------------------------------------------------------------===//

class Dhlo_ChloUnaryOp<string mnemonic, Type type = Dhlo_FpOrComplexTensor,
                       string rule = "Same">
    : Dhlo_InferredElementwiseOp<mnemonic, rule, !if(!eq(rule, "Same"),
                                 [Dhlo_SameElementType], [])> {
  let arguments = (ins type:$operand);
  let results = (outs Dhlo_Tensor:$result);
  // CHLO's `T -> T` is read too.
  let assemblyFormat = [{
    $operand attr-dict
    `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

def Dhlo_AcosOp : Dhlo_ChloUnaryOp<"acos"> {
  let summary = "Arc cosine";
}
def Dhlo_AcoshOp : Dhlo_ChloUnaryOp<"acosh"> {
  let summary = "Inverse hyperbolic cosine";
}
def Dhlo_AsinAcosKernelOp : Dhlo_ChloUnaryOp<"_asin_acos_kernel",
                                             Dhlo_ComplexTensor> {
  let summary = "The common part of complex arc sine and arc cosine";
}
def Dhlo_AsinOp : Dhlo_ChloUnaryOp<"asin"> {
  let summary = "Arc sine";
}
def Dhlo_AsinhOp : Dhlo_ChloUnaryOp<"asinh"> {
  let summary = "Inverse hyperbolic sine";
}
def Dhlo_AtanOp : Dhlo_ChloUnaryOp<"atan"> {
  let summary = "Arc tangent";
}
def Dhlo_AtanhOp : Dhlo_ChloUnaryOp<"atanh"> {
  let summary = "Inverse hyperbolic tangent";
}
def Dhlo_BesselI1eOp : Dhlo_ChloUnaryOp<"bessel_i1e", Dhlo_FpTensor> {
  let summary = "Exponentially scaled modified Bessel function of order 1";
}
def Dhlo_ConjOp : Dhlo_ChloUnaryOp<"conj", Dhlo_Tensor> {
  let summary = "Complex conjugate";
}
def Dhlo_CoshOp : Dhlo_ChloUnaryOp<"cosh"> {
  let summary = "Hyperbolic cosine";
}
def Dhlo_DigammaOp : Dhlo_ChloUnaryOp<"digamma", Dhlo_FpTensor> {
  let summary = "Derivative of the logarithm of the gamma function";
}
def Dhlo_ErfOp : Dhlo_ChloUnaryOp<"erf", Dhlo_FpTensor> {
  let summary = "Error function";
}
def Dhlo_ErfInvOp : Dhlo_ChloUnaryOp<"erf_inv", Dhlo_FpTensor> {
  let summary = "Inverse error function";
}
def Dhlo_ErfcOp : Dhlo_ChloUnaryOp<"erfc", Dhlo_FpTensor> {
  let summary = "Complementary error function";
}
def Dhlo_IsInfOp : Dhlo_ChloUnaryOp<"is_inf", Dhlo_FpTensor, "Pred"> {
  let summary = "Whether a number is infinite";
}
def Dhlo_IsNegInfOp : Dhlo_ChloUnaryOp<"is_neg_inf", Dhlo_FpTensor, "Pred"> {
  let summary = "Whether a number is minus infinity";
}
def Dhlo_IsPosInfOp : Dhlo_ChloUnaryOp<"is_pos_inf", Dhlo_FpTensor, "Pred"> {
  let summary = "Whether a number is plus infinity";
}
def Dhlo_LgammaOp : Dhlo_ChloUnaryOp<"lgamma", Dhlo_FpTensor> {
  let summary = "Logarithm of the gamma function's absolute value";
}
def Dhlo_SinhOp : Dhlo_ChloUnaryOp<"sinh"> {
  let summary = "Hyperbolic sine";
}
def Dhlo_SquareOp : Dhlo_ChloUnaryOp<"square", Dhlo_IntFpOrComplexTensor> {
  let summary = "x * x";
}

def Dhlo_ConstantLikeOp : Dhlo_InferredElementwiseOp<"constant_like", "Same",
                                                     [Dhlo_SameElementType]> {
  let summary = "A constant of the operand's shape";
  let arguments = (ins TypedAttrInterface:$value, Dhlo_Tensor:$operand);
  let results = (outs Dhlo_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Binary ops
//===----------------------------------------------------------------------===//

class Dhlo_ChloBinaryOp<string mnemonic, Type type, list<string> names>
    : Dhlo_InferredElementwiseOp<mnemonic, "Same", [Dhlo_SameElementType]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = "$" # names[0] # " `,` $" # names[1]
      # " attr-dict `:` custom<SameOperandsAndResultType>(type($" # names[0]
      # "), type($" # names[1] # "), type($result))";
}

def Dhlo_MulhiOp : Dhlo_ChloBinaryOp<"mulhi", Dhlo_IntTensor, ["lhs", "rhs"]> {
  let summary = "Upper half of the double-width product";
}
def Dhlo_NextAfterOp : Dhlo_ChloBinaryOp<"next_after", Dhlo_FpTensor,
                                         ["x", "y"]> {
  let summary = "The next number after x in the direction of y";
  let arguments = (ins Dhlo_FpTensor:$x, Dhlo_FpTensor:$y);
}
def Dhlo_PolygammaOp : Dhlo_ChloBinaryOp<"polygamma", Dhlo_FpTensor,
                                         ["n", "x"]> {
  let summary = "The n-th derivative of digamma at x";
  let arguments = (ins Dhlo_FpTensor:$n, Dhlo_FpTensor:$x);
}
def Dhlo_ZetaOp : Dhlo_ChloBinaryOp<"zeta", Dhlo_FpTensor, ["x", "q"]> {
  let summary = "Hurwitz zeta function";
  let arguments = (ins Dhlo_FpTensor:$x, Dhlo_FpTensor:$q);
}

//===----------------------------------------------------------------------===//
// Broadcasting ops
//===----------------------------------------------------------------------===//

// Sizes match, or one of them is 1; `broadcast_dimensions` place the operand of
// lower rank, whose dimensions are the trailing ones otherwise.
class Dhlo_ImplicitBroadcastOp<string mnemonic, list<Trait> traits = []>
    : Dhlo_Op<mnemonic, traits # [Pure, Dhlo_Infer, Dhlo_Reify]> {
  let results = (outs Dhlo_Tensor:$result);
  let extraClassDeclaration = Dhlo_CompatibleTypes;
}
class Dhlo_BroadcastBinaryOp<string mnemonic, Type type>
    : Dhlo_ImplicitBroadcastOp<mnemonic> {
  let arguments = (ins type:$lhs, type:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let summary = "`dhlo." # !substr(mnemonic, !size("broadcast_"))
                # "` with implicit broadcast";
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
    `:` `(` type($lhs) `,` type($rhs) `)` `->` type($result)
  }];
}

def Dhlo_BroadcastAddOp : Dhlo_BroadcastBinaryOp<"broadcast_add", Dhlo_Tensor>;
def Dhlo_BroadcastAndOp : Dhlo_BroadcastBinaryOp<"broadcast_and",
                                                 Dhlo_PredOrIntTensor>;
def Dhlo_BroadcastAtan2Op : Dhlo_BroadcastBinaryOp<"broadcast_atan2",
                                                   Dhlo_FpOrComplexTensor>;
def Dhlo_BroadcastDivOp : Dhlo_BroadcastBinaryOp<"broadcast_divide",
                                                 Dhlo_IntFpOrComplexTensor>;
def Dhlo_BroadcastMaxOp : Dhlo_BroadcastBinaryOp<"broadcast_maximum",
                                                 Dhlo_Tensor>;
def Dhlo_BroadcastMinOp : Dhlo_BroadcastBinaryOp<"broadcast_minimum",
                                                 Dhlo_Tensor>;
def Dhlo_BroadcastMulOp : Dhlo_BroadcastBinaryOp<"broadcast_multiply",
                                                 Dhlo_Tensor>;
def Dhlo_BroadcastNextAfterOp : Dhlo_BroadcastBinaryOp<"broadcast_next_after",
                                                       Dhlo_FpTensor>;
def Dhlo_BroadcastOrOp : Dhlo_BroadcastBinaryOp<"broadcast_or",
                                                Dhlo_PredOrIntTensor>;
def Dhlo_BroadcastPolygammaOp : Dhlo_BroadcastBinaryOp<"broadcast_polygamma",
                                                       Dhlo_FpTensor>;
def Dhlo_BroadcastPowOp : Dhlo_BroadcastBinaryOp<"broadcast_power",
                                                 Dhlo_IntFpOrComplexTensor>;
def Dhlo_BroadcastRemOp : Dhlo_BroadcastBinaryOp<"broadcast_remainder",
                                                 Dhlo_IntFpOrComplexTensor>;
def Dhlo_BroadcastShiftLeftOp
    : Dhlo_BroadcastBinaryOp<"broadcast_shift_left", Dhlo_IntTensor>;
def Dhlo_BroadcastShiftRightArithmeticOp
    : Dhlo_BroadcastBinaryOp<"broadcast_shift_right_arithmetic",
                             Dhlo_IntTensor>;
def Dhlo_BroadcastShiftRightLogicalOp
    : Dhlo_BroadcastBinaryOp<"broadcast_shift_right_logical", Dhlo_IntTensor>;
def Dhlo_BroadcastSubOp : Dhlo_BroadcastBinaryOp<"broadcast_subtract",
                                                 Dhlo_IntFpOrComplexTensor>;
def Dhlo_BroadcastXorOp : Dhlo_BroadcastBinaryOp<"broadcast_xor",
                                                 Dhlo_PredOrIntTensor>;
def Dhlo_BroadcastZetaOp : Dhlo_BroadcastBinaryOp<"broadcast_zeta",
                                                  Dhlo_FpTensor>;
def Dhlo_BroadcastComplexOp : Dhlo_BroadcastBinaryOp<"broadcast_complex",
                                                     Dhlo_FpTensor>;

def Dhlo_BroadcastCompareOp : Dhlo_BroadcastBinaryOp<"broadcast_compare",
                                                     Dhlo_Tensor> {
  let arguments = (ins Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
                       Dhlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Dhlo_ComparisonTypeAttr>:$compare_type);
}

def Dhlo_BroadcastSelectOp : Dhlo_ImplicitBroadcastOp<"broadcast_select"> {
  let summary = "`dhlo.select` with implicit broadcast of all operands";
  let arguments = (ins Dhlo_PredTensor:$pred, Dhlo_Tensor:$on_true,
                       Dhlo_Tensor:$on_false);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict
    `:` `(` type($pred) `,` type($on_true) `,` type($on_false) `)`
    `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def Dhlo_TopKOp : Dhlo_InferOp<"top_k", [Pure]> {
  let summary = "The k largest elements of the last dimension, and where";
  let arguments = (ins Dhlo_Tensor:$operand, I64Attr:$k);
  let results = (outs Dhlo_Tensor:$values, Dhlo_IntTensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict
    `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

def Dhlo_ScanOp : Dhlo_ReifyOp<"scan", [
    AttrSizedOperandSegments, AttrSizedResultSegments,
    RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"::mlir::dhlo::ReturnOp">]> {
  let summary = "Carry values along a dimension";
  let arguments = (ins Variadic<Dhlo_Tensor>:$inputs,
                       Variadic<Dhlo_Tensor>:$inits,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension,
                       DefaultValuedAttr<BoolAttr, "false">:$is_reverse,
                       OptionalAttr<BoolAttr>:$is_associative);
  let results = (outs Variadic<Dhlo_Tensor>:$outputs,
                      Variadic<Dhlo_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // DISC_DIALECTS_DHLO_CHLO_OPS_TD
