// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-graph-conv-layout,disc-graph-canonical-dot,disc-graph-movement,canonicalize,cse))' %s | filecheck %s

// Between convolutions, with a scale for each channel, a residual and a maximum, nothing is transposed.
// CHECK-LABEL: @block(
// CHECK-SAME: %[[X:.*]]: tensor<?x3x?x?xf32>, %[[W:.*]]: tensor<8x3x3x3xf32>, %[[V:.*]]: tensor<8x8x1x1xf32>, %[[S:.*]]: tensor<8xf32>
// CHECK: %[[T:.*]] = dhlo.transpose %[[X]], dims = [0, 2, 3, 1]
// CHECK: %[[C:.*]] = dhlo.convolution(%[[T]], %[[W]]) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f]
// CHECK-SAME: -> tensor<?x?x?x8xf32>
// CHECK-NOT: dhlo.transpose
// CHECK: dhlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>, tensor<4xindex>) -> tensor<?x?x?x8xf32>
// CHECK: %[[M:.*]] = dhlo.multiply %[[C]]
// CHECK: %[[R:.*]] = dhlo.maximum %[[M]]
// CHECK-NOT: dhlo.transpose
// CHECK: %[[D:.*]] = dhlo.convolution(%[[R]], %[[V]])
// CHECK: dhlo.add %[[D]], %[[R]]
// CHECK: dhlo.transpose %{{.*}}, dims = [0, 3, 1, 2]
// CHECK-NEXT: return
func.func @block(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>, %v: tensor<8x8x1x1xf32>, %s: tensor<8xf32>, %n: tensor<4xindex>) -> tensor<?x8x?x?xf32> {
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %c = dhlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32>
  %s4 = dhlo.reshape %s : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
  %sb = dhlo.dynamic_broadcast_in_dim %s4, %n, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>, tensor<4xindex>) -> tensor<?x8x?x?xf32>
  %m = dhlo.multiply %c, %sb : tensor<?x8x?x?xf32>
  %z = dhlo.dynamic_broadcast_in_dim %zero, %n, dims = [] : (tensor<f32>, tensor<4xindex>) -> tensor<?x8x?x?xf32>
  %r = dhlo.maximum %m, %z : tensor<?x8x?x?xf32>
  %d = dhlo.convolution(%r, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x?x?xf32>, tensor<8x8x1x1xf32>) -> tensor<?x8x?x?xf32>
  %a = dhlo.add %d, %r : tensor<?x8x?x?xf32>
  return %a : tensor<?x8x?x?xf32>
}

// Windows and reductions are told where the dimensions are now.
// CHECK-LABEL: @pooled(
// CHECK: dhlo.convolution
// CHECK-NOT: dhlo.transpose
// CHECK: dhlo.reduce_window
// CHECK-SAME: padding = dense<{{\[\[}}0, 0], [1, 1], [1, 0], [0, 0]]>
// CHECK-SAME: window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 1, 1>
// CHECK-NOT: dhlo.transpose
// CHECK: dhlo.reduce({{.*}}) {{.*}}dimensions = [1, 2]
// CHECK-NEXT: return
func.func @pooled(%x: tensor<?x?x?x4xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<?x8xf32> {
  %low = dhlo.constant dense<0xFF800000> : tensor<f32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %c = dhlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x4xf32>, tensor<8x4x3x3xf32>) -> tensor<?x8x?x?xf32>
  %p = "dhlo.reduce_window"(%c, %low) <{padding = dense<[[0, 0], [0, 0], [1, 1], [1, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 3, 2>, window_strides = array<i64: 1, 1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = dhlo.maximum %a, %b : tensor<f32>
    dhlo.return %m : tensor<f32>
  }) : (tensor<?x8x?x?xf32>, tensor<f32>) -> tensor<?x8x?x?xf32>
  %r = dhlo.reduce(%p init: %zero) applies dhlo.add across dimensions = [2, 3] : (tensor<?x8x?x?xf32>, tensor<f32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// What has no order of its own that is free to change stays.
// CHECK-LABEL: @other_operand(
// CHECK: %[[C:.*]] = dhlo.convolution
// CHECK: %[[T:.*]] = dhlo.transpose %[[C]], dims = [0, 3, 1, 2]
// CHECK: dhlo.add %[[T]], %{{.*}} : tensor<?x4x?x?xf32>
func.func @other_operand(%x: tensor<?x4x?x?xf32>, %w: tensor<4x4x1x1xf32>, %y: tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32> {
  %c = dhlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x4x?x?xf32>, tensor<4x4x1x1xf32>) -> tensor<?x4x?x?xf32>
  %a = dhlo.add %c, %y : tensor<?x4x?x?xf32>
  return %a : tensor<?x4x?x?xf32>
}

// No library has it: integers, groups of the batch.
// CHECK-LABEL: @not_ours(
// CHECK-NOT: dhlo.transpose
func.func @not_ours(%x: tensor<?x4x?x?xi32>, %w: tensor<4x4x1x1xi32>, %y: tensor<2x4x?x?xf32>, %v: tensor<4x4x1x1xf32>) -> (tensor<?x4x?x?xi32>, tensor<1x4x?x?xf32>) {
  %c = dhlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x4x?x?xi32>, tensor<4x4x1x1xi32>) -> tensor<?x4x?x?xi32>
  %d = dhlo.convolution(%y, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x4x?x?xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x?x?xf32>
  return %c, %d : tensor<?x4x?x?xi32>, tensor<1x4x?x?xf32>
}
