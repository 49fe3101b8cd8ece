// RUN: disc-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(disc-bufferize-to-destinations))" | filecheck %s

// CHECK-LABEL: func.func @fusion
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK: %[[OUT:.*]] = tensor.empty(%[[N]]) : tensor<?xf32>
// CHECK: %[[R:.*]] = lmhlo_disc.fusion ins(%[[X]] : tensor<?xf32>) outs(%[[OUT]] : tensor<?xf32>) {kind = "loop"} {
// CHECK: dhlo.tie_shape
// CHECK: lmhlo_disc.yield
// CHECK: return %[[R]], %[[N]]
func.func @fusion(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = dhlo.fusion "loop" (%a = %x : tensor<?xf32>) -> tensor<?xf32> {
    %2 = dhlo.exponential %a : tensor<?xf32>
    %3 = dhlo.tie_shape %2, %n : tensor<?xf32>
    dhlo.return %3 : tensor<?xf32>
  }
  %1 = dhlo.tie_shape %0, %n : tensor<?xf32>
  %d = tensor.dim %1, %c0 : tensor<?xf32>
  return %1, %d : tensor<?xf32>, index
}

// -----

// Rows collapse without moving data.
// CHECK-LABEL: func.func @dot
// CHECK: %[[M:.*]] = arith.muli
// CHECK: %[[L:.*]] = lmhlo_disc.reshape_view %arg0, %{{.*}} : tensor<?x?x8xf32> -> tensor<?x8xf32>
// CHECK: %[[D:.*]] = lmhlo_disc.dot_general ins(%[[L]], %arg1 : tensor<?x8xf32>, tensor<16x8xf32>) outs(%{{.*}} : tensor<?x16xf32>) {transpose_rhs} -> tensor<?x16xf32>
// CHECK: %[[R:.*]] = lmhlo_disc.reshape_view %[[D]], %arg2, %arg3 : tensor<?x16xf32> -> tensor<?x?x16xf32>
// CHECK: return %[[R]]
func.func @dot(%x: tensor<?x?x8xf32>, %w: tensor<16x8xf32>, %b: index, %s: index) -> tensor<?x?x16xf32> {
  %0 = dhlo.tie_shape %x, %b, %s : tensor<?x?x8xf32>
  %1 = dhlo.dot_general %0, %w, contracting_dims = [2] x [1] : (tensor<?x?x8xf32>, tensor<16x8xf32>) -> tensor<?x?x16xf32>
  %2 = dhlo.tie_shape %1, %b, %s : tensor<?x?x16xf32>
  return %2 : tensor<?x?x16xf32>
}

// -----

// Checks are there by now, where nothing proves that element counts are equal.
// CHECK-LABEL: func.func @reshape_of_any
// CHECK: lmhlo_disc.reshape_view %arg0, %arg2 : tensor<?xf32> -> tensor<?x2xf32>
func.func @reshape_of_any(%x: tensor<?xf32>, %n: index, %m: index) -> tensor<?x2xf32> {
  %c2 = arith.constant 2 : index
  %shape = tensor.from_elements %m, %c2 : tensor<2xindex>
  %0 = dhlo.tie_shape %x, %n : tensor<?xf32>
  %1 = dhlo.dynamic_reshape %0, %shape : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  %2 = dhlo.tie_shape %1, %m : tensor<?x2xf32>
  return %2 : tensor<?x2xf32>
}

// -----

// CHECK-LABEL: func.func @leftovers
// CHECK: arith.constant dense<[1, 2]> : tensor<2xi64>
func.func @leftovers() -> tensor<2xi64> {
  %0 = dhlo.constant dense<[1, 2]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @library_call
// CHECK: %[[OUT:.*]] = tensor.empty(%arg1) : tensor<?x4xf32>
// CHECK: lmhlo_disc.library_call ins(%arg0 : tensor<?x4xf32>) outs(%[[OUT]] : tensor<?x4xf32>) target = "vendor.f" ints = [1, 2] -> tensor<?x4xf32>
func.func @library_call(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = dhlo.custom_call @vendor.f(%x) {disc.library, disc.ints = array<i64: 1, 2>} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = dhlo.tie_shape %0, %n : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// Ops that a function of RAL computes.
// CHECK-LABEL: func.func @cholesky
// CHECK: library_call ins(%arg0 : tensor<?x3x3xf32>) outs(%{{.*}} : tensor<?x3x3xf32>) target = "ral.cholesky" ints = [1]
func.func @cholesky(%a: tensor<?x3x3xf32>) -> tensor<?x3x3xf32> {
  %0 = dhlo.cholesky %a, lower = true : tensor<?x3x3xf32>
  return %0 : tensor<?x3x3xf32>
}

// CHECK-LABEL: func.func @triangular_solve
// CHECK: library_call ins(%arg0, %arg1 : tensor<3x3xf64>, tensor<2x3xf64>) outs(%{{.*}} : tensor<2x3xf64>) target = "ral.triangular_solve" ints = [0, 1, 0, 1, 1]
func.func @triangular_solve(%a: tensor<3x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = "dhlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #dhlo<transpose ADJOINT>} : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}

// CHECK-LABEL: func.func @fft
// CHECK: library_call ins(%arg0 : tensor<?x6x8xf32>) outs(%{{.*}} : tensor<?x6x5xcomplex<f32>>) target = "ral.fft" ints = [0, 6, 8]
func.func @fft(%x: tensor<?x6x8xf32>) -> tensor<?x6x5xcomplex<f32>> {
  %0 = dhlo.fft %x, type = RFFT, length = [6, 8] : (tensor<?x6x8xf32>) -> tensor<?x6x5xcomplex<f32>>
  return %0 : tensor<?x6x5xcomplex<f32>>
}

// CHECK-LABEL: func.func @side_effect
// CHECK-COUNT-2: target = "vendor.next" {has_side_effect}
func.func @side_effect() -> (tensor<2xui64>, tensor<2xui64>) {
  %0 = dhlo.custom_call @vendor.next() {disc.library, has_side_effect = true} : () -> tensor<2xui64>
  %1 = dhlo.custom_call @vendor.next() {disc.library, has_side_effect = true} : () -> tensor<2xui64>
  return %0, %1 : tensor<2xui64>, tensor<2xui64>
}

// Typed attributes in the order of their names; a float is the bits of an f64.
// CHECK-LABEL: func.func @typed_attributes
// CHECK: target = "vendor.f" ints = [9, 4607182418800017408, 1, 3, -1, -2]
func.func @typed_attributes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = dhlo.custom_call @vendor.f(%x) {disc.library, disc.ints = array<i64: 9>, api_version = 4 : i32, backend_config = {alpha = 1.0 : f32, flag = true, k = 3 : i32, list = array<i64: -1, -2>}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
