// RUN: disc-compile %s --emit=llvm --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 -o - | filecheck %s
// RUN: disc-compile %s -o %t.o --report=- | filecheck %s --check-prefix=REPORT
// RUN: disc-compile %s --emit=asm --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 -o - | filecheck %s --check-prefix=ASM
// RUN: disc-compile %s --emit=asm --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 -o - | filecheck %s --check-prefix=ARM
// RUN: not disc-compile %s --target-triple=aarch64-linux-gnu -o /dev/null 2>&1 | filecheck %s --check-prefix=FOREIGN
// RUN: not disc-compile %s --target-cpu=abacus -o /dev/null 2>&1 | filecheck %s --check-prefix=CPU

// REPORT: "phases"
// REPORT: "parse"
// REPORT: "codegen"
// FOREIGN: error: --target-cpu is this machine's, expected one of aarch64-linux-gnu; `generic` is any
// CPU: error: unknown processor `abacus`

// CHECK: define float @twice(float %0)
// CHECK: fadd float %0, %0
// CHECK: "prefer-vector-width"="512"
// ASM: vaddss
// ARM: fadd s0, s0, s0
llvm.func @twice(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
