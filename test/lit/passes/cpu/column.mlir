// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse | filecheck %s

// A sum over rows: the sums of a block of columns advance row by row with unit stride.
// CHECK-LABEL: func.func @columns
// CHECK: scf.if
// CHECK: lmhlo_disc.launch @kernel_part_0
// CHECK: lmhlo_disc.launch @kernel_join_1
// CHECK: } else {
// CHECK: %[[W:.*]] = lmhlo_disc.workers
// CHECK: %[[N:.*]] = arith.muli %[[W]], %c2176
// CHECK: %[[SUMS:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: lmhlo_disc.launch @kernel_loop_2
// CHECK: memref.dealloc %[[SUMS]]
// CHECK-LABEL: func.func private @kernel_part_0
// CHECK: arith.shrui
// CHECK-LABEL: func.func private @kernel_join_1
// CHECK: arith.negf
// CHECK-LABEL: func.func private @kernel_loop_2
// CHECK: scf.for %[[BLOCK:.*]] = %
// CHECK: scf.for
// CHECK: memref.store %cst
// CHECK: scf.for %[[ROW:.*]] = %c0
// CHECK: scf.for %[[COLUMN:.*]] = %c0
// CHECK: %[[J:.*]] = arith.addi %{{.*}}, %[[COLUMN]]
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[ROW]], %[[J]]]
// CHECK: %[[S:.*]] = memref.load
// CHECK: %[[T:.*]] = arith.addf %[[S]], %[[X]] fastmath<reassoc>
// CHECK: memref.store %[[T]]
// CHECK: scf.for
// CHECK: arith.negf
func.func @columns(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %0 = dhlo.reduce(%a init: %z) applies dhlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %1 = dhlo.negate %0 : tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  }
  return
}

// -----

// Three columns are no block. Many rows of them go 64 at a time, with accumulators of their own that are added up, half by half; else each sum
// is a loop of its own, in a register.
// CHECK-LABEL: func.func @few
// CHECK: scf.if
// CHECK: lmhlo_disc.launch @kernel_part_0
// CHECK: lmhlo_disc.launch @kernel_join_1
// CHECK: } else {
// CHECK-NOT: lmhlo_disc.workers
// CHECK: lmhlo_disc.launch @kernel_loop_2
// CHECK: func.func private @kernel_part_0
// CHECK: arith.minsi %{{.*}}, %c64
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32>
// CHECK: scf.for {{.*}} to %c6
// CHECK: arith.shrui %c192
// CHECK: func.func private @kernel_loop_2
// CHECK: scf.for {{.*}} iter_args
func.func @few(%x: memref<?x3xf32>, %y: memref<3xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x3xf32>) outs(%y : memref<3xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x3xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %0 = dhlo.reduce(%a init: %z) applies dhlo.add across dimensions = [0] : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
    lmhlo_disc.yield %0 : tensor<3xf32>
  }
  return
}
