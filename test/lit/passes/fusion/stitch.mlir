// RUN: disc-opt %s --pass-pipeline='builtin.module(func.func(disc-fusion-tie-shapes,disc-fusion-plan,disc-fusion-stitch))' --split-input-file | filecheck %s

// A product, what activates it, the next product and what follows that one: all on the same rows.
// CHECK-LABEL: @mlp
// CHECK: dhlo.fusion "stitch"
// CHECK-NEXT: tie_shape
// CHECK: dhlo.dot_general
// CHECK: dhlo.fusion "loop"
// CHECK: dhlo.tanh
// CHECK: dhlo.dot_general
// CHECK: dhlo.fusion "row"
// CHECK: dhlo.reduce
// CHECK-NOT: dhlo.fusion
// CHECK: return
func.func @mlp(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>, %v: tensor<64x128xf32>) -> tensor<?xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %1 = dhlo.tanh %0 : tensor<?x128xf32>
  %2 = dhlo.dot_general %1, %v, contracting_dims = [1] x [1] : (tensor<?x128xf32>, tensor<64x128xf32>) -> tensor<?x64xf32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %3 = dhlo.reduce(%2 init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// -----

// Both products of an attention join its softmax, batch by batch.
// CHECK-LABEL: @attention
// CHECK: dhlo.fusion "stitch"
// CHECK: dhlo.dot_general
// CHECK: dhlo.fusion "row"
// CHECK: dhlo.dot_general
// CHECK-NOT: dhlo.fusion
// CHECK: return
func.func @attention(%q: tensor<?x?x64xf32>, %k: tensor<?x?x64xf32>, %v: tensor<?x?x64xf32>) -> tensor<?x?x64xf32> {
  %s = dhlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<?x?x64xf32>, tensor<?x?x64xf32>) -> tensor<?x?x?xf32>
  %e = dhlo.exponential %s : tensor<?x?x?xf32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %sum = dhlo.reduce(%e init: %zero) applies dhlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %q, %c0 : tensor<?x?x64xf32>
  %d1 = tensor.dim %q, %c1 : tensor<?x?x64xf32>
  %d2 = tensor.dim %k, %c1 : tensor<?x?x64xf32>
  %sizes = tensor.from_elements %d0, %d1, %d2 : tensor<3xindex>
  %all = dhlo.dynamic_broadcast_in_dim %sum, %sizes, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  %p = dhlo.divide %e, %all : tensor<?x?x?xf32>
  %r = dhlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  return %r : tensor<?x?x64xf32>
}

// -----

// Rows of the product go to other places, each as a whole.
// CHECK-LABEL: @heads
// CHECK: dhlo.fusion "stitch"
// CHECK: dhlo.dot_general
// CHECK: dhlo.fusion "loop"
// CHECK: dhlo.transpose
func.func @heads(%x: tensor<60x64xf32>, %w: tensor<64x128xf32>) -> tensor<3x4x20x32xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<60x64xf32>, tensor<64x128xf32>) -> tensor<60x128xf32>
  %1 = dhlo.tanh %0 : tensor<60x128xf32>
  %2 = dhlo.reshape %1 : (tensor<60x128xf32>) -> tensor<3x20x4x32xf32>
  %3 = dhlo.transpose %2, dims = [0, 2, 1, 3] : (tensor<3x20x4x32xf32>) -> tensor<3x4x20x32xf32>
  return %3 : tensor<3x4x20x32xf32>
}

// -----

// Must not: the fusion moves elements to other rows.
// CHECK-LABEL: @transposed
// CHECK-NOT: "stitch"
func.func @transposed(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>) -> tensor<128x?xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %1 = dhlo.transpose %0, dims = [1, 0] : (tensor<?x128xf32>) -> tensor<128x?xf32>
  %2 = dhlo.tanh %1 : tensor<128x?xf32>
  return %2 : tensor<128x?xf32>
}

// -----

