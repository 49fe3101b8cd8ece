// RUN: disc-opt %s --disc-runtime-entry | filecheck %s

// CHECK: llvm.mlir.global external constant @disc_signature("disc 1\0Ainput 0 f32 x n,4\0Aconstant 0 ui8 layer.w 8\0Ainput 1 i32 - -\0Aoutput 0 f32 n,4\0Aoutput 1 ui8 8\0A\00")
// CHECK-LABEL: func.func @disc_main() {
// CHECK-NEXT: %[[X:.*]] = lmhlo_disc.recv_input {disc.dims = ["n", ""], index = 0 : i64} : memref<?x4xf32>
// CHECK-NEXT: %[[W:.*]] = lmhlo_disc.recv_constant {index = 0 : i64, name = "layer.w"} : memref<8xui8>
// CHECK-NEXT: lmhlo_disc.send_output %[[X]] {index = 0 : i64} : memref<?x4xf32>
// CHECK-NEXT: lmhlo_disc.send_output %[[W]] {index = 1 : i64} : memref<8xui8>
// CHECK-NEXT: return
func.func @main(%x: memref<?x4xf32> {disc.name = "x", disc.dims = ["n", ""]},
                %w: memref<8xui8> {disc.constant = "layer.w"}, %unused: memref<i32>)
    -> (memref<?x4xf32> {disc.dims = ["n", ""]}, memref<8xui8>) {
  return %x, %w : memref<?x4xf32>, memref<8xui8>
}
