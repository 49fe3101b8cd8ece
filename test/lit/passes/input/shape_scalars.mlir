// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-shape-scalars,canonicalize,cse))' %s | filecheck %s

// CHECK-LABEL: @broadcast_add(
// CHECK-NOT: shape.
// CHECK: lmhlo_disc.check %{{.*}}, "`cstr_broadcastable` at shape_scalars.mlir:12:8: expected equal sizes, or one of them 1, got {0} and {1}"
// CHECK: %[[S:.*]] = tensor.from_elements %{{.*}} : tensor<1xindex>
// CHECK: dhlo.dynamic_broadcast_in_dim %{{.*}}, %[[S]]
// CHECK-NOT: shape.
func.func @broadcast_add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
  %3 = shape.assuming %2 -> (tensor<?xf32>) {
    %4 = shape.broadcast %0, %1 : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
    %5 = stablehlo.dynamic_broadcast_in_dim %a, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %6 = stablehlo.dynamic_broadcast_in_dim %b, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %7 = stablehlo.add %5, %6 : tensor<?xf32>
    shape.assuming_yield %7 : tensor<?xf32>
  }
  return %3 : tensor<?xf32>
}

// Compatible for sure: no check.
// CHECK-LABEL: @not_checked
// CHECK-NOT: lmhlo_disc.check
func.func @not_checked(%a: tensor<?x1xf32>) -> tensor<?x5xf32> {
  %0 = shape.shape_of %a : tensor<?x1xf32> -> tensor<2xindex>
  %1 = shape.const_shape [1, 5] : tensor<2xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, tensor<2xindex>
  %3 = shape.assuming %2 -> (tensor<?x5xf32>) {
    %4 = shape.broadcast %0, %1 : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
    %5 = stablehlo.dynamic_broadcast_in_dim %a, %4, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xindex>) -> tensor<?x5xf32>
    shape.assuming_yield %5 : tensor<?x5xf32>
  }
  return %3 : tensor<?x5xf32>
}

// CHECK-LABEL: @split_concat
// CHECK-DAG: %[[B:.*]] = tensor.dim %arg0, %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %arg1, %c2
// CHECK: tensor.from_elements %[[B]], %{{.*}}, %[[N]] : tensor<3xindex>
func.func @split_concat(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c = arith.constant -1 : index
  %0 = shape.shape_of %a : tensor<?x?x?xf32> -> tensor<3xindex>
  %1 = shape.shape_of %b : tensor<?x?x?xf32> -> tensor<3xindex>
  %h, %t = "shape.split_at"(%0, %c) : (tensor<3xindex>, index) -> (!shape.shape, !shape.shape)
  %h2, %t2 = "shape.split_at"(%1, %c) : (tensor<3xindex>, index) -> (!shape.shape, !shape.shape)
  %2 = shape.concat %h, %t2 : !shape.shape, !shape.shape -> !shape.shape
  %3 = shape.to_extent_tensor %2 : !shape.shape -> tensor<3xindex>
  %4 = stablehlo.dynamic_broadcast_in_dim %a, %3, dims = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %4 : tensor<?x?x?xf32>
}

// Sizes computed with tensor ops.
// CHECK-LABEL: @tensor_arithmetic
// CHECK: %[[D:.*]] = tensor.dim %arg0
// CHECK: %[[M:.*]] = arith.muli
// CHECK: tensor.from_elements
// CHECK: dhlo.dynamic_reshape
func.func @tensor_arithmetic(%a: tensor<?x4xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.multiply %0, %c : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// What depends on data is read from it.
// CHECK-LABEL: @data_dependent
// CHECK: tensor.extract %arg1
func.func @data_dependent(%a: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
