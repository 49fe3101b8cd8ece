// RUN: disc-opt %s -verify-diagnostics -split-input-file

func.func @gather_vector_dim(%t: tensor<8x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+2 {{'dhlo.gather' op `index_vector_dim` is 3, expected 0 to 2 for `start_indices` of type 'tensor<2x1xi64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.gather"(%t, %i) <{dimension_numbers = #dhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_map(%t: tensor<8x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+2 {{`start_index_map` has 2 entries, but `start_indices` of type 'tensor<2x1xi64>' holds positions of 1 coordinates}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.gather"(%t, %i) <{dimension_numbers = #dhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @gather_slice(%t: tensor<8x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+2 {{`slice_sizes` has 5 in dimension 1, which does not fit `operand` of type 'tensor<8x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.gather"(%t, %i) <{dimension_numbers = #dhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<8x4xf32>, tensor<2x1xi64>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_collapsed(%t: tensor<8x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+2 {{`slice_sizes` has 2 in dimension 0, expected 1 for a dimension that is dropped}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.gather"(%t, %i) <{dimension_numbers = #dhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<8x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @scatter_update(%x: tensor<8x4xf32>, %i: tensor<2x1xi64>, %u: tensor<3x4xf32>) {
  // expected-error @+2 {{'dhlo.scatter' op `updates[0]` of type 'tensor<3x4xf32>' has size 3 in dimension 0, but `scatter_indices` of type 'tensor<2x1xi64>' has 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #dhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    dhlo.return %b : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<2x1xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_window(%x: tensor<8x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x5xf32>) {
  // expected-error @+2 {{`updates[0]` of type 'tensor<2x5xf32>' has a window of 5 in dimension 1, which does not fit `inputs[0]` of type 'tensor<8x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #dhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    dhlo.return %b : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<2x1xi64>, tensor<2x5xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_body(%x: tensor<8x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{'dhlo.scatter' op `update_computation` takes 1 arguments, expected 2}}
  %0 = "dhlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #dhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>):
    dhlo.return %a : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @torch_index_select(%x: tensor<4x5xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{'dhlo.torch_index_select' op `dim` is 2, which is not a dimension of `operand` of type 'tensor<4x5xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 2 : i64}> : (tensor<4x5xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  return
}
