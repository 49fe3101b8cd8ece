// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | filecheck %s --check-prefix=REIFY

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

// The op applied may be named by an alias.
// CHECK-LABEL: func @reduce_short
// CHECK: dhlo.reduce(%{{.*}} init: %{{.*}}) applies dhlo.add across dimensions = [1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
// CHECK: dhlo.reduce(%{{.*}} init: %{{.*}}) applies dhlo.maximum across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
// REIFY-LABEL: func @reduce_short
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @reduce_short(%x: tensor<?x?x4xf32>, %c: tensor<f32>) -> (index, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  %1 = dhlo.reduce(%0 init: %c) applies dhlo.maximum across dimensions = [0, 1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<f32>
  %d = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %d, %1 : index, tensor<f32>
}

// A body of one op is printed in the short form only when nothing is lost.
// CHECK-LABEL: func @reduce_region
// CHECK: dhlo.reduce(%{{.*}} init: %{{.*}}) applies dhlo.multiply across dimensions = [0]
// CHECK: dhlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) {
// CHECK-NEXT: dhlo.subtract %[[B]], %[[A]] : tensor<f32>
func.func @reduce_region(%x: tensor<?xf32>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %2 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  %1 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %2 = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func @reduce_variadic
// CHECK: dhlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
// CHECK-NEXT: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>) {
// REIFY-LABEL: func @reduce_variadic
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @reduce_variadic(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %cx: tensor<f32>, %ci: tensor<i32>) -> index {
  %c0 = arith.constant 0 : index
  %0:2 = stablehlo.reduce(%x init: %cx), (%i init: %ci) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>)  {
    %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  %d = tensor.dim %0#1, %c0 : tensor<?xi32>
  return %d : index
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @reduce_window
// CHECK: "dhlo.reduce_window"
// REIFY-LABEL: func @reduce_window
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c1
// REIFY: %[[R:.*]] = arith.addi %[[D]], %c-1
// REIFY: %[[Q:.*]] = arith.floordivsi %[[R]], %c2
// REIFY: %[[P:.*]] = arith.addi %[[Q]], %c1
// REIFY: %[[M:.*]] = arith.maxsi %[[P]], %c0
// REIFY: return %[[M]]
func.func @reduce_window(%x: tensor<2x?xf32>, %c: tensor<f32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = "dhlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.maximum %a, %b : tensor<f32>
    dhlo.return %1 : tensor<f32>
  }) : (tensor<2x?xf32>, tensor<f32>) -> tensor<2x?xf32>
  %d = tensor.dim %0, %c1 : tensor<2x?xf32>
  return %d : index
}

// A window that keeps the size gives the very size.
// REIFY-LABEL: func @reduce_window_same
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @reduce_window_same(%x: tensor<?xf32>, %c: tensor<f32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = "dhlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.maximum %a, %b : tensor<f32>
    dhlo.return %1 : tensor<f32>
  }) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func @select_and_scatter
// CHECK: "dhlo.select_and_scatter"
// REIFY-LABEL: func @select_and_scatter
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @select_and_scatter(%x: tensor<?xf32>, %s: tensor<?xf32>, %c: tensor<f32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = "dhlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dhlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.add %a, %b : tensor<f32>
    dhlo.return %1 : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

//===----------------------------------------------------------------------===//
// Sort and batch normalization
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @sort
// CHECK: "dhlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64, is_stable = true}>
// REIFY-LABEL: func @sort
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @sort(%x: tensor<?xf32>, %i: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %0:2 = "dhlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %j: tensor<i32>, %k: tensor<i32>):
    %1 = dhlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    dhlo.return %1 : tensor<i1>
  }) : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  %d = tensor.dim %0#1, %c0 : tensor<?xi32>
  return %d : index
}

// CHECK-LABEL: func @batch_norm
// CHECK: "dhlo.batch_norm_training"
// CHECK: "dhlo.batch_norm_inference"
// CHECK: "dhlo.batch_norm_grad"
// REIFY-LABEL: func @batch_norm
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c1
// REIFY: return %[[D]]
func.func @batch_norm(%x: tensor<2x?xf32>, %s: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0:3 = "dhlo.batch_norm_training"(%x, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<2x?xf32>, tensor<?xf32>, tensor<?xf32>)
  %1 = "dhlo.batch_norm_inference"(%x, %s, %s, %0#1, %0#2) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<2x?xf32>
  %2:3 = "dhlo.batch_norm_grad"(%x, %s, %s, %s, %1) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<?xf32>, tensor<?xf32>)
  %d = tensor.dim %2#1, %c0 : tensor<?xf32>
  return %d : index
}
