// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 -o - | filecheck %s
// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=haswell -o - | filecheck %s --check-prefix=AVX2

// What AVX-512 does in one instruction: scaling by a power of two under the mask of what is not zero, approximations with their special
// values, the maximum with 0. The exponential's argument is not replaced by 0 where its result is.
// CHECK-LABEL: kernel_loop_0:
// CHECK-NOT: vminps {{.*}} {z}
// CHECK: vscalefps {{.*}} {%k{{[0-9]}}} {z}
// CHECK: vrcp14ps
// CHECK-NOT: vdivps
// CHECK: vrsqrt14ps
// CHECK: vfixupimmps
// CHECK: vfixupimmps
// AVX2-LABEL: kernel_loop_0:
// AVX2-NOT: {{vfixupimm|zmm}}
// AVX2: vdivps
// AVX2: vsqrtps
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.logistic %x : tensor<?xf32>
  %1 = stablehlo.rsqrt %0 : tensor<?xf32>
  %2 = stablehlo.subtract %1, %x : tensor<?xf32>
  %3 = chlo.broadcast_maximum %2, %zero : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
