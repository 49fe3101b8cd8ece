// RUN: disc-opt %s | disc-opt | filecheck %s

// CHECK-LABEL: func.func @fusion_on_tensors
// CHECK: lmhlo_disc.fusion ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) {kind = "loop"} {
// CHECK: ^bb0(%{{.*}}: tensor<?xf32>):
// CHECK: lmhlo_disc.yield %{{.*}} : tensor<?xf32>
// CHECK: } -> tensor<?xf32>
func.func @fusion_on_tensors(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = lmhlo_disc.fusion ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %1 = arith.addf %a, %a : tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @fusion_on_memrefs
// CHECK: lmhlo_disc.fusion outs(%{{.*}} : memref<4xf32>) {kind = "loop"} {
func.func @fusion_on_memrefs(%out: memref<4xf32>) {
  lmhlo_disc.fusion outs(%out : memref<4xf32>) {kind = "loop"} {
    %0 = arith.constant dense<1.0> : tensor<4xf32>
    lmhlo_disc.yield %0 : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @products
// CHECK: lmhlo_disc.dot_general ins(%{{.*}}, %{{.*}} : tensor<?x8xf32>, tensor<16x8xf32>) outs(%{{.*}} : tensor<?x16xf32>) {transpose_rhs} -> tensor<?x16xf32>
// CHECK: lmhlo_disc.library_call ins(%{{.*}} : tensor<?x8xf32>) outs(%{{.*}} : tensor<?x16xf32>) target = "vendor.f" ints = [1, 2] -> tensor<?x16xf32>
func.func @products(%a: tensor<?x8xf32>, %b: tensor<16x8xf32>, %out: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = lmhlo_disc.dot_general ins(%a, %b : tensor<?x8xf32>, tensor<16x8xf32>) outs(%out : tensor<?x16xf32>) {transpose_rhs} -> tensor<?x16xf32>
  %1 = lmhlo_disc.library_call ins(%a : tensor<?x8xf32>) outs(%0 : tensor<?x16xf32>) target = "vendor.f" ints = [1, 2] -> tensor<?x16xf32>
  return %1 : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @runtime
// CHECK: lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
// CHECK: lmhlo_disc.recv_constant {index = 0 : i64, name = "w"} : memref<4xf32>
// CHECK: lmhlo_disc.check %{{.*}}, "sizes {0}"(%{{.*}})
// CHECK: lmhlo_disc.workers
// CHECK: lmhlo_disc.launch @kernel(%{{.*}}) range(%{{.*}}) grain(%{{.*}}) : memref<?xf32>
// CHECK: lmhlo_disc.send_output %{{.*}} {index = 0 : i64} : memref<?xf32>
func.func @runtime(%ok: i1, %n: index) {
  %0 = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %1 = lmhlo_disc.recv_constant {index = 0 : i64, name = "w"} : memref<4xf32>
  lmhlo_disc.check %ok, "sizes {0}" (%n)
  %2 = lmhlo_disc.workers
  lmhlo_disc.launch @kernel(%0) range(%n) grain(%2) : memref<?xf32>
  lmhlo_disc.send_output %0 {index = 0 : i64} : memref<?xf32>
  return
}
func.func private @kernel(memref<?xf32>, index, index, index)
