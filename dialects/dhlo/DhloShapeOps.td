// Ops that move elements and compute none.

#ifndef DISC_DIALECTS_DHLO_SHAPE_OPS_TD
#define DISC_DIALECTS_DHLO_SHAPE_OPS_TD

include "dialects/dhlo/DhloShapeFunctions.td"

//===----------------------------------------------------------------------===//
// Reshape and broadcast
//===----------------------------------------------------------------------===//

def Dhlo_ReshapeOp : Dhlo_ShapedOp<"reshape"> {
  let summary = "gives the elements of a tensor another shape";
  let description = [{
    The elements keep their row-major order. A result type with at most one
    dynamic dimension determines the sizes of the result; with more, each
    dynamic dimension of the result must stand for the dynamic dimension of the
    operand in the same place.

    ```mlir
    %r = dhlo.reshape %x : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$operand);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dhlo_DynamicReshapeOp : Dhlo_ShapedOp<"dynamic_reshape"> {
  let summary = "gives the elements of a tensor the shape that a tensor holds";
  let description = [{
    ```mlir
    %r = dhlo.dynamic_reshape %x, %shape
       : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$operand, Dhlo_DimensionTensor:$output_shape);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dhlo_BroadcastOp : Dhlo_InferredOp<"broadcast"> {
  let summary = "repeats a tensor along new leading dimensions";
  let description = [{
    ```mlir
    %r = dhlo.broadcast %x, sizes = [3] : (tensor<?xf32>) -> tensor<3x?xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$operand,
                       DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs Dhlo_Tensor);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict `:`
    functional-type(operands, results)
  }];
}

def Dhlo_BroadcastInDimOp : Dhlo_ShapedOp<"broadcast_in_dim"> {
  let summary = "repeats a tensor to the shape of the result type";
  let description = [{
    Dimension `i` of the operand becomes dimension `broadcast_dimensions[i]` of
    the result; it has the same size there or is 1 and is repeated.

    ```mlir
    %r = dhlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$operand,
                       DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Dhlo_DynamicBroadcastInDimOp : Dhlo_ShapedOp<"dynamic_broadcast_in_dim"> {
  let summary = "repeats a tensor to the shape that a tensor holds";
  let description = [{
    `known_expanding_dimensions` and `known_nonexpanding_dimensions` name the
    dimensions of the operand that are known to be repeated, respectively kept.

    ```mlir
    %r = dhlo.dynamic_broadcast_in_dim %x, %shape, dims = [1]
       : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Dhlo_DimensionTensor:$output_dimensions,
    DenseI64ArrayAttr:$broadcast_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions
  );
  let results = (outs Dhlo_Tensor:$result);
  let builders = [
    OpBuilder<(ins "Type":$resultType, "Value":$operand,
                   "Value":$outputDimensions,
                   "ArrayRef<int64_t>":$broadcastDimensions), [{
      build($_builder, $_state, resultType, operand, outputDimensions,
            $_builder.getDenseI64ArrayAttr(broadcastDimensions),
            DenseI64ArrayAttr(), DenseI64ArrayAttr());
    }]>];
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def Dhlo_TransposeOp : Dhlo_InferredOp<"transpose"> {
  let summary = "permutes the dimensions of a tensor";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the operand.

    ```mlir
    %r = dhlo.transpose %x, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict `:`
    functional-type(operands, results)
  }];
}

def Dhlo_ReverseOp : Dhlo_InferredOp<"reverse"> {
  let summary = "reverses the order of elements along dimensions";
  let description = [{
    ```mlir
    %r = dhlo.reverse %x, dims = [1] : tensor<?x3xf32>
    ```
  }];
  let arguments = (ins Dhlo_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

def Dhlo_ConcatenateOp : Dhlo_InferredOp<"concatenate"> {
  let summary = "joins tensors along a dimension";
  let description = [{
    ```mlir
    %r = dhlo.concatenate %a, %b, dim = 0
       : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
    ```
  }];
  let arguments = (ins Variadic<Dhlo_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsAndComma>($inputs) `dim` `=` $dimension attr-dict `:`
    functional-type(operands, results)
  }];
}

def Dhlo_PadOp : Dhlo_InferredOp<"pad"> {
  let summary = "adds elements around and between those of a tensor";
  let description = [{
    Negative amounts at the edges take elements away.

    ```mlir
    %r = dhlo.pad %x, %zero, low = [1], high = [2], interior = [0]
       : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Dhlo_ScalarTensor:$padding_value,
    DenseI64ArrayAttr:$edge_padding_low,
    DenseI64ArrayAttr:$edge_padding_high,
    DenseI64ArrayAttr:$interior_padding
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`
    `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding
    attr-dict `:` functional-type(operands, results)
  }];
}

def Dhlo_DynamicPadOp : Dhlo_ShapedOp<"dynamic_pad"> {
  let summary = "`pad` by amounts that tensors hold";
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Dhlo_ScalarTensor:$padding_value,
    Dhlo_DimensionTensor:$edge_padding_low,
    Dhlo_DimensionTensor:$edge_padding_high,
    Dhlo_DimensionTensor:$interior_padding
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dhlo_SliceOp : Dhlo_InferredOp<"slice"> {
  let summary = "takes a box of a tensor, with strides";
  let description = [{
    ```mlir
    %r = dhlo.slice %x [0:2, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand,
    DenseI64ArrayAttr:$start_indices,
    DenseI64ArrayAttr:$limit_indices,
    DenseI64ArrayAttr:$strides
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Dhlo_RealDynamicSliceOp : Dhlo_ShapedOp<"real_dynamic_slice"> {
  let summary = "`slice` by starts, limits and strides that tensors hold";
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Dhlo_DimensionTensor:$start_indices,
    Dhlo_DimensionTensor:$limit_indices,
    Dhlo_DimensionTensor:$strides
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Dhlo_DynamicSliceOp : Dhlo_InferredOp<"dynamic_slice"> {
  let summary = "takes a box of known size at a start that scalars give";
  let description = [{
    A start outside of the range in which the box fits is clamped into it.

    ```mlir
    %r = dhlo.dynamic_slice %x, %i, %j, sizes = [1, 2]
       : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Variadic<Dhlo_ScalarIntTensor>:$start_indices,
    DenseI64ArrayAttr:$slice_sizes
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<OperandsAndComma>($start_indices) `sizes` `=`
    $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
}

def Dhlo_DynamicUpdateSliceOp : Dhlo_InferredOp<"dynamic_update_slice"> {
  let summary = "replaces a box of a tensor at a start that scalars give";
  let description = [{
    A start outside of the range in which the update fits is clamped into it.

    ```mlir
    %r = dhlo.dynamic_update_slice %x, %u, %i
       : (tensor<?xf32>, tensor<2xf32>, tensor<i64>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins
    Dhlo_Tensor:$operand,
    Dhlo_Tensor:$update,
    Variadic<Dhlo_ScalarIntTensor>:$start_indices
  );
  let results = (outs Dhlo_Tensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

#endif // DISC_DIALECTS_DHLO_SHAPE_OPS_TD
