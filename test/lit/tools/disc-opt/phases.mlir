// Phases by name: each one's output is read back by the next, and all of them at once give the same (with
// debug info between, since messages of checks name places).
// RUN: disc-opt --mlir-print-debuginfo --to=input %s | disc-opt --mlir-print-debuginfo --from=shape --to=shape | disc-opt --mlir-print-debuginfo --from=graph --to=graph | disc-opt --mlir-print-debuginfo --from=fusion --to=fusion | disc-opt --mlir-print-debuginfo --from=bufferize --to=bufferize | disc-opt --mlir-print-debuginfo --from=runtime --to=runtime | disc-opt --mlir-print-debuginfo --from=cpu --to=cpu | disc-opt --from=llvm > %t.steps
// RUN: disc-opt --disc-pipeline %s > %t.whole
// RUN: diff %t.steps %t.whole
// RUN: filecheck %s < %t.whole
// RUN: disc-opt --disc-pipeline="from=input to=fusion" %s | filecheck %s --check-prefix=FUSION

// An unknown phase is refused with the list.
// RUN: not disc-opt --to=grahp %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not disc-opt --from=fusion --to=input %s 2>&1 | filecheck %s --check-prefix=ORDER

// UNKNOWN: error: unknown phase `grahp`; the phases are `input`, `shape`
// ORDER: error: phase `input` comes before `fusion`

// FUSION: dhlo.fusion
// CHECK: llvm.func @disc_main
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %shape = shape.shape_of %d : tensor<?x8xf32> -> tensor<2xindex>
  %bb = stablehlo.dynamic_broadcast_in_dim %b, %shape, dims = [1] : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x8xf32>
  %s = stablehlo.add %d, %bb : tensor<?x8xf32>
  %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %max = stablehlo.reduce(%s init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %maxb = stablehlo.dynamic_broadcast_in_dim %max, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x8xf32>
  %c = stablehlo.subtract %s, %maxb : tensor<?x8xf32>
  %e = stablehlo.exponential %c : tensor<?x8xf32>
  return %e : tensor<?x8xf32>
}
