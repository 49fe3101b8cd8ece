// Reductions, windows, sort, batch norm.

#ifndef DISC_DIALECTS_DHLO_REDUCTION_OPS_TD
#define DISC_DIALECTS_DHLO_REDUCTION_OPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "dialects/dhlo/DhloShapeFunctions.td"

def Dhlo_Padding : OptionalAttr<I64ElementsAttr>;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Dhlo_ReduceOp : Dhlo_RegionOp<"reduce",
    [SameVariadicOperandSize, Dhlo_InferTypes]> {
  let summary = "folds tensors along dimensions by a region";
  let description = [{
    The order of the applications is not fixed. Where no element is folded, the
    result has the initial value.

    ```mlir
    %r = dhlo.reduce(%x init: %zero) applies dhlo.add across dimensions = [1]
       : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %v:2 = dhlo.reduce(%x init: %low), (%i init: %none) across dimensions = [1]
       : (tensor<?x?xf32>, tensor<?x?xi64>, tensor<f32>, tensor<i64>)
       -> (tensor<?xf32>, tensor<?xi64>)
     reducer(%a: tensor<f32>, %b: tensor<f32>)
            (%j: tensor<i64>, %k: tensor<i64>)  {
      ...
      dhlo.return %c, %l : tensor<f32>, tensor<i64>
    }
    ```
  }];
  let arguments = (ins
    Variadic<Dhlo_Tensor>:$inputs,
    Variadic<Dhlo_ScalarTensor>:$init_values,
    DenseI64ArrayAttr:$dimensions
  );
  let results = (outs Variadic<Dhlo_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Dhlo_ReduceWindowOp : Dhlo_RegionOp<"reduce_window",
    [SameVariadicOperandSize, Dhlo_InferTypes]> {
  let summary = "folds the elements below every position of a sliding window";
  let description = [{
    Padding has the initial value. Result sizes are the numbers of positions of
    the window, see `windowPositions` in Sizes.h.
  }];
  let arguments = (ins
    Variadic<Dhlo_Tensor>:$inputs,
    Variadic<Dhlo_ScalarTensor>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    Dhlo_Padding:$padding
  );
  let results = (outs Variadic<Dhlo_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def Dhlo_SelectAndScatterOp : Dhlo_RegionOp<"select_and_scatter",
    [Dhlo_InferTypes]> {
  let summary = "adds each source element where its window of `operand` selects";
  let description = [{
    `select` chooses an element of every window of `operand`; the element of
    `source` that belongs to the window is combined there by `scatter`. The
    result starts as `init_value` everywhere.
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Dhlo_Tensor:$source,
    Dhlo_ScalarTensor:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    Dhlo_Padding:$padding
  );
  let results = (outs Dhlo_Tensor);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

def Dhlo_SortOp : Dhlo_RegionOp<"sort",
    [SameOperandsAndResultShape, Dhlo_InferTypes]> {
  let summary = "sorts tensors together along a dimension";
  let description = [{
    `comparator` gets a pair of elements of every input and says whether the
    first comes before the second.
  }];
  let arguments = (ins
    Variadic<Dhlo_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable
  );
  let results = (outs Variadic<Dhlo_Tensor>);
  let regions = (region SizedRegion<1>:$comparator);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

def Dhlo_BatchNormTrainingOp : Dhlo_InferredOp<"batch_norm_training"> {
  let summary = "normalizes by the mean and variance of the batch";
  let arguments = (ins
    Dhlo_FpTensor:$operand, Dhlo_FpTensor:$scale, Dhlo_FpTensor:$offset,
    F32Attr:$epsilon, I64Attr:$feature_index
  );
  let results = (outs Dhlo_FpTensor:$output, Dhlo_FpTensor:$batch_mean,
                      Dhlo_FpTensor:$batch_var);
}

def Dhlo_BatchNormInferenceOp : Dhlo_InferredOp<"batch_norm_inference"> {
  let summary = "normalizes by a given mean and variance";
  let arguments = (ins
    Dhlo_FpTensor:$operand, Dhlo_FpTensor:$scale, Dhlo_FpTensor:$offset,
    Dhlo_FpTensor:$mean, Dhlo_FpTensor:$variance,
    F32Attr:$epsilon, I64Attr:$feature_index
  );
  let results = (outs Dhlo_FpTensor:$result);
}

def Dhlo_BatchNormGradOp : Dhlo_InferredOp<"batch_norm_grad"> {
  let summary = "the gradients of `batch_norm_training`";
  let arguments = (ins
    Dhlo_FpTensor:$operand, Dhlo_FpTensor:$scale, Dhlo_FpTensor:$mean,
    Dhlo_FpTensor:$variance, Dhlo_FpTensor:$grad_output,
    F32Attr:$epsilon, I64Attr:$feature_index
  );
  let results = (outs Dhlo_FpTensor:$grad_operand, Dhlo_FpTensor:$grad_scale,
                      Dhlo_FpTensor:$grad_offset);
}

#endif // DISC_DIALECTS_DHLO_REDUCTION_OPS_TD
