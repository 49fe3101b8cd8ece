// RUN: disc-opt %s --disc-cpu-fusion-to-kernels --canonicalize --cse | filecheck %s

// A chain on one shape is one flat loop, whatever the rank; sizes are multiplied on the host.
// CHECK-LABEL: func.func @flat
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>
// CHECK-DAG: %[[D0:.*]] = memref.dim %[[Y]], %c0
// CHECK-DAG: %[[D1:.*]] = memref.dim %[[Y]], %c1
// CHECK: %[[N:.*]] = arith.muli %[[D0]], %[[D1]] : index
// CHECK: memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [%[[N]]], strides: [1] : memref<?x?xf32> to memref<?xf32>
// CHECK: lmhlo_disc.launch @[[FLAT:kernel_loop_0]]({{.*}}) range(%[[N]]) grain(%{{.*}}) : memref<?xf32>, memref<?xf32>
func.func @flat(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xf32>):
    %0 = dhlo.multiply %a, %a : tensor<?x?xf32>
    %1 = dhlo.add %0, %a : tensor<?x?xf32>
    lmhlo_disc.yield %1 : tensor<?x?xf32>
  }
  return
}

// Rows are items; the index of an item is carried along instead of divided out.
// CHECK-LABEL: func.func @bias
// CHECK: lmhlo_disc.launch @[[BIAS:kernel_loop_1]]
func.func @bias(%x: memref<?x?x768xf32>, %b: memref<768xf32>, %y: memref<?x?x768xf32>, %n: index, %m: index) {
  lmhlo_disc.fusion ins(%x, %b : memref<?x?x768xf32>, memref<768xf32>) outs(%y : memref<?x?x768xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?x768xf32>, %c: tensor<768xf32>):
    %k = arith.constant 768 : index
    %s0 = tensor.from_elements %n, %m, %k : tensor<3xindex>
    %0 = dhlo.dynamic_broadcast_in_dim %c, %s0, dims = [2] : (tensor<768xf32>, tensor<3xindex>) -> tensor<?x?x768xf32>
    %1 = dhlo.tie_shape %0, %n, %m : tensor<?x?x768xf32>
    %2 = dhlo.add %a, %1 : tensor<?x?x768xf32>
    %3 = dhlo.tie_shape %2, %n, %m : tensor<?x?x768xf32>
    lmhlo_disc.yield %3 : tensor<?x?x768xf32>
  }
  return
}

// Unit dimensions cost no loop and no division.
// CHECK-LABEL: func.func @unit
// CHECK: lmhlo_disc.launch @[[UNIT:kernel_loop_2]]
func.func @unit(%x: memref<1x8x1x4xf32>, %y: memref<8x1x4x1xf32>) {
  lmhlo_disc.fusion ins(%x : memref<1x8x1x4xf32>) outs(%y : memref<8x1x4x1xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<1x8x1x4xf32>):
    %0 = dhlo.reverse %a, dims = [1] : tensor<1x8x1x4xf32>
    %1 = dhlo.reshape %0 : (tensor<1x8x1x4xf32>) -> tensor<8x1x4x1xf32>
    lmhlo_disc.yield %1 : tensor<8x1x4x1xf32>
  }
  return
}

