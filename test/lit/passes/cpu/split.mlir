// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse | filecheck %s

// Few long rows go to all threads in pieces: partial sums, then their sum. Sizes decide.
// CHECK-LABEL: func.func @rows
// CHECK: scf.if
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: lmhlo_disc.launch @kernel_part_0
// CHECK: lmhlo_disc.launch @kernel_join_1
// CHECK: memref.dealloc
// CHECK: } else {
// CHECK: lmhlo_disc.launch @kernel_row_2
// CHECK-LABEL: func.func private @kernel_part_0
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst
// CHECK: arith.addf {{.*}} fastmath<reassoc>
// CHECK-LABEL: func.func private @kernel_join_1
// CHECK: arith.addf {{.*}} fastmath<reassoc>
// CHECK: arith.divf
func.func @rows(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x?xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %0 = dhlo.reduce(%a init: %z) applies dhlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = dhlo.divide %0, %0 : tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  }
  return
}

// -----

// A known length leaves no choice: short rows, and one long one.
// CHECK-LABEL: func.func @short
// CHECK-NOT: scf.if
// CHECK: lmhlo_disc.launch @kernel_row_0
// CHECK-LABEL: func.func @long
// CHECK-NOT: scf.if
// CHECK: lmhlo_disc.launch @kernel_part_
// CHECK: lmhlo_disc.launch @kernel_join_
func.func @short(%x: memref<?x64xi32>, %y: memref<?xi32>) {
  lmhlo_disc.fusion ins(%x : memref<?x64xi32>) outs(%y : memref<?xi32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x64xi32>):
    %z = dhlo.constant dense<0> : tensor<i32>
    %0 = dhlo.reduce(%a init: %z) applies dhlo.maximum across dimensions = [1] : (tensor<?x64xi32>, tensor<i32>) -> tensor<?xi32>
    lmhlo_disc.yield %0 : tensor<?xi32>
  }
  return
}
func.func @long(%x: memref<100000xi32>, %y: memref<i32>) {
  lmhlo_disc.fusion ins(%x : memref<100000xi32>) outs(%y : memref<i32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<100000xi32>):
    %z = dhlo.constant dense<0> : tensor<i32>
    %0 = dhlo.reduce(%a init: %z) applies dhlo.maximum across dimensions = [0] : (tensor<100000xi32>, tensor<i32>) -> tensor<i32>
    lmhlo_disc.yield %0 : tensor<i32>
  }
  return
}

// -----

// What follows the reduction needs the row again; a region of two ops has no number to start a piece from.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: kernel_part
func.func @kept(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %w: memref<?xf32>, %n: index, %m: index) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%arg: tensor<?x?xf32>):
    %a = dhlo.tie_shape %arg, %n, %m : tensor<?x?xf32>
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %s = tensor.from_elements %n, %m : tensor<2xindex>
    %0 = dhlo.reduce(%a init: %z) applies dhlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = dhlo.dynamic_broadcast_in_dim %0, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %2 = dhlo.tie_shape %1, %n, %m : tensor<?x?xf32>
    %3 = dhlo.subtract %a, %2 : tensor<?x?xf32>
    lmhlo_disc.yield %3 : tensor<?x?xf32>
  }
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%w : memref<?xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x?xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %0 = dhlo.reduce(%a init: %z) across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
     reducer(%p: tensor<f32>, %q: tensor<f32>) {
      %1 = dhlo.abs %q : tensor<f32>
      %2 = dhlo.add %p, %1 : tensor<f32>
      dhlo.return %2 : tensor<f32>
    }
    lmhlo_disc.yield %0 : tensor<?xf32>
  }
  return
}

// -----

// Rows of two dimensions are one, of a view of the buffer; but not where one of them has a number of its own.
// CHECK-LABEL: func.func @flat
// CHECK: memref.reinterpret_cast {{.*}} : memref<?x3x4xf32> to memref<?x12xf32>
// CHECK: lmhlo_disc.launch @kernel_row_0
// CHECK: lmhlo_disc.launch @kernel_row_1
// CHECK-LABEL: func.func private @kernel_row_0
// CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x12xf32>
// CHECK-LABEL: func.func private @kernel_row_1
// CHECK: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : memref<?x3x4xf32>
func.func @flat(%x: memref<?x3x4xf32>, %c: memref<4xf32>, %y: memref<?xf32>, %w: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x3x4xf32>) outs(%y : memref<?xf32>) {kind = "row", row_dims = 2 : i64} {
  ^bb0(%a: tensor<?x3x4xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %0 = dhlo.abs %a : tensor<?x3x4xf32>
    %1 = dhlo.reduce(%0 init: %z) applies dhlo.add across dimensions = [1, 2] : (tensor<?x3x4xf32>, tensor<f32>) -> tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  }
  lmhlo_disc.fusion ins(%x, %c : memref<?x3x4xf32>, memref<4xf32>) outs(%w : memref<?xf32>) {kind = "row", row_dims = 2 : i64} {
  ^bb0(%a: tensor<?x3x4xf32>, %b: tensor<4xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %n = tensor.dim %a, %c0 : tensor<?x3x4xf32>
    %s = tensor.from_elements %n, %c3, %c4 : tensor<3xindex>
    %0 = dhlo.dynamic_broadcast_in_dim %b, %s, dims = [2] : (tensor<4xf32>, tensor<3xindex>) -> tensor<?x3x4xf32>
    %1 = dhlo.add %a, %0 : tensor<?x3x4xf32>
    %2 = dhlo.reduce(%1 init: %z) applies dhlo.add across dimensions = [1, 2] : (tensor<?x3x4xf32>, tensor<f32>) -> tensor<?xf32>
    lmhlo_disc.yield %2 : tensor<?xf32>
  }
  return
}
