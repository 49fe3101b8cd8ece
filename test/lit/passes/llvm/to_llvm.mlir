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

// What is said of a loop stays with its branch.
// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.br ^[[HEAD:.*]](%{{.*}} : i64)
// CHECK: llvm.br ^[[HEAD]](%{{.*}} : i64) {loop_annotation = #{{.*}}}
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %in = arith.cmpi slt, %i, %n : index
  cf.cond_br %in, ^body, ^end
^body:
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index) {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
^end:
  return
}
