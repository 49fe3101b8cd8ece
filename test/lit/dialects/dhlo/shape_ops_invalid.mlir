// RUN: disc-opt %s -verify-diagnostics -split-input-file

func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'dhlo.reshape' op `operand` of type 'tensor<2x3xf32>' has 6 elements, but the result of type 'tensor<4xf32>' has 4}}
  %0 = dhlo.reshape %x : (tensor<2x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reshape_type(%x: tensor<6xf32>) {
  // expected-error @+1 {{result of type 'tensor<2x3xi32>' does not have the element type of `operand` of type 'tensor<6xf32>'}}
  %0 = dhlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @dynamic_reshape(%x: tensor<?xf32>, %s: tensor<3xi64>) {
  // expected-error @+1 {{`output_shape` of type 'tensor<3xi64>' gives a rank of 3, expected the rank of the result type 'tensor<?x?xf32>'}}
  %0 = dhlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @broadcast_in_dim(%x: tensor<3xf32>) {
  // expected-error @+1 {{`operand` of type 'tensor<3xf32>' has size 3 in dimension 0, which is neither 1 nor the size 4 of dimension 1 of the result of type 'tensor<2x4xf32>'}}
  %0 = dhlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_dims(%x: tensor<3x3xf32>) {
  // expected-error @+1 {{'dhlo.broadcast_in_dim' op `broadcast_dimensions` has 0 more than once}}
  %0 = dhlo.broadcast_in_dim %x, dims = [0, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{'dhlo.transpose' op `permutation` has 2, which is not a dimension of a tensor of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.transpose %x, dims = [0, 2] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<3x4xf32>) {
  // expected-error @+2 {{'dhlo.transpose' op inferred type(s) 'tensor<4x3xf32>' are incompatible with return type(s) of operation 'tensor<3x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @concatenate(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // expected-error @+2 {{'dhlo.concatenate' op `inputs[1]` of type 'tensor<2x4xf32>' does not fit `inputs[0]` of type 'tensor<2x3xf32>' outside of dimension 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @pad(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error @+2 {{'dhlo.pad' op `interior_padding` has -1 in dimension 0, expected 0 or more}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.pad %x, %z, low = [0], high = [0], interior = [-1] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @slice(%x: tensor<3xf32>) {
  // expected-error @+2 {{'dhlo.slice' op [1, 4) is not a range in dimension 0 of `operand` of type 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.slice %x [1:4] : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_slice(%x: tensor<3xf32>, %i: tensor<i64>) {
  // expected-error @+2 {{'dhlo.dynamic_slice' op `slice_sizes` has 4 in dimension 0, which does not fit `operand` of type 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.dynamic_slice %x, %i, sizes = [4] : (tensor<3xf32>, tensor<i64>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice(%x: tensor<3xf32>, %u: tensor<4xf32>, %i: tensor<i64>) {
  // expected-error @+2 {{'dhlo.dynamic_update_slice' op `update` of type 'tensor<4xf32>' does not fit `operand` of type 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.dynamic_update_slice %x, %u, %i : (tensor<3xf32>, tensor<4xf32>, tensor<i64>) -> tensor<3xf32>
  return
}
