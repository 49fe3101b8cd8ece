// Dots, convolutions, einsum.

#ifndef DISC_DIALECTS_DHLO_CONTRACTION_OPS_TD
#define DISC_DIALECTS_DHLO_CONTRACTION_OPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "dialects/dhlo/DhloShapeFunctions.td"

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

def Dhlo_DotOp : Dhlo_ShapedOp<"dot"> {
  let summary = "product of vectors and matrices";
  let description = [{
    Contracts the last dimension of `lhs` with the first of `rhs`.

    ```mlir
    %r = dhlo.dot %a, %b, precision = [DEFAULT, DEFAULT]
       : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs,
    OptionalAttr<Dhlo_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionConfig>($precision_config) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_DotGeneralOp : Dhlo_ShapedOp<"dot_general"> {
  let summary = "product over contracting dimensions, for each batch index";
  let description = [{
    The dimensions of the result are the batching ones, then the others of
    `lhs`, then the others of `rhs`.

    ```mlir
    %r = dhlo.dot_general %a, %b, batching_dims = [0] x [0],
           contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT]
       : (tensor<?x?x64xf32>, tensor<?x64x?xf32>) -> tensor<?x?x?xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs,
    Dhlo_DotDimensionNumbersAttr:$dot_dimension_numbers,
    OptionalAttr<Dhlo_PrecisionConfigAttr>:$precision_config,
    OptionalAttr<Dhlo_DotAlgorithmAttr>:$algorithm
  );
  let results = (outs Dhlo_Tensor:$result);
  let builders = [
    OpBuilder<(ins "Type":$resultType, "Value":$lhs, "Value":$rhs,
                   "DotDimensionNumbersAttr":$numbers), [{
      build($_builder, $_state, resultType, lhs, rhs, numbers, ArrayAttr(),
            DotAlgorithmAttr());
    }]>];
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers)
    `` custom<PrecisionConfigAndAlgorithm>($precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_RaggedDotOp : Dhlo_Op<"ragged_dot", [Pure]> {
  let summary = "product of the groups of rows of `lhs` with one `rhs` each";
  let description = "Only parsed and printed so far.";
  let arguments = (ins
    Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs, Dhlo_IntTensor:$group_sizes,
    AnyAttr:$ragged_dot_dimension_numbers,
    OptionalAttr<Dhlo_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $group_sizes attr-dict `:`
    functional-type(operands, results)
  }];
}

def Dhlo_EinsumOp : Dhlo_ShapedOp<"einsum"> {
  let summary = "product of two tensors in Einstein's notation";
  let description = [{
    ```mlir
    %r = dhlo.einsum %a, %b, config = "ij,jk->ik"
       : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs,
                       StrAttr:$einsum_config);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_UnaryEinsumOp : Dhlo_ShapedOp<"unary_einsum"> {
  let summary = "transposes, sums and diagonals in Einstein's notation";
  let arguments = (ins Dhlo_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

def Dhlo_ConvolutionOp : Dhlo_ShapedOp<"convolution"> {
  let summary = "convolution with strides, padding, dilation and groups";
  let description = [{
    ```mlir
    %r = dhlo.convolution(%x, %w)
           dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
           window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
           {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
       : (tensor<?x?x?x3xf32>, tensor<3x3x3x8xf32>) -> tensor<?x?x?x8xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Dhlo_ConvDimensionNumbersAttr:$dimension_numbers,
    ConfinedAttr<I64Attr, [IntPositive]>:$feature_group_count,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch_group_count,
    OptionalAttr<Dhlo_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=`
    custom<ConvolutionDimensions>($dimension_numbers) `,` `window` `=` `{`
    custom<WindowAttributes>($window_strides, $padding, $lhs_dilation,
                             $rhs_dilation, $window_reversal)
    `}` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_DynamicConvOp : Dhlo_ShapedOp<"dynamic_conv"> {
  let summary = "`convolution` with the padding that a tensor holds";
  let arguments = (ins
    Dhlo_Tensor:$lhs, Dhlo_Tensor:$rhs, Dhlo_IntTensor:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Dhlo_ConvDimensionNumbersAttr:$dimension_numbers,
    ConfinedAttr<I64Attr, [IntPositive]>:$feature_group_count,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch_group_count,
    OptionalAttr<Dhlo_PrecisionConfigAttr>:$precision_config
  );
  let results = (outs Dhlo_Tensor:$result);
  let hasVerifier = 1;
}

#endif // DISC_DIALECTS_DHLO_CONTRACTION_OPS_TD
