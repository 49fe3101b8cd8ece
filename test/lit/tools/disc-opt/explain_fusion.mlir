// RUN: disc-opt --from=fusion --disc-explain-fusion %s | filecheck %s --check-prefix=ALL
// RUN: disc-opt --from=fusion --disc-explain-fusion=25,26 %s | filecheck %s --check-prefix=KERNEL
// RUN: disc-opt --from=fusion --disc-explain-fusion=43,39:8 %s | filecheck %s --check-prefix=STITCH
// RUN: disc-opt --from=fusion --disc-explain-fusion=exponential,%s:54 %s | filecheck %s --check-prefix=REPEATED
// RUN: disc-opt --from=fusion --disc-explain-fusion=65,66 %s | filecheck %s --check-prefix=OTHERS
// RUN: disc-opt --from=fusion --disc-explain-fusion=74,76 %s | filecheck %s --check-prefix=ROWS
// RUN: disc-opt --from=fusion --disc-explain-fusion=86,88 %s | filecheck %s --check-prefix=FAR
// RUN: disc-opt --from=fusion --disc-explain-fusion=25,66 %s | filecheck %s --check-prefix=NONE
// RUN: disc-opt --disc-pipeline --disc-explain-fusion=94,95 %s | filecheck %s --check-prefix=GONE
// RUN: not disc-opt --from=fusion --disc-explain-fusion=25,9999 %s 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: not disc-opt --from=fusion --disc-explain-fusion=25 %s 2>&1 | filecheck %s --check-prefix=ONE

// ALL: kernel 1 (loop): `negate` at explain_fusion.mlir:25:8, `tanh` at explain_fusion.mlir:26:8

// KERNEL: `negate` at explain_fusion.mlir:25:8: kernel 1
// KERNEL: `tanh` at explain_fusion.mlir:26:8: kernel 1
// KERNEL: joined: both in kernel 1

// NONE: apart:
// NONE-NEXT: neither needs what the other computes; only a producer and its consumer are joined

// WRONG: error: --disc-explain-fusion: no op is `9999`; expected a line of the file
// ONE: error: --disc-explain-fusion: expected two ops, as in `12,15:8`, got `25`
func.func @one(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = dhlo.negate %x : tensor<?xf32>
  %1 = dhlo.tanh %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// ALL: stitch 1:
// ALL-NEXT: product 1: `dot_general` at explain_fusion.mlir:39:8
// ALL-NEXT: kernel 2 (loop): `tanh`
// ALL-NEXT: product 2
// ALL-NEXT: kernel 3 (row):

// STITCH: `dot_general` at explain_fusion.mlir:39:8: product 1 of stitch 1
// STITCH: joined: both in stitch 1, which works on a block of rows at a time
func.func @stitched(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>, %v: tensor<64x128xf32>) -> tensor<?xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %1 = dhlo.tanh %0 : tensor<?x128xf32>
  %2 = dhlo.dot_general %1, %v, contracting_dims = [1] x [1] : (tensor<?x128xf32>, tensor<64x128xf32>) -> tensor<?x64xf32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %3 = dhlo.reduce(%2 init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// REPEATED: `exponential` at explain_fusion.mlir:53:8: kernel 4
// REPEATED: `broadcast_in_dim` at explain_fusion.mlir:54:8: kernel 5
// REPEATED: apart:
// REPEATED-NEXT: kernel 4 -> kernel 5:
// REPEATED-NEXT: `exponential` at explain_fusion.mlir:53:8 -> `broadcast_in_dim` at explain_fusion.mlir:54:8: the broadcast would repeat its work
func.func @repeated(%x: tensor<8xf32>) -> tensor<64x8xf32> {
  %0 = dhlo.exponential %x : tensor<8xf32>
  %1 = dhlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}

// OTHERS: apart:
// OTHERS-NEXT: product 3 -> kernel 6:
// OTHERS-NEXT: others read the product too
// ALL: apart: kernel 4 -> kernel 5
// ALL: apart: product 3 -> kernel 6
// ALL-NEXT: others read the product too
func.func @others(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>) -> (tensor<?x128xf32>, tensor<?x128xf32>) {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %1 = dhlo.logistic %0 : tensor<?x128xf32>
  return %0, %1 : tensor<?x128xf32>, tensor<?x128xf32>
}

// ROWS: apart:
// ROWS-NEXT: product 4 -> kernel 7:
// ROWS-NEXT: the kernel reduces columns, which needs all rows
func.func @columns(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>) -> tensor<128xf32> {
  %0 = dhlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
  %zero = dhlo.constant dense<0.0> : tensor<f32>
  %1 = dhlo.reduce(%0 init: %zero) applies dhlo.add across dimensions = [0] : (tensor<?x128xf32>, tensor<f32>) -> tensor<128xf32>
  return %1 : tensor<128xf32>
}

// Link by link; the first kernel's result is the right operand.
// FAR: apart:
// FAR-NEXT: kernel 8 -> product 5:
// FAR-NEXT: it is the right operand: each row of the product needs all of it
// FAR-NEXT: product 5 -> kernel 9: both in stitch 2
func.func @far(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = dhlo.negate %x : tensor<64x64xf32>
  %1 = dhlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = dhlo.abs %1 : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// GONE: `convert` at explain_fusion.mlir:94:8 is in no kernel: phases before `fusion` folded it
func.func @gone(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = dhlo.convert %x : (tensor<?xf32>) -> tensor<?xf32>
  %1 = dhlo.abs %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
