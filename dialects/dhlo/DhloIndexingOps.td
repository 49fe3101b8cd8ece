// Gather and scatter.

#ifndef DISC_DIALECTS_DHLO_INDEXING_OPS_TD
#define DISC_DIALECTS_DHLO_INDEXING_OPS_TD

include "dialects/dhlo/DhloShapeFunctions.td"

def Dhlo_GatherOp : Dhlo_InferredOp<"gather"> {
  let summary = "takes slices of a tensor at positions that a tensor holds";
  let description = [{
    Positions outside of the range in which the slice fits are clamped into it.
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand, Dhlo_IntTensor:$start_indices,
    Dhlo_GatherDimensionNumbersAttr:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted
  );
  let results = (outs Dhlo_Tensor:$result);
}

def Dhlo_DynamicGatherOp : Dhlo_InferredOp<"dynamic_gather"> {
  let summary = "`gather` of slices whose sizes a tensor holds";
  let arguments = (ins
    Dhlo_Tensor:$operand, Dhlo_IntTensor:$start_indices,
    Dhlo_DimensionTensor:$slice_sizes,
    Dhlo_GatherDimensionNumbersAttr:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted
  );
  let results = (outs Dhlo_Tensor:$result);
}

def Dhlo_ScatterOp : Dhlo_RegionOp<"scatter",
    [SameVariadicOperandSize, Dhlo_InferTypes]> {
  let summary = "combines updates into tensors at positions that a tensor holds";
  let description = [{
    `update_computation` gets the element of each input and of its update.
    Updates outside of the inputs are dropped.
  }];
  let arguments = (ins
    Variadic<Dhlo_Tensor>:$inputs,
    Dhlo_IntTensor:$scatter_indices,
    Variadic<Dhlo_Tensor>:$updates,
    Dhlo_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices
  );
  let results = (outs Variadic<Dhlo_Tensor>);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasVerifier = 1;
}

def Dhlo_TorchIndexSelectOp : Dhlo_InferredOp<"torch_index_select"> {
  let summary = "takes the slices of one dimension that a tensor lists";
  let description = [{
    The result has the sizes of `operand` before `dim`, those of `index` from
    `batch_dims` on, and those of `operand` after `dim`.
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand, Dhlo_IntTensor:$index,
    I64Attr:$dim, I64Attr:$batch_dims
  );
  let results = (outs Dhlo_Tensor:$result);
}

#endif // DISC_DIALECTS_DHLO_INDEXING_OPS_TD
