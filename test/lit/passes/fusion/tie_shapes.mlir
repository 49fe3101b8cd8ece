// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-fusion-tie-shapes))' %s | filecheck %s

// CHECK-LABEL: @chain(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: %[[TX:.*]] = dhlo.tie_shape %[[X]], %[[D]]
// CHECK: %[[N:.*]] = dhlo.negate %[[TX]]
// CHECK: %[[TN:.*]] = dhlo.tie_shape %[[N]], %[[D]]
// CHECK: %[[T:.*]] = dhlo.transpose %[[TN]]
// CHECK: %[[TT:.*]] = dhlo.tie_shape %[[T]], %[[D]]
// CHECK: return %[[TT]]
func.func @chain(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %n = dhlo.negate %x : tensor<?x4xf32>
  %t = dhlo.transpose %n, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %t : tensor<4x?xf32>
}

// CHECK-LABEL: @not_static
// CHECK-NOT: dhlo.tie_shape
func.func @not_static(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %n = dhlo.negate %x : tensor<2x4xf32>
  return %n : tensor<2x4xf32>
}
