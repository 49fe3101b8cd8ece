// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse --loop-invariant-code-motion | filecheck %s
// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse --loop-invariant-code-motion --disc-cpu-vectorize --canonicalize --cse | filecheck %s --check-prefix=VECTOR

// Tiles in parallel; a tile is copied column by column, which becomes blocks that are transposed in registers.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK-NOT: disc.scratch
// CHECK: scf.for
// CHECK: scf.for %[[I:[a-z0-9]+]] = %c0
// CHECK: scf.for %[[J:[a-z0-9]+]] = %c0
// CHECK: %[[X:.*]] = memref.load
// CHECK-NEXT: memref.store %[[X]]
// VECTOR-LABEL: func.func private @kernel_loop_0
// VECTOR: disc.scalar = "it is thin"
// VECTOR: scf.for %{{.*}} step %c16
// VECTOR: scf.for %{{.*}} step %c16
// VECTOR-COUNT-16: vector.load {{.*}} vector<16xf32>
// VECTOR-COUNT-64: vector.shuffle
// VECTOR-COUNT-16: vector.store
// VECTOR-COUNT-16: vector.maskedload
// VECTOR-COUNT-64: vector.shuffle
// VECTOR-COUNT-16: vector.maskedstore
func.func @matrix(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xf32>):
    %0 = dhlo.transpose %a, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    lmhlo_disc.yield %0 : tensor<?x?xf32>
  }
  return
}

// -----

// Among other ops: what is transposed is computed into one tile of scratch and turned into another.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK-SAME: disc.scratch
// CHECK-SAME: disc.scratch
// CHECK: math.absf
// CHECK: %[[X:.*]] = memref.load
// CHECK: memref.store %[[X]]
// CHECK: arith.addf
func.func @fused(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %r: memref<?x?xf32>, %n: index, %m: index) {
  lmhlo_disc.fusion ins(%x, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%r : memref<?x?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>):
    %0 = dhlo.abs %a : tensor<?x?xf32>
    %1 = dhlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
    %2 = dhlo.add %1, %b : tensor<?x?xf32>
    lmhlo_disc.yield %2 : tensor<?x?xf32>
  }
  return
}

// -----

// The innermost dimension stays, or what would be is known to be short: no tiles.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK-NOT: arith.minsi %{{.*}}, %c64
// CHECK-LABEL: func.func private @kernel_loop_1
// CHECK-NOT: arith.minsi %{{.*}}, %c64
func.func @none(%x: memref<?x?x8xf32>, %y: memref<?x?x8xf32>, %u: memref<?x3xf32>, %v: memref<3x?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?x8xf32>) outs(%y : memref<?x?x8xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?x8xf32>):
    %0 = dhlo.transpose %a, dims = [1, 0, 2] : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    lmhlo_disc.yield %0 : tensor<?x?x8xf32>
  }
  lmhlo_disc.fusion ins(%u : memref<?x3xf32>) outs(%v : memref<3x?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x3xf32>):
    %0 = dhlo.transpose %a, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
    lmhlo_disc.yield %0 : tensor<3x?xf32>
  }
  return
}