// Must not: the second product wants the rows in another order, of which equal sizes say nothing. The first one is stitched.
// CHECK-LABEL: @square
// CHECK: %[[P:.*]] = dhlo.fusion "stitch"
// CHECK: dhlo.dot_general
// CHECK-NOT: dhlo.dot_general
// CHECK: dhlo.transpose
// CHECK: dhlo.reshape
// CHECK: dhlo.dot_general
// CHECK: return
func.func @square(%x: tensor<40000x64xf32>, %w: tensor<64x128xf32>, %v: tensor<128x32xf32>) -> tensor<40000x32xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<40000x64xf32>, tensor<64x128xf32>) -> tensor<40000x128xf32>
  %1 = dhlo.reshape %0 : (tensor<40000x128xf32>) -> tensor<200x200x128xf32>
  %2 = dhlo.tanh %1 : tensor<200x200x128xf32>
  %3 = dhlo.transpose %2, dims = [1, 0, 2] : (tensor<200x200x128xf32>) -> tensor<200x200x128xf32>
  %4 = dhlo.reshape %3 : (tensor<200x200x128xf32>) -> tensor<40000x128xf32>
  %5 = dhlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<40000x128xf32>, tensor<128x32xf32>) -> tensor<40000x32xf32>
  return %5 : tensor<40000x32xf32>
}

// -----

// Must not: a sum over columns needs all rows.
// CHECK-LABEL: @columns
// CHECK-NOT: "stitch"
func.func @columns(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>) -> tensor<128xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %1 = dhlo.reduce(%0 init: %zero) applies dhlo.add across dimensions = [0] : (tensor<?x128xf32>, tensor<f32>) -> tensor<128xf32>
  return %1 : tensor<128xf32>
}

// -----

// Must not: somebody else reads the product; f64 products are the library's.
// CHECK-LABEL: @shared
// CHECK-NOT: "stitch"
func.func @shared(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>, %y: tensor<?x64xf64>, %v: tensor<64x128xf64>) -> (tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x128xf64>) {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %1 = dhlo.tanh %0 : tensor<?x128xf32>
  %2 = dhlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<?x64xf64>, tensor<64x128xf64>) -> tensor<?x128xf64>
  %3 = dhlo.tanh %2 : tensor<?x128xf64>
  return %0, %1, %3 : tensor<?x128xf32>, tensor<?x128xf32>, tensor<?x128xf64>
}

// -----

// Must not: rows of the reduction are longer than those of the product.
// CHECK-LABEL: @long_rows
// CHECK-NOT: "stitch"
func.func @long_rows(%x: tensor<32x64xf32>, %w: tensor<64x128xf32>) -> tensor<8xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x128xf32>) -> tensor<32x128xf32>
  %1 = dhlo.reshape %0 : (tensor<32x128xf32>) -> tensor<8x4x128xf32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %2 = dhlo.reduce(%1 init: %zero) applies dhlo.add across dimensions = [1, 2] : (tensor<8x4x128xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A chain of seven products is two stitches: what one hands on is alive all the time.
// CHECK-LABEL: @chain
// CHECK: dhlo.fusion "stitch"
// CHECK-COUNT-6: dhlo.dot_general
// CHECK-NOT: dhlo.dot_general
// CHECK: dhlo.fusion "stitch"
// CHECK: dhlo.dot_general
// CHECK-NOT: dhlo.dot_general
func.func @chain(%x: tensor<?x32xf32>, %w: tensor<32x32xf32>) -> tensor<?x32xf32> {
  %d0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t0 = dhlo.tanh %d0 : tensor<?x32xf32>
  %d1 = dhlo.dot_general %t0, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t1 = dhlo.tanh %d1 : tensor<?x32xf32>
  %d2 = dhlo.dot_general %t1, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t2 = dhlo.tanh %d2 : tensor<?x32xf32>
  %d3 = dhlo.dot_general %t2, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t3 = dhlo.tanh %d3 : tensor<?x32xf32>
  %d4 = dhlo.dot_general %t3, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t4 = dhlo.tanh %d4 : tensor<?x32xf32>
  %d5 = dhlo.dot_general %t4, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t5 = dhlo.tanh %d5 : tensor<?x32xf32>
  %d6 = dhlo.dot_general %t5, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
  %t6 = dhlo.tanh %d6 : tensor<?x32xf32>
  return %t6 : tensor<?x32xf32>
}
