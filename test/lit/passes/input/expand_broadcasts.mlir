// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-expand-broadcasts,canonicalize,cse))' %s | filecheck %s

// CHECK-LABEL: @dynamic
// CHECK: %[[S:.*]] = tensor.from_elements
// CHECK: %[[A:.*]] = dhlo.dynamic_broadcast_in_dim %arg0, %[[S]], dims = [0, 1]
// CHECK: %[[B:.*]] = dhlo.dynamic_broadcast_in_dim %arg1, %[[S]], dims = [1]
// CHECK: dhlo.add %[[A]], %[[B]]
func.func @dynamic(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = chlo.broadcast_add %x, %y : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: @static
// CHECK: %[[B:.*]] = dhlo.broadcast_in_dim %arg1, dims = [1]
// CHECK: dhlo.compare LT, %arg0, %[[B]]
func.func @static(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xi1> {
  %r = "dhlo.broadcast_compare"(%x, %y) <{comparison_direction = #dhlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}

// CHECK-LABEL: @not_broadcast_in_dim
// CHECK-NEXT: dhlo.broadcast_in_dim
func.func @not_broadcast_in_dim(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %r = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
