// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse | filecheck %s

// Of two sizes that nobody knows to be equal the operand's one is asked at run time, once.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: scf.for %[[I:.*]] = %
// CHECK: %[[J:.*]] = arith.select %[[ONE]], %c0, %[[I]]
// CHECK: memref.load %{{.*}}[%[[J]]]
func.func @broadcast(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  lmhlo_disc.fusion ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %s = tensor.from_elements %n : tensor<1xindex>
    %0 = dhlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %1 = dhlo.tie_shape %0, %n : tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  }
  return
}

// -----

// The size a buffer was allocated with is the size of the result: no question, no selection.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK-NOT: arith.select
// CHECK: return
func.func @no_broadcast(%y: memref<?xf32>, %n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.fusion ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %s = tensor.from_elements %n : tensor<1xindex>
    %0 = dhlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %1 = dhlo.tie_shape %0, %n : tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  }
  return
}

// -----

// Splitting 768 into 12 x 64 leaves the other dimensions alone.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for {{.*}} iter_args(%[[B:.*]] = {{.*}}, %[[S:.*]] = {{.*}}, %[[H:.*]] = {{.*}})
// CHECK: scf.for %[[J:.*]] = %c0 to %c64
// CHECK: %[[M:.*]] = arith.muli %[[H]], %c64
// CHECK: %[[A:.*]] = arith.addi %[[M]], %[[J]]
// CHECK: memref.load %{{.*}}[%[[B]], %[[S]], %[[A]]]
func.func @heads(%x: memref<?x?x768xf32>, %y: memref<?x12x?x64xf32>, %n: index, %m: index) {
  lmhlo_disc.fusion ins(%x : memref<?x?x768xf32>) outs(%y : memref<?x12x?x64xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?x768xf32>):
    %t = dhlo.tie_shape %a, %n, %m : tensor<?x?x768xf32>
    %c12 = arith.constant 12 : index
    %c64 = arith.constant 64 : index
    %s = tensor.from_elements %n, %m, %c12, %c64 : tensor<4xindex>
    %0 = dhlo.dynamic_reshape %t, %s : (tensor<?x?x768xf32>, tensor<4xindex>) -> tensor<?x?x12x64xf32>
    %1 = dhlo.tie_shape %0, %n, %m : tensor<?x?x12x64xf32>
    %2 = dhlo.transpose %1, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    lmhlo_disc.yield %2 : tensor<?x12x?x64xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for %[[I:.*]] = %
// CHECK: arith.muli %[[I]], %c2
// CHECK: arith.addi %{{.*}}, %c1
func.func @slice(%x: memref<9xf32>, %y: memref<4xf32>) {
  lmhlo_disc.fusion ins(%x : memref<9xf32>) outs(%y : memref<4xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<9xf32>):
    %0 = dhlo.slice %a [1:9:2] : (tensor<9xf32>) -> tensor<4xf32>
    lmhlo_disc.yield %0 : tensor<4xf32>
  }
  return
}

// -----

// A start outside is clamped.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for %[[I:.*]] = %
// CHECK: arith.minsi %{{.*}}, %c5
// CHECK: arith.maxsi %{{.*}}, %c0
// CHECK: arith.addi
func.func @dynamic_slice(%x: memref<9xf32>, %i: memref<i64>, %y: memref<4xf32>) {
  lmhlo_disc.fusion ins(%x, %i : memref<9xf32>, memref<i64>) outs(%y : memref<4xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<9xf32>, %s: tensor<i64>):
    %0 = dhlo.dynamic_slice %a, %s, sizes = [4] : (tensor<9xf32>, tensor<i64>) -> tensor<4xf32>
    lmhlo_disc.yield %0 : tensor<4xf32>
  }
  return
}

// -----

// Only the side that is taken is loaded.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for %[[I:.*]] = %
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[I]], %[[END:.*]] : index
// CHECK: scf.if %[[IN]]
// CHECK: memref.load %{{.*}}[%[[I]]]
// CHECK: else
// CHECK: %[[J:.*]] = arith.subi %[[I]], %[[END]]
// CHECK: memref.load %{{.*}}[%[[J]]]
func.func @concatenate(%x: memref<?xf32>, %z: memref<?xf32>, %y: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x, %z : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %0 = dhlo.concatenate %a, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    lmhlo_disc.yield %0 : tensor<?xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for %[[I:.*]] = %
// CHECK: %[[P:.*]] = arith.subi %[[I]], %c1
// CHECK: arith.remui %[[P]], %c2
// CHECK: scf.if
// CHECK: memref.load
// CHECK: else
// CHECK: scf.yield %cst
func.func @pad(%x: memref<3xf32>, %y: memref<8xf32>) {
  lmhlo_disc.fusion ins(%x : memref<3xf32>) outs(%y : memref<8xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<3xf32>):
    %z = dhlo.constant dense<0.5> : tensor<f32>
    %0 = dhlo.pad %a, %z, low = [1], high = [2], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
    lmhlo_disc.yield %0 : tensor<8xf32>
  }
  return
}

// -----

// Rows of a table; indices outside are clamped.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for %[[I:.*]] = %
// CHECK: scf.for %[[J:.*]] = %c0 to %c64
// CHECK: %[[T:.*]] = memref.load %{{.*}}[%[[I]]] : memref<?xi64>
// CHECK: %[[K:.*]] = arith.index_cast %[[T]]
// CHECK: %[[L:.*]] = arith.minsi %[[K]], %c99
// CHECK: %[[H:.*]] = arith.maxsi %[[L]], %c0
// CHECK: memref.load %{{.*}}[%[[H]], %[[J]]]
func.func @gather(%x: memref<100x64xf32>, %i: memref<?xi64>, %y: memref<?x64xf32>) {
  lmhlo_disc.fusion ins(%x, %i : memref<100x64xf32>, memref<?xi64>) outs(%y : memref<?x64xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<100x64xf32>, %s: tensor<?xi64>):
    %0 = "dhlo.gather"(%a, %s) {dimension_numbers = #dhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>} : (tensor<100x64xf32>, tensor<?xi64>) -> tensor<?x64xf32>
    lmhlo_disc.yield %0 : tensor<?x64xf32>
  }
  return
}

// -----

// A constant that is no splat lies in a table of the module.
// CHECK: memref.global "private" constant @disc_table_0 : memref<4xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> {alignment = 64 : i64}
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: memref.get_global @disc_table_0
func.func @table(%y: memref<4xf32>) {
  lmhlo_disc.fusion outs(%y : memref<4xf32>) {kind = "loop"} {
    %0 = dhlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    lmhlo_disc.yield %0 : tensor<4xf32>
  }
  return
}
