// RUN: disc-opt %s --disc-llvm-to-llvm | filecheck %s

// CHECK-LABEL: llvm.func @arithmetic
// CHECK: llvm.intr.exp
// CHECK: llvm.call @erff
// CHECK: llvm.fadd
func.func @arithmetic(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.erf %x : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
