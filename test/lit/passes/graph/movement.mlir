// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-graph-movement))' %s | filecheck %s

// CHECK-LABEL: @transpose_identity(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
// CHECK: return %[[X]]
func.func @transpose_identity(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = dhlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @transpose_identity_not_swap
// CHECK: dhlo.transpose
func.func @transpose_identity_not_swap(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = dhlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: @transpose_of_transpose(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK: %[[R:.*]] = dhlo.transpose %[[X]], dims = [2, 1, 0]
// CHECK: return %[[R]]
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %t = dhlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %r = dhlo.transpose %t, dims = [1, 0, 2] : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  return %r : tensor<4x3x2xf32>
}

// CHECK-LABEL: @transpose_of_transpose_not_add
// CHECK-COUNT-2: dhlo.transpose
func.func @transpose_of_transpose_not_add(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %t = dhlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %a = dhlo.add %t, %t : tensor<3x2xf32>
  %r = dhlo.transpose %a, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @reshape_of_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>
// CHECK: dhlo.reshape %[[X]] : (tensor<6xf32>) -> tensor<3x2xf32>
func.func @reshape_of_reshape(%x: tensor<6xf32>) -> tensor<3x2xf32> {
  %a = dhlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>
  %r = dhlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK-LABEL: @reshape_of_reshape_not_transpose
// CHECK: dhlo.reshape
// CHECK: dhlo.transpose
// CHECK: dhlo.reshape
func.func @reshape_of_reshape_not_transpose(%x: tensor<6xf32>) -> tensor<6xf32> {
  %a = dhlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>
  %t = dhlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = dhlo.reshape %t : (tensor<3x2xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @reshape_of_dynamic_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK: dhlo.reshape %[[X]] : (tensor<?xf32>) -> tensor<6xf32>
func.func @reshape_of_dynamic_reshape(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<6xf32> {
  %a = dhlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = dhlo.reshape %a : (tensor<?x?xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @reshape_of_dynamic_reshape_not_dynamic_result
// CHECK: dhlo.dynamic_reshape
// CHECK: dhlo.reshape
func.func @reshape_of_dynamic_reshape_not_dynamic_result(%x: tensor<?xf32>, %s: tensor<2xindex>) -> tensor<?xf32> {
  %a = dhlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  %r = dhlo.reshape %a : (tensor<?x2xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @dynamic_reshape_of_dynamic_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %{{.*}}: tensor<2xindex>, %[[T:.*]]: tensor<3xindex>
// CHECK: dhlo.dynamic_reshape %[[X]], %[[T]]
func.func @dynamic_reshape_of_dynamic_reshape(%x: tensor<?xf32>, %s: tensor<2xindex>, %t: tensor<3xindex>) -> tensor<?x?x?xf32> {
  %a = dhlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = dhlo.dynamic_reshape %a, %t : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_of_dynamic_reshape_not_negate
// CHECK-COUNT-2: dhlo.dynamic_reshape
func.func @dynamic_reshape_of_dynamic_reshape_not_negate(%x: tensor<?xf32>, %s: tensor<2xindex>, %t: tensor<3xindex>) -> tensor<?x?x?xf32> {
  %a = dhlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %n = dhlo.negate %a : tensor<?x?xf32>
  %r = dhlo.dynamic_reshape %n, %t : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_of_reshape(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>, %[[T:.*]]: tensor<3xindex>
// CHECK: dhlo.dynamic_reshape %[[X]], %[[T]]
func.func @dynamic_reshape_of_reshape(%x: tensor<6xf32>, %t: tensor<3xindex>) -> tensor<?x?x?xf32> {
  %a = dhlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>
  %r = dhlo.dynamic_reshape %a, %t : (tensor<2x3xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// CHECK-LABEL: @dynamic_reshape_of_reshape_not_transpose
// CHECK: dhlo.transpose
// CHECK: dhlo.dynamic_reshape
func.func @dynamic_reshape_of_reshape_not_transpose(%x: tensor<2x3xf32>, %t: tensor<1xindex>) -> tensor<?xf32> {
  %a = dhlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = dhlo.dynamic_reshape %a, %t : (tensor<3x2xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @broadcast_of_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>
// CHECK: dhlo.broadcast_in_dim %[[X]], dims = [2]
// CHECK-NOT: dhlo.broadcast_in_dim
func.func @broadcast_of_broadcast(%x: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %a = dhlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %r = dhlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  return %r : tensor<4x2x3xf32>
}

// CHECK-LABEL: @broadcast_of_broadcast_not_reshape
// CHECK-COUNT-2: dhlo.broadcast_in_dim
func.func @broadcast_of_broadcast_not_reshape(%x: tensor<3xf32>) -> tensor<4x6xf32> {
  %a = dhlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %b = dhlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>
  %r = dhlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: @dynamic_broadcast_of_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>, %[[T:.*]]: tensor<3xindex>
// CHECK: dhlo.dynamic_broadcast_in_dim %[[X]], %[[T]], dims = [2]
func.func @dynamic_broadcast_of_broadcast(%x: tensor<3xf32>, %t: tensor<3xindex>) -> tensor<?x?x3xf32> {
  %a = dhlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %r = dhlo.dynamic_broadcast_in_dim %a, %t, dims = [1, 2] : (tensor<2x3xf32>, tensor<3xindex>) -> tensor<?x?x3xf32>
  return %r : tensor<?x?x3xf32>
}

// CHECK-LABEL: @dynamic_broadcast_of_broadcast_not_abs
// CHECK: dhlo.broadcast_in_dim
// CHECK: dhlo.dynamic_broadcast_in_dim
func.func @dynamic_broadcast_of_broadcast_not_abs(%x: tensor<3xf32>, %t: tensor<3xindex>) -> tensor<?x?x3xf32> {
  %a = dhlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %b = dhlo.abs %a : tensor<2x3xf32>
  %r = dhlo.dynamic_broadcast_in_dim %b, %t, dims = [1, 2] : (tensor<2x3xf32>, tensor<3xindex>) -> tensor<?x?x3xf32>
  return %r : tensor<?x?x3xf32>
}

// CHECK-LABEL: @dynamic_broadcast_of_dynamic_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %{{.*}}: tensor<2xindex>, %[[T:.*]]: tensor<3xindex>
// CHECK: dhlo.dynamic_broadcast_in_dim %[[X]], %[[T]], dims = [2]
func.func @dynamic_broadcast_of_dynamic_broadcast(%x: tensor<?xf32>, %s: tensor<2xindex>, %t: tensor<3xindex>) -> tensor<?x?x?xf32> {
  %a = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = dhlo.dynamic_broadcast_in_dim %a, %t, dims = [0, 2] : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// CHECK-LABEL: @dynamic_broadcast_of_dynamic_broadcast_not_abs
// CHECK-COUNT-2: dhlo.dynamic_broadcast_in_dim
func.func @dynamic_broadcast_of_dynamic_broadcast_not_abs(%x: tensor<?xf32>, %s: tensor<2xindex>, %t: tensor<3xindex>) -> tensor<?x?x?xf32> {
  %a = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %b = dhlo.abs %a : tensor<?x?xf32>
  %r = dhlo.dynamic_broadcast_in_dim %b, %t, dims = [0, 2] : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
