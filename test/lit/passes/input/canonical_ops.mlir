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

// -----

func.func @sum_of_one(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{with config `ij,jk->k` sums over a letter of one operand alone}}
  %r = stablehlo.einsum %x, %y, config = "ij,jk->k" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
