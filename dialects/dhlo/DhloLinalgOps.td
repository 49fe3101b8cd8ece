// Linear algebra, transforms, random numbers.

#ifndef DISC_DIALECTS_DHLO_LINALG_OPS_TD
#define DISC_DIALECTS_DHLO_LINALG_OPS_TD

include "dialects/dhlo/DhloShapeFunctions.td"

def Dhlo_CholeskyOp : Dhlo_InferredOp<"cholesky"> {
  let summary = "Cholesky decomposition of positive definite matrices";
  let description = [{
    ```mlir
    %r = dhlo.cholesky %a, lower = true : tensor<?x3x3xf32>
    ```
  }];
  let arguments = (ins Dhlo_FpOrComplexTensor:$a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Dhlo_FpOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:`
    custom<SameOperandsAndResultType>(type($a), type($result))
  }];
}

def Dhlo_TriangularSolveOp : Dhlo_InferredOp<"triangular_solve"> {
  let summary = "solves systems of equations with triangular matrices";
  let description = [{
    `op(a) * x = b` with `left_side`, otherwise `x * op(a) = b`.
  }];
  let arguments = (ins
    Dhlo_FpOrComplexTensor:$a, Dhlo_FpOrComplexTensor:$b,
    BoolAttr:$left_side, BoolAttr:$lower, BoolAttr:$unit_diagonal,
    Dhlo_TransposeAttr:$transpose_a
  );
  let results = (outs Dhlo_FpOrComplexTensor:$result);
}

def Dhlo_FftOp : Dhlo_InferredOp<"fft"> {
  let summary = "Fourier transforms over the last dimensions";
  let description = [{
    ```mlir
    %r = dhlo.fft %x, type = RFFT, length = [8]
       : (tensor<?x8xf32>) -> tensor<?x5xcomplex<f32>>
    ```
  }];
  let arguments = (ins Dhlo_FpOrComplexTensor:$operand,
                       Dhlo_FftTypeAttr:$fft_type,
                       DenseI64ArrayAttr:$fft_length);
  let results = (outs Dhlo_FpOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict
    `:` functional-type(operands, results)
  }];
}

def Dhlo_RngOp : Dhlo_Op<"rng", [Dhlo_Reify]> {
  let summary = "random numbers of a distribution with parameters `a` and `b`";
  let description = [{
    ```mlir
    %r = dhlo.rng %a, %b, %shape, distribution = UNIFORM
       : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Dhlo_ScalarTensor:$a, Dhlo_ScalarTensor:$b,
                       Dhlo_DimensionTensor:$shape,
                       Dhlo_RngDistributionAttr:$rng_distribution);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_RngBitGeneratorOp : Dhlo_Op<"rng_bit_generator", [Pure]> {
  let summary = "random bits from a state, and the next state";
  let description = [{
    ```mlir
    %s, %r = dhlo.rng_bit_generator %state, algorithm = THREE_FRY
       : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    ```
  }];
  let arguments = (ins Dhlo_RngAlgorithmAttr:$rng_algorithm,
                       Dhlo_Tensor:$initial_state);
  let results = (outs Dhlo_Tensor:$output_state, Dhlo_StaticTensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // DISC_DIALECTS_DHLO_LINALG_OPS_TD
