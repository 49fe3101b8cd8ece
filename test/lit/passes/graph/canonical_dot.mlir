// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-graph-canonical-dot,disc-shape-resolve,canonicalize,cse))' %s | filecheck %s

// A matrix that is broadcast over the batch is one matrix.
// CHECK-LABEL: @weight(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x64xf32>, %[[W:.*]]: tensor<32x64xf32>
// CHECK: %[[F:.*]] = dhlo.dynamic_reshape %[[X]], %{{.*}} -> tensor<?x64xf32>
// CHECK: %[[P:.*]] = dhlo.dot_general %[[F]], %[[W]], contracting_dims = [1] x [1]
// CHECK: dhlo.dynamic_reshape %[[P]], %{{.*}} -> tensor<?x?x32xf32>
// CHECK-NOT: dhlo.transpose
func.func @weight(%x: tensor<?x?x64xf32>, %w: tensor<32x64xf32>) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %t = dhlo.transpose %w, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %b = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %s = tensor.from_elements %b, %c64, %c32 : tensor<3xindex>
  %wb = dhlo.dynamic_broadcast_in_dim %t, %s, dims = [1, 2] : (tensor<64x32xf32>, tensor<3xindex>) -> tensor<?x64x32xf32>
  %r = dhlo.dot_general %x, %wb, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x64xf32>, tensor<?x64x32xf32>) -> tensor<?x?x32xf32>
  return %r : tensor<?x?x32xf32>
}

// Only the transposition of the last two dimensions is taken in.
// CHECK-LABEL: @attention(
// CHECK-SAME: %[[Q:.*]]: tensor<?x12x?x64xf32>, %[[K:.*]]: tensor<?x?x12x64xf32>
// CHECK: %[[T:.*]] = dhlo.transpose %[[K]], dims = [0, 2, 1, 3]
// CHECK-NOT: dhlo.transpose
// CHECK: dhlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [2]
func.func @attention(%q: tensor<?x12x?x64xf32>, %k: tensor<?x?x12x64xf32>) -> tensor<?x12x?x?xf32> {
  %t = dhlo.transpose %k, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
  %u = dhlo.transpose %t, dims = [0, 1, 3, 2] : (tensor<?x12x?x64xf32>) -> tensor<?x12x64x?xf32>
  %r = dhlo.dot_general %q, %u, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x12x?x64xf32>, tensor<?x12x64x?xf32>) -> tensor<?x12x?x?xf32>
  return %r : tensor<?x12x?x?xf32>
}

// Dimensions out of order are transposed.
// CHECK-LABEL: @out_of_order
// CHECK: dhlo.transpose %arg0, dims = [1, 0, 2]
// CHECK: dhlo.dot_general
func.func @out_of_order(%x: tensor<32x8x16xf32>, %y: tensor<8x16x24xf32>) -> tensor<8x32x24xf32> {
  %r = dhlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<32x8x16xf32>, tensor<8x16x24xf32>) -> tensor<8x32x24xf32>
  return %r : tensor<8x32x24xf32>
}

// Products that no library has, or of a few elements, stay as they are.
// CHECK-LABEL: @not_integers
// CHECK: dhlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] {{.*}}tensor<?x4x64xi32>
func.func @not_integers(%x: tensor<?x4x64xi32>, %w: tensor<64x32xi32>) -> tensor<?x4x32xi32> {
  %r = dhlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<?x4x64xi32>, tensor<64x32xi32>) -> tensor<?x4x32xi32>
  return %r : tensor<?x4x32xi32>
}

// CHECK-LABEL: @not_tiny
// CHECK: dhlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1]
func.func @not_tiny(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2xf32> {
  %r = dhlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
