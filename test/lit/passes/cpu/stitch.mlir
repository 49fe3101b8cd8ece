// RUN: disc-opt %s --disc-cpu-fusion-to-kernels | filecheck %s
// RUN: disc-opt %s --disc-cpu-fusion-to-kernels --disc-llvm-no-alias --convert-scf-to-cf --expand-strided-metadata --lower-affine \
// RUN:   --disc-llvm-runtime-calls | filecheck %s --check-prefix=CALL

// What the products and the kernel hand on is no buffer of the host; only the result is.
// CHECK-LABEL: @disc_main
// CHECK: %[[C:.*]] = lmhlo_disc.block_buffer(%{{.*}}) : memref<?x128xf32>
// CHECK: %[[P:.*]] = lmhlo_disc.block_buffer(%{{.*}}) : memref<?x128xf32>
// CHECK: lmhlo_disc.stitch {
// CHECK-NEXT: lmhlo_disc.dot_general ins({{.*}}) outs(%[[C]] : memref<?x128xf32>) {transpose_rhs}
// CHECK-NEXT: lmhlo_disc.launch @kernel_loop_0
// CHECK-NEXT: lmhlo_disc.dot_general ins(%[[P]], {{.*}}) outs(%{{.*}} : memref<?x64xf32>)
// CHECK-NEXT: }
// CHECK-NOT: memref.alloc

// CALL: "ral.stitch\00"
// CALL-NOT: block_buffer
func.func @disc_main() {
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?x64xf32>
  %w = lmhlo_disc.recv_input {index = 1 : i64} : memref<128x64xf32>
  %v = lmhlo_disc.recv_constant {index = 0 : i64, name = "v"} : memref<128x64xf32>
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x64xf32>
  %out = memref.alloc(%m) : memref<?x64xf32>
  lmhlo_disc.fusion ins(%x, %w, %v : memref<?x64xf32>, memref<128x64xf32>, memref<128x64xf32>) outs(%out : memref<?x64xf32>) {kind = "stitch"} {
  ^bb0(%a: tensor<?x64xf32>, %b: tensor<128x64xf32>, %c: tensor<128x64xf32>):
    %0 = dhlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<?x64xf32>, tensor<128x64xf32>) -> tensor<?x128xf32>
    %1 = dhlo.tie_shape %0, %m : tensor<?x128xf32>
    %2 = dhlo.fusion "loop" (%e = %1 : tensor<?x128xf32>) -> tensor<?x128xf32> {
      %t = dhlo.tie_shape %e, %m : tensor<?x128xf32>
      %n = dhlo.negate %t : tensor<?x128xf32>
      dhlo.return %n : tensor<?x128xf32>
    }
    %3 = dhlo.tie_shape %2, %m : tensor<?x128xf32>
    %4 = dhlo.dot_general %3, %c, contracting_dims = [1] x [0] : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<?x64xf32>
    %5 = dhlo.tie_shape %4, %m : tensor<?x64xf32>
    lmhlo_disc.yield %5 : tensor<?x64xf32>
  }
  lmhlo_disc.send_output %out {index = 0 : i64} : memref<?x64xf32>
  return
}
