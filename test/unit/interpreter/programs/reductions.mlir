// argmax
func.func @main(%x: tensor<?x?xf32>) -> tensor<?xi32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %i = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi32>
  %r:2 = stablehlo.reduce(%x init: %low), (%i init: %none) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>)  {
    %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %eq, %lt : tensor<i1>
    %left = stablehlo.or %gt, %tie : tensor<i1>
    %v = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f32>
    %w = stablehlo.select %left, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }
  return %r#1 : tensor<?xi32>
}
// -----
// column_sums
func.func @main(%x: tensor<?x?x2xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<?x?x2xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<?x?x2xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// all
func.func @main(%x: tensor<?x?xi1>) -> (tensor<i1>, tensor<?xi1>) {
  %t = stablehlo.constant dense<true> : tensor<i1>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %t) applies stablehlo.and across dimensions = [0, 1] : (tensor<?x?xi1>, tensor<i1>) -> tensor<i1>
  %1 = stablehlo.reduce(%x init: %f) applies stablehlo.or across dimensions = [0] : (tensor<?x?xi1>, tensor<i1>) -> tensor<?xi1>
  return %0, %1 : tensor<i1>, tensor<?xi1>
}
// -----
// max_pool
func.func @main(%x: tensor<?x4x4x2xf32>) -> tensor<?x2x2x2xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>} : (tensor<?x4x4x2xf32>, tensor<f32>) -> tensor<?x2x2x2xf32>
  return %0 : tensor<?x2x2x2xf32>
}
// -----
// sort
func.func @main(%x: tensor<?x5xf32>, %y: tensor<?x5xi32>) -> (tensor<?x5xf32>, tensor<?x5xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<?x5xf32>, tensor<?x5xi32>) -> (tensor<?x5xf32>, tensor<?x5xi32>)
  return %0#0, %0#1 : tensor<?x5xf32>, tensor<?x5xi32>
}
// -----
// top_k
func.func @main(%x: tensor<?x5xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>) {
  %v, %i = chlo.top_k(%x, k = 2) : tensor<?x5xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %v, %i : tensor<?x2xf32>, tensor<?x2xi32>
}
// -----
// attention
func.func @main(%q: tensor<?x2x?x4xf32>, %k: tensor<?x2x?x4xf32>) -> tensor<?x2x?x?xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x2x?x4xf32>, tensor<?x2x?x4xf32>) -> tensor<?x2x?x?xf32>
  %c = stablehlo.constant dense<0.5> : tensor<f32>
  %1 = chlo.broadcast_multiply %0, %c : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?x?xf32>
  return %1 : tensor<?x2x?x?xf32>
}
// -----
// linear
func.func @main(%x: tensor<?x?x4xf32>, %w: tensor<6x4xf32>, %b: tensor<6xf32>) -> tensor<?x?x6xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %0 = stablehlo.dot_general %x, %t, contracting_dims = [2] x [0] : (tensor<?x?x4xf32>, tensor<4x6xf32>) -> tensor<?x?x6xf32>
  %1 = chlo.broadcast_add %0, %b : (tensor<?x?x6xf32>, tensor<6xf32>) -> tensor<?x?x6xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = chlo.broadcast_maximum %1, %z : (tensor<?x?x6xf32>, tensor<f32>) -> tensor<?x?x6xf32>
  return %2 : tensor<?x?x6xf32>
}
// -----
// integer_dot
func.func @main(%x: tensor<?x3xi8>, %y: tensor<3x?xi8>) -> tensor<?x?xi32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x3xi8>, tensor<3x?xi8>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
// -----
// matrix_vector
func.func @main(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// convolution
func.func @main(%x: tensor<?x5x5x2xf32>, %w: tensor<3x3x1x4xf32>) -> tensor<?x3x3x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<?x5x5x2xf32>, tensor<3x3x1x4xf32>) -> tensor<?x3x3x4xf32>
  return %0 : tensor<?x3x3x4xf32>
}
// -----
// batch_norm
func.func @main(%x: tensor<?x2x3xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>, %m: tensor<2xf32>) -> tensor<?x2x3xf32> {
  %v = stablehlo.multiply %m, %m : tensor<2xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x2x3xf32>
  return %0 : tensor<?x2x3xf32>
}
// -----
// batch_norm_training
func.func @main(%x: tensor<?x2x3xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>) -> (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 1.0e-3 : f32, feature_index = 1 : i64} : (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>
}
// -----
// batch_norm_grad
func.func @main(%x: tensor<?x2x3xf32>, %s: tensor<2xf32>, %m: tensor<2xf32>, %g: tensor<?x2x3xf32>) -> (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>) {
  %v = stablehlo.multiply %m, %m : tensor<2xf32>
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) {epsilon = 1.0e-1 : f32, feature_index = 1 : i64} : (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<?x2x3xf32>) -> (tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1, %0#2 : tensor<?x2x3xf32>, tensor<2xf32>, tensor<2xf32>
}
