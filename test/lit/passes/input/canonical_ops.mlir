// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-canonical-ops))' --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK-LABEL: @dot
// CHECK: dhlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]
func.func @dot(%x: tensor<?x4xf32>, %y: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %r = stablehlo.dot %x, %y : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: @einsum
// CHECK: %[[D:.*]] = dhlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
// CHECK: dhlo.transpose %[[D]], dims = [0, 2, 1]
func.func @einsum(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x5x3xf32> {
  %r = stablehlo.einsum %x, %y, config = "bij,bjk->bki" : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  return %r : tensor<2x5x3xf32>
}

// CHECK-LABEL: @composite
// CHECK: call @impl
func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// CHECK-LABEL: @top_k
// CHECK: %[[I:.*]] = dhlo.dynamic_iota
// CHECK: %[[S:.*]]:2 = "dhlo.sort"(%arg0, %[[I]])
// CHECK: dhlo.compare GT, {{.*}}TOTALORDER
// CHECK: dhlo.real_dynamic_slice %[[S]]#0
// CHECK: dhlo.real_dynamic_slice %[[S]]#1
func.func @top_k(%x: tensor<?x8xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %v, %i = chlo.top_k(%x, k = 3) : tensor<?x8xf32> -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %v, %i : tensor<?x3xf32>, tensor<?x3xi32>
}

// CHECK-LABEL: @not_dot_general
// CHECK: dhlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1]
func.func @not_dot_general(%x: tensor<3x4xf32>, %y: tensor<8x4xf32>) -> tensor<3x8xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<3x4xf32>, tensor<8x4xf32>) -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// A letter of one operand alone is summed first, one that occurs twice in an operand is its diagonal.
// CHECK-LABEL: @einsum_sums
// CHECK: %[[R:.*]] = dhlo.reduce(%arg0 init: %{{.*}}) applies dhlo.add across dimensions = [0]
// CHECK: dhlo.dot_general %[[R]], %arg1, contracting_dims = [0] x [0]
func.func @einsum_sums(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<4xf32> {
  %r = stablehlo.einsum %x, %y, config = "ij,jk->k" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @unary_einsum
// CHECK: %[[S:.*]] = dhlo.select %{{.*}}, %arg0, %{{.*}} : tensor<?x?x4xi1>, tensor<?x?x4xf32>
// CHECK: %[[R:.*]] = dhlo.reduce(%[[S]] init: %{{.*}}) applies dhlo.add across dimensions = [1]
// CHECK: dhlo.transpose %[[R]], dims = [1, 0]
func.func @unary_einsum(%x: tensor<?x?x4xf32>) -> tensor<4x?xf32> {
  %r = "dhlo.unary_einsum"(%x) {einsum_config = "iik->ki"} : (tensor<?x?x4xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// CHECK-LABEL: @set_dimension_size
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: %[[OK:.*]] = arith.cmpi ule, %[[N]], %{{.*}}
// CHECK: cf.assert %[[OK]], "set_dimension_size: expected a size from 0 to that of the dimension"
// CHECK: dhlo.real_dynamic_slice %arg0
func.func @set_dimension_size(%x: tensor<8x4xf32>, %n: tensor<i32>) -> tensor<?x4xf32> {
  %r = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<8x4xf32>, tensor<i32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: @cholesky_f16
// CHECK: %[[W:.*]] = dhlo.convert %arg0 : (tensor<?x?xf16>) -> tensor<?x?xf32>
// CHECK: %[[L:.*]] = dhlo.cholesky %[[W]] : tensor<?x?xf32>
// CHECK: dhlo.convert %[[L]] : (tensor<?x?xf32>) -> tensor<?x?xf16>
func.func @cholesky_f16(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %r = stablehlo.cholesky %x : tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

// CHECK-LABEL: @not_widened
// CHECK-NEXT: dhlo.cholesky %arg0
func.func @not_widened(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = stablehlo.cholesky %x : tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
