// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 -o - | filecheck %s
// RUN: disc-compile %s --emit=asm --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 -o - | filecheck %s --check-prefix=ARM

// The loop that stores past the caches asks for what it reads 4 KB ahead, for one line after the other between its other instructions.
// CHECK-LABEL: kernel_loop_0:
// CHECK: prefetcht0
// CHECK-NEXT: {{v[a-z0-9]+}}
// CHECK-NEXT: {{v[a-z0-9]+}}
// CHECK: prefetcht0
// CHECK-NEXT: {{v[a-z0-9]+}}
// CHECK-NEXT: {{v[a-z0-9]+}}
// ARM-LABEL: kernel_loop_0:
// ARM: prfm pldl1keep
// ARM-NEXT: {{\s(f|ld|add|mov|bit)[a-z]*\s}}
// ARM-NEXT: {{\s(f|ld|add|mov|bit)[a-z]*\s}}
// ARM: prfm
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
