// RUN: disc-opt %s -verify-diagnostics -split-input-file

func.func @dot(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'dhlo.dot' op the last dimension of `lhs` of type 'tensor<2x3xf32>' does not have the size of the first of `rhs` of type 'tensor<4x5xf32>'}}
  %0 = dhlo.dot %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_general(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'dhlo.dot_general' op contracting dimension 1 of `lhs` of type 'tensor<2x3xf32>' does not have the size of dimension 0 of `rhs` of type 'tensor<4x5xf32>'}}
  %0 = dhlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_general_result(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+1 {{'dhlo.dot_general' op result of type 'tensor<5x2xf32>' does not have the shape [2, 5] that the operands give}}
  %0 = dhlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @dot_general_dims(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+1 {{'dhlo.dot_general' op `lhs dimensions` has 1 more than once}}
  %0 = dhlo.dot_general %a, %b, batching_dims = [1] x [1], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @einsum(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{label `j` stands for the sizes 3 and 4 in operands of types 'tensor<2x3xf32>' and 'tensor<4x5xf32>'}}
  %0 = dhlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @einsum_label(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{label `k` of the result is in no operand}}
  %0 = dhlo.unary_einsum %a, config = "ij->ik" : (tensor<2x3xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @convolution_features(%x: tensor<1x4x3xf32>, %w: tensor<2x4x8xf32>) {
  // expected-error @+1 {{'dhlo.convolution' op `lhs` of type 'tensor<1x4x3xf32>' has 3 features, but `rhs` of type 'tensor<2x4x8xf32>' takes 4 in each of 1 groups}}
  %0 = dhlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3xf32>, tensor<2x4x8xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @convolution_result(%x: tensor<1x4x3xf32>, %w: tensor<2x3x8xf32>) {
  // expected-error @+1 {{'dhlo.convolution' op result of type 'tensor<1x4x8xf32>' does not have the shape [1, 3, 8] that the operands give}}
  %0 = dhlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3xf32>, tensor<2x3x8xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

func.func @convolution_window(%x: tensor<1x4x3xf32>, %w: tensor<2x3x8xf32>) {
  // expected-error @+1 {{'dhlo.convolution' op `window_strides` [1, 1] has 2 entries, expected one for each of the 1 dimensions of the window}}
  %0 = dhlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3xf32>, tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

func.func @convolution_pad(%x: tensor<1x4x3xf32>, %w: tensor<2x3x8xf32>) {
  // expected-error @+1 {{expected `[low, high]`, got 1 numbers}}
  %0 = dhlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3xf32>, tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  return
}

// -----

// An op without code: its dimension numbers are no attribute that is known.
func.func @ragged_dot(%x: tensor<4x8xf32>, %w: tensor<2x8x6xf32>, %g: tensor<2xi64>) {
  // expected-error @+1 {{unknown attribute `ragged_dot` in dialect `dhlo`}}
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_ragged_dimensions = [0]>} : (tensor<4x8xf32>, tensor<2x8x6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  return
}
