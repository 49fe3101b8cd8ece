// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-fusion-tie-shapes,disc-fusion-plan))' %s | filecheck %s
// RUN: disc-opt --from=fusion --disc-explain-fusion %s | filecheck %s --check-prefix=WHY

// CHECK-LABEL: @chain
// CHECK: dhlo.fusion "loop"
// CHECK: dhlo.exponential
// CHECK: dhlo.negate
// CHECK: dhlo.return
// CHECK-NOT: dhlo.fusion
func.func @chain(%x: tensor<?xf32>) -> tensor<?xf32> {
  %e = dhlo.exponential %x : tensor<?xf32>
  %n = dhlo.negate %e : tensor<?xf32>
  return %n : tensor<?xf32>
}

// One kernel, rows of one dimension.
// CHECK-LABEL: @softmax
// CHECK: dhlo.fusion "row" {{.*}}row_dims = 1
// CHECK-COUNT-2: dhlo.reduce
// CHECK: dhlo.divide
// CHECK-NOT: dhlo.fusion
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %low = dhlo.constant dense<0xFF800000> : tensor<f32>
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = tensor.from_elements %d0, %d1 : tensor<2xindex>
  %m = dhlo.reduce(%x init: %low) applies dhlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = dhlo.dynamic_broadcast_in_dim %m, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %c = dhlo.subtract %x, %mb : tensor<?x?xf32>
  %e = dhlo.exponential %c : tensor<?x?xf32>
  %t = dhlo.reduce(%e init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %tb = dhlo.dynamic_broadcast_in_dim %t, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = dhlo.divide %e, %tb : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The sum over columns meets every row: two kernels.
// CHECK-LABEL: @not_columns
// CHECK-COUNT-2: dhlo.fusion "loop"
func.func @not_columns(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %t = dhlo.reduce(%x init: %zero) applies dhlo.add across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  %b = dhlo.broadcast_in_dim %t, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %r = dhlo.subtract %x, %b : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// A library product between two ops keeps them apart.
// CHECK-LABEL: @not_across_dot
// CHECK: dhlo.fusion
// CHECK: dhlo.dot_general
// CHECK: dhlo.fusion
func.func @not_across_dot(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %n = dhlo.negate %x : tensor<64x64xf32>
  %d = dhlo.dot_general %n, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = dhlo.add %n, %d : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// A reshape alone is a view.
// CHECK-LABEL: @not_a_view
// CHECK-NOT: dhlo.fusion
// CHECK: dhlo.reshape
func.func @not_a_view(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %r = dhlo.reshape %x : (tensor<4x8xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// Repeating an expensive producer costs more than a buffer.
// WHY: `exponential` at {{.*}} -> `broadcast_in_dim` at {{.*}}: the broadcast would repeat its work
// CHECK-LABEL: @not_repeated
// CHECK-COUNT-2: dhlo.fusion
func.func @not_repeated(%x: tensor<8xf32>) -> tensor<64x8xf32> {
  %e = dhlo.exponential %x : tensor<8xf32>
  %b = dhlo.broadcast_in_dim %e, dims = [1] : (tensor<8xf32>) -> tensor<64x8xf32>
  return %b : tensor<64x8xf32>
}

// Several results of one shape.
// CHECK-LABEL: @two_results
// CHECK: %{{.*}}:2 = dhlo.fusion "loop"
// CHECK-NOT: dhlo.fusion
func.func @two_results(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = dhlo.exponential %x : tensor<?xf32>
  %n = dhlo.negate %e : tensor<?xf32>
  return %e, %n : tensor<?xf32>, tensor<?xf32>
}

// What constants give is computed in every kernel, and stored in none.
// CHECK-LABEL: @uniform
// CHECK-COUNT-2: dhlo.fusion "loop" {{.*}} -> tensor<64x64xf32>
// CHECK-NOT: dhlo.fusion
func.func @uniform(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %two = dhlo.constant dense<2.0> : tensor<f32>
  %b = dhlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %s = dhlo.rsqrt %b : tensor<64x64xf32>
  %m = dhlo.multiply %x, %s : tensor<64x64xf32>
  %d = dhlo.dot_general %m, %m, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = dhlo.multiply %d, %s : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// A slice of an input is read where it lies, by each kernel that wants it.
// CHECK-LABEL: @slices
// CHECK: dhlo.fusion "row"
// CHECK: dhlo.real_dynamic_slice
// CHECK: dhlo.fusion "loop"
// CHECK: dhlo.real_dynamic_slice
// CHECK: dhlo.reduce
// CHECK-NOT: dhlo.fusion
func.func @slices(%x: tensor<?x8xf32>, %s: tensor<2xindex>, %l: tensor<2xindex>, %o: tensor<2xindex>) -> (tensor<?xf32>, tensor<8xf32>) {
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %p = dhlo.real_dynamic_slice %x, %s, %l, %o : (tensor<?x8xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x8xf32>
  %r = dhlo.reduce(%p init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %c = dhlo.reduce(%p init: %zero) applies dhlo.add across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %r, %c : tensor<?xf32>, tensor<8xf32>
}
