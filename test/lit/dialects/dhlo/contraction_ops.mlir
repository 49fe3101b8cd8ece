// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | filecheck %s --check-prefix=REIFY

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @dot
// CHECK: dhlo.dot %{{.*}}, %{{.*}}, precision = [DEFAULT, HIGH] : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
// CHECK: dhlo.dot %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
// REIFY-LABEL: func @dot
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @dot(%a: tensor<?x4xf32>, %b: tensor<4x8xf32>, %v: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.dot %a, %b, precision = [DEFAULT, HIGH] : (tensor<?x4xf32>, tensor<4x8xf32>) -> tensor<?x8xf32>
  %1 = stablehlo.dot %v, %b : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
  %d = tensor.dim %0, %c0 : tensor<?x8xf32>
  return %d : index
}

// CHECK-LABEL: func @dot_general
// CHECK: dhlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<?x?x64xf32>, tensor<?x64x?xf32>) -> tensor<?x?x?xf32>
// CHECK: dhlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [2] x [1] : (tensor<?x?x64xf32>, tensor<?x64x?xf32>) -> tensor<?x?x?x?xf32>
// REIFY-LABEL: func @dot_general
// REIFY-DAG: %[[B:.*]] = tensor.dim %arg0, %c0
// REIFY-DAG: %[[M:.*]] = tensor.dim %arg0, %c1
// REIFY-DAG: %[[N:.*]] = tensor.dim %arg1, %c2
// REIFY: return %[[B]], %[[M]], %[[N]]
func.func @dot_general(%a: tensor<?x?x64xf32>, %b: tensor<?x64x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<?x?x64xf32>, tensor<?x64x?xf32>) -> tensor<?x?x?xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [1] : (tensor<?x?x64xf32>, tensor<?x64x?xf32>) -> tensor<?x?x?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func @dot_algorithm
// CHECK: dhlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
func.func @dot_algorithm(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func @einsum
// CHECK: dhlo.einsum %{{.*}}, %{{.*}}, config = "ij,jk->ik" : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
// CHECK: dhlo.unary_einsum %{{.*}}, config = "ij->ji" : (tensor<?x4xf32>) -> tensor<4x?xf32>
// REIFY-LABEL: func @einsum
// REIFY: %[[D:.*]] = tensor.dim %arg1, %c1
// REIFY: return %[[D]]
func.func @einsum(%a: tensor<?x4xf32>, %b: tensor<4x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = stablehlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.unary_einsum %a, config = "ij->ji" : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d : index
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @convolution
// CHECK: dhlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[}}[1, 1], [1, 1]{{\]}}, rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x3xf32>, tensor<3x3x3x8xf32>) -> tensor<?x?x?x8xf32>
// REIFY-LABEL: func @convolution
// REIFY-DAG: %[[B:.*]] = tensor.dim %arg0, %c0
// REIFY-DAG: %[[H:.*]] = tensor.dim %arg0, %c1
// REIFY-DAG: %[[W:.*]] = tensor.dim %arg0, %c2
// REIFY-DAG: %[[R:.*]] = arith.addi %[[H]], %c-1
// REIFY-DAG: %[[Q:.*]] = arith.floordivsi %[[R]], %c2
// REIFY-DAG: %[[P:.*]] = arith.addi %[[Q]], %c1
// REIFY-DAG: %[[M:.*]] = arith.maxsi %[[P]], %c0
// REIFY: return %[[B]], %[[M]], %[[W]]
func.func @convolution(%x: tensor<?x?x?x3xf32>, %w: tensor<3x3x3x8xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x3xf32>, tensor<3x3x3x8xf32>) -> tensor<?x?x?x8xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x?x8xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x?x8xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x?x?x8xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func @convolution_empty_window
// CHECK: window = {}
func.func @convolution_empty_window(%x: tensor<1x4x3xf32>, %w: tensor<2x3x8xf32>) -> tensor<1x3x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x3xf32>, tensor<2x3x8xf32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// CHECK-LABEL: func @dynamic_conv
// CHECK: "dhlo.dynamic_conv"
// REIFY-LABEL: func @dynamic_conv
// REIFY-DAG: tensor.extract %arg2[%c0, %c0]
// REIFY-DAG: tensor.extract %arg2[%c0, %c1]
func.func @dynamic_conv(%x: tensor<1x?x3xf32>, %w: tensor<2x3x8xf32>, %p: tensor<1x2xi32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = "dhlo.dynamic_conv"(%x, %w, %p) <{dimension_numbers = #dhlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x?x3xf32>, tensor<2x3x8xf32>, tensor<1x2xi32>) -> tensor<1x?x8xf32>
  %d = tensor.dim %0, %c1 : tensor<1x?x8xf32>
  return %d : index
}
