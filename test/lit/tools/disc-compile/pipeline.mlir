// RUN: disc-compile %s -o %t.o --report=- | filecheck %s
// RUN: disc-compile %s --emit=mlir -o - | filecheck %s --check-prefix=MLIR
// RUN: not disc-compile %s --from=nowhere -o /dev/null 2>&1 | filecheck %s --check-prefix=PHASE
// RUN: not disc-compile /dev/null -o %t.o 2>&1 | filecheck %s --check-prefix=EMPTY

// CHECK: "phases"
// CHECK: "bufferize"
// CHECK: "codegen"
// CHECK: "kind": "loop"
// CHECK: "kernel_loop_0": 1
// MLIR: llvm.func @disc_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// PHASE: error: no phase `nowhere`
// EMPTY: error: expected a function `main`
func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
