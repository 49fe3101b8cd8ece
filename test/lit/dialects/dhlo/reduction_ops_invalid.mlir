// RUN: disc-opt %s -verify-diagnostics -split-input-file

func.func @reduce_dimension(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{'dhlo.reduce' op `dimensions` has 2, which is not a dimension of a tensor of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.reduce(%x init: %c) applies dhlo.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_shapes(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{'dhlo.reduce' op `inputs[1]` of type 'tensor<2x4xf32>' does not have the shape of `inputs[0]` of type 'tensor<2x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = dhlo.reduce(%x init: %c), (%y init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<f32>, %e: tensor<f32>) {
    dhlo.return %a, %d : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @reduce_body(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'dhlo.reduce' op `body` returns 2 values, expected 1}}
  %0 = dhlo.reduce(%x init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    dhlo.return %a, %b : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @reduce_applies(%x: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{unknown op `stablehlo.foo`}}
  %0 = dhlo.reduce(%x init: %c) applies stablehlo.foo across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_window(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{'dhlo.reduce_window' op `window_strides` [1, 0] has a number below 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    dhlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @reduce_window_padding(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{'dhlo.reduce_window' op `padding` has the shape [1, 2], expected [2, 2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    dhlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @select_and_scatter(%x: tensor<4xf32>, %s: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error @+2 {{`source` of type 'tensor<3xf32>' does not have the shape [2] of the windows of `operand` of type 'tensor<4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dhlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    dhlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_dimension(%x: tensor<4xf32>) {
  // expected-error @+2 {{'dhlo.sort' op `dimension` is 1, which is not a dimension of `inputs[0]` of type 'tensor<4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dhlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @sort_comparator(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dhlo.sort' op `comparator` returns 'tensor<f32>', expected tensor<i1>}}
  %0 = "dhlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    dhlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @batch_norm(%x: tensor<2x4xf32>, %s: tensor<3xf32>) {
  // expected-error @+2 {{`scale` of type 'tensor<3xf32>' does not have one element for each of the [4] features of `operand` of type 'tensor<2x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = "dhlo.batch_norm_training"(%x, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
