// RUN: disc-opt %s --disc-bufferize-one-shot | filecheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: memref<?xf32> {disc.name = "x"}
// CHECK: %[[OUT:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xf32>
// CHECK: lmhlo_disc.fusion ins(%[[X]] : memref<?xf32>) outs(%[[OUT]] : memref<?xf32>) {kind = "loop"} {
// CHECK: ^bb0(%{{.*}}: tensor<?xf32>):
// CHECK: lmhlo_disc.yield %{{.*}} : tensor<?xf32>
// CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [%{{.*}}, 2], strides: [2, 1] : memref<?xf32> to memref<?x2xf32>
// CHECK-NOT: memref.copy
// CHECK: return %[[VIEW]] : memref<?x2xf32>
func.func @main(%x: tensor<?xf32> {disc.name = "x"}) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %out = tensor.empty(%n) : tensor<?xf32>
  %0 = lmhlo_disc.fusion ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %2 = arith.addf %a, %a : tensor<?xf32>
    lmhlo_disc.yield %2 : tensor<?xf32>
  } -> tensor<?xf32>
  %half = arith.divsi %n, %c2 : index
  %1 = lmhlo_disc.reshape_view %0, %half : tensor<?xf32> -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}

// An input is not written in place.
// CHECK-LABEL: func.func @input_is_kept
// CHECK: memref.alloc
// CHECK: memref.copy
// CHECK: memref.store
func.func @input_is_kept(%x: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %v into %x[%c0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
