// RUN: disc-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(disc-bufferize-dealloc))" | filecheck %s

func.func private @use(memref<4xf32>)

// CHECK-LABEL: func.func @last_use
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[A]]
// CHECK: call @use(%[[V]])
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: %[[B:.*]] = memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: return %[[B]]
func.func @last_use() -> memref<4xf32> {
  %a = memref.alloc() : memref<2x2xf32>
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [1] : memref<2x2xf32> to memref<4xf32>
  call @use(%v) : (memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  call @use(%b) : (memref<4xf32>) -> ()
  return %b : memref<4xf32>
}

// -----

func.func private @use(memref<4xf32>)

// A branch hands on what it owns and copies what it does not own.
// CHECK-LABEL: func.func @branches
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.copy %arg0, %[[COPY]]
// CHECK: scf.yield %[[COPY]]
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[NEW]]
// CHECK: call @use(%[[R]])
// CHECK-NEXT: memref.dealloc %[[R]]
func.func @branches(%x: memref<4xf32>, %c: i1) {
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    func.call @use(%a) : (memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @step(memref<4xf32>, memref<4xf32>)

// Each turn frees the buffer of the turn before; no copies but of the input.
// CHECK-LABEL: func.func @loop
// CHECK: %[[INIT:.*]] = memref.alloc
// CHECK: memref.copy %arg0, %[[INIT]]
// CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[T:.*]] = %[[INIT]])
// CHECK-NOT: memref.copy
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[T]]
// CHECK: ^bb0(%{{.*}}: index, %[[U:.*]]: memref<4xf32>):
// CHECK: %[[NEXT:.*]] = memref.alloc
// CHECK: func.call @step(%[[U]], %[[NEXT]])
// CHECK-NEXT: memref.dealloc %[[U]]
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: return %[[R]]#1
func.func @loop(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %t = %x) : (index, memref<4xf32>) -> (index, memref<4xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    %copy = memref.alloc() : memref<4xf32>
    memref.copy %t, %copy : memref<4xf32> to memref<4xf32>
    scf.condition(%c) %i, %copy : index, memref<4xf32>
  } do {
  ^bb0(%i: index, %t: memref<4xf32>):
    %next = memref.alloc() : memref<4xf32>
    func.call @step(%t, %next) : (memref<4xf32>, memref<4xf32>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %next : index, memref<4xf32>
  }
  return %r#1 : memref<4xf32>
}
