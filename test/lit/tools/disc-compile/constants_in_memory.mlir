// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 -o - | filecheck %s
// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=haswell -o - | filecheck %s --check-prefix=AVX2

// Eight vectors go side by side, op by op; the loop reads a constant where the eight need it.
// CHECK-LABEL: kernel_loop_0:
// CHECK: vbroadcastss 4(%[[TABLE:r[a-z0-9]+]]), %[[LIMIT:zmm[0-9]+]]
// CHECK-COUNT-8: vminps %{{zmm[0-9]+}}, %[[LIMIT]], %{{zmm[0-9]+}}
// CHECK-NOT: vminps
// CHECK: vbroadcastss 8(%[[TABLE]]), %zmm
// Narrow registers have room for four.
// AVX2-LABEL: kernel_loop_0:
// AVX2-NOT: {{#APP|zmm}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<0.70710678> : tensor<f32>
  %0 = chlo.broadcast_multiply %x, %c : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = chlo.erf %0 : tensor<?xf32> -> tensor<?xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<?xf32>
  return %2 : tensor<?xf32>
}
