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