// Two results, one loop; a rank-0 result is one item.
// CHECK-LABEL: func.func @two
// CHECK: lmhlo_disc.launch @[[TWO:kernel_loop_3]]
// CHECK: lmhlo_disc.launch @[[ONE:kernel_loop_4]]({{.*}}) range(%c1) grain(
func.func @two(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>, %s: memref<f32>) {
  lmhlo_disc.fusion ins(%x : memref<?xf32>) outs(%y, %z : memref<?xf32>, memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %0 = dhlo.negate %a : tensor<?xf32>
    %1 = dhlo.add %0, %0 : tensor<?xf32>
    lmhlo_disc.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
  lmhlo_disc.fusion outs(%s : memref<f32>) {kind = "loop"} {
    %0 = dhlo.constant dense<3.0> : tensor<f32>
    lmhlo_disc.yield %0 : tensor<f32>
  }
  return
}

// Unsigned and boolean buffers are passed as what lies in memory.
// CHECK-LABEL: func.func @bytes
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : memref<?xui8> to memref<?xi8>
// CHECK: lmhlo_disc.launch @[[BYTES:kernel_loop_5]]
func.func @bytes(%x: memref<?xui8>, %z: memref<?xui8>, %y: memref<?xi1>) {
  lmhlo_disc.fusion ins(%x, %z : memref<?xui8>, memref<?xui8>) outs(%y : memref<?xi1>) {kind = "loop"} {
  ^bb0(%a: tensor<?xui8>, %b: tensor<?xui8>):
    %0 = dhlo.compare LT, %a, %b, UNSIGNED : (tensor<?xui8>, tensor<?xui8>) -> tensor<?xi1>
    lmhlo_disc.yield %0 : tensor<?xi1>
  }
  return
}

// A transposed result has a unit stride in the innermost loop's store.
// CHECK-LABEL: func.func @transpose
// CHECK: lmhlo_disc.launch @[[TRANSPOSE:kernel_loop_6]]
func.func @transpose(%x: memref<?x?x12x64xf32>, %y: memref<?x12x?x64xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?x12x64xf32>) outs(%y : memref<?x12x?x64xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?x12x64xf32>):
    %0 = dhlo.transpose %a, dims = [0, 2, 1, 3] : (tensor<?x?x12x64xf32>) -> tensor<?x12x?x64xf32>
    lmhlo_disc.yield %0 : tensor<?x12x?x64xf32>
  }
  return
}

// CHECK: func.func private @[[FLAT]](%[[IN:.*]]: memref<?xf32>, %[[OUT:.*]]: memref<?xf32>, %[[LO:.*]]: index, %[[HI:.*]]: index, %{{.*}}: index)
// CHECK: scf.for %[[I:.*]] = %[[LO]] to %[[HI]] step
// CHECK-NEXT: %[[A:.*]] = memref.load %[[IN]][%[[I]]]
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[M]], %[[A]]
// CHECK-NEXT: memref.store %[[S]], %[[OUT]][%[[I]]]

// CHECK: func.func private @[[BIAS]](
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: scf.for {{.*}} iter_args(%[[I0:.*]] = {{.*}}, %[[I1:.*]] = {{.*}}) -> (index, index)
// CHECK: scf.for %[[J:.*]] = %c0 to %c768 step %c1
// CHECK: memref.load %{{.*}}[%[[I0]], %[[I1]], %[[J]]]
// CHECK: memref.load %{{.*}}[%[[J]]]
// CHECK: memref.store %{{.*}}[%[[I0]], %[[I1]], %[[J]]]
// CHECK-NOT: divui

// CHECK: func.func private @[[UNIT]](
// CHECK-NOT: divui
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %c0 to %c4 step
// CHECK: %[[R:.*]] = arith.subi %c7, %[[I]]
// CHECK: memref.load %{{.*}}[%c0, %[[R]], %c0, %[[J]]]
// CHECK: memref.store %{{.*}}[%[[I]], %c0, %[[J]], %c0]

// CHECK: func.func private @[[TWO]](
// CHECK-COUNT-1: scf.for
// CHECK: memref.store
// CHECK: memref.store

// CHECK: func.func private @[[BYTES]](%{{.*}}: memref<?xi8>, %{{.*}}: memref<?xi8>
// CHECK: memref.load %{{.*}} : memref<?xi8>
// CHECK: arith.cmpi ult
// CHECK: memref.store %{{.*}} : memref<?xi8>

// CHECK: func.func private @[[TRANSPOSE]](
// CHECK: scf.for {{.*}} iter_args(%[[B:.*]] = {{.*}}, %[[S:.*]] = {{.*}}, %[[H:.*]] = {{.*}}) -> (index, index, index)
// CHECK: scf.for %[[J:.*]] = %c0 to %c64 step
// CHECK: memref.load %{{.*}}[%[[B]], %[[S]], %[[H]], %[[J]]]
// CHECK: memref.store %{{.*}}[%[[B]], %[[H]], %[[S]], %[[J]]]
