// RUN: disc-opt %s --split-input-file --disc-bufferize-arena | filecheck %s

// Four buffers of one chain: the first and the third, the second and the fourth share a place. All sizes are known
// when the arena is made; the check of one of them is made before.
// CHECK-LABEL: func.func @disc_main
// CHECK: lmhlo_disc.check
// CHECK: %[[BYTES:.*]] = lmhlo_disc.element_count
// CHECK: %[[CAPPED:.*]] = arith.minui %[[BYTES]]
// CHECK: %[[TOTAL:.*]] = arith.addi %[[CAPPED]], %[[CAPPED]]
// CHECK: %[[ARENA:.*]] = memref.alloc(%[[TOTAL]])
// CHECK-SAME: disc.arena = {bound = array<i64: [[BOUND:.*]]>, buffers = 4 : i64, bytes = array<i64: [[BOUND]]>, sizes = ["n = 64", "n = 1", "n = 256", "n = 8"]}
// CHECK: memref.view %[[ARENA]][%[[A:.*]]][%{{.*}}]
// CHECK: memref.view %[[ARENA]][%[[B:.*]]][%{{.*}}]
// CHECK-NOT: memref.dealloc
// CHECK: memref.view %[[ARENA]][%[[A]]][%{{.*}}]
// CHECK: memref.view %[[ARENA]][%[[B]]][%{{.*}}]
// CHECK: %[[OUT:.*]] = memref.alloc
// CHECK: library_call
// CHECK-NEXT: memref.dealloc %[[ARENA]]
// CHECK-NEXT: lmhlo_disc.send_output %[[OUT]]
func.func @disc_main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = lmhlo_disc.recv_input {disc.dims = ["n"], index = 0 : i64} : memref<?xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  lmhlo_disc.library_call ins(%x : memref<?xf32>) outs(%a : memref<?x16xf32>) target = "f" ints = []
  %b = memref.alloc(%n) : memref<?x16xf32>
  lmhlo_disc.library_call ins(%a : memref<?x16xf32>) outs(%b : memref<?x16xf32>) target = "f" ints = []
  memref.dealloc %a : memref<?x16xf32>
  %ok = arith.cmpi sgt, %n, %c1 : index
  lmhlo_disc.check %ok, "too small: {0}" (%n)
  %c = memref.alloc(%n) : memref<?x4x4xf32>
  lmhlo_disc.library_call ins(%b : memref<?x16xf32>) outs(%c : memref<?x4x4xf32>) target = "f" ints = []
  memref.dealloc %b : memref<?x16xf32>
  %d = memref.alloc(%n) : memref<?x8xf64>
  lmhlo_disc.library_call ins(%c : memref<?x4x4xf32>) outs(%d : memref<?x8xf64>) target = "f" ints = []
  memref.dealloc %c : memref<?x4x4xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.library_call ins(%d : memref<?x8xf64>) outs(%y : memref<?xf32>) target = "f" ints = []
  memref.dealloc %d : memref<?x8xf64>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?xf32>
  return
}

// -----

// Different sizes: a buffer lies on the larger end of what is alive below it, whatever the sizes are. Samples are likely
// or allowed sizes; what is declared is of no use below.
// CHECK-LABEL: func.func @disc_main() {
// CHECK: lmhlo_disc.recv_input {index = 0 : i64}
// CHECK: %[[N:.*]] = lmhlo_disc.element_count
// CHECK: %[[M:.*]] = lmhlo_disc.element_count
// CHECK: arith.maxui
// CHECK: memref.alloc(%{{.*}}) {disc.arena
// CHECK-SAME: sizes = ["n = 10, m = 63", "n = 10, m = 198", "n = 10, m = 3", "n = 10, m = 126"]}
func.func @disc_main() attributes {disc.symbols = {m = {max = 200 : i64, multiple_of = 3 : i64}, n = {likely = array<i64: 10>}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = lmhlo_disc.recv_input {disc.dims = ["n", "m"], index = 0 : i64} : memref<?x?xf32>
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  lmhlo_disc.library_call ins(%x : memref<?x?xf32>) outs(%a : memref<?x16xf32>) target = "f" ints = []
  memref.dealloc %a : memref<?x16xf32>
  %b = memref.alloc(%m) : memref<?x16xf32>
  lmhlo_disc.library_call ins(%x : memref<?x?xf32>) outs(%b : memref<?x16xf32>) target = "f" ints = []
  memref.dealloc %b : memref<?x16xf32>
  return
}

// -----

// Small buffers of constant size go to the stack; one that is left needs no arena.
// CHECK-LABEL: func.func @disc_main
// CHECK: %[[STACK:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
// CHECK: memref.view %[[STACK]]
// CHECK: %[[ALONE:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.view %[[STACK]]
// CHECK: memref.dealloc %[[ALONE]]
func.func @disc_main() {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc() : memref<f32>
  lmhlo_disc.library_call ins(%x : memref<?xf32>) outs(%a : memref<f32>) target = "f" ints = []
  memref.dealloc %a : memref<f32>
  %b = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.library_call ins(%x : memref<?xf32>) outs(%b : memref<?xf32>) target = "f" ints = []
  %c = memref.alloc() : memref<2xi64>
  lmhlo_disc.library_call ins(%b : memref<?xf32>) outs(%c : memref<2xi64>) target = "f" ints = []
  memref.dealloc %c : memref<2xi64>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

// What stays as it is: a size that a buffer tells, what a loop takes over, results.
// CHECK-LABEL: func.func @disc_main
// CHECK-NOT: memref.view
// CHECK: return
func.func @disc_main() {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xindex>
  lmhlo_disc.library_call ins(%x : memref<?xf32>) outs(%a : memref<?xindex>) target = "f" ints = []
  %m = memref.load %a[%c0] : memref<?xindex>
  %b = memref.alloc(%m) : memref<?xf32>
  lmhlo_disc.library_call ins(%x : memref<?xf32>) outs(%b : memref<?xf32>) target = "f" ints = []
  memref.dealloc %a : memref<?xindex>
  memref.dealloc %b : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %n iter_args(%u = %t) -> memref<?xf32> {
    %next = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %u : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  memref.dealloc %r : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?xf32>
  return
}
