// RUN: disc-opt %s --split-input-file --disc-cpu-vectorize --canonicalize --cse | filecheck %s

// Four vectors at a time, op by op; then a masked one. LLVM does not write out more of them. A large result of the program goes past the caches, from its first aligned place
// on; what it is computed from is asked for 4 KB ahead then.
// CHECK-LABEL: func.func private @double
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c8388608
// CHECK: scf.if %[[LARGE]] {
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: vector.maskedstore
// CHECK: scf.for
// CHECK: %[[AHEAD:.*]] = arith.addi %{{.*}}, %c1024
// CHECK: memref.prefetch %{{.*}}[%[[AHEAD]]], read, locality<3>, data
// CHECK-COUNT-4: vector.load
// CHECK-COUNT-4: arith.addf {{.*}} : vector<16xf32>
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: } else {
// CHECK-NOT: memref.prefetch
// CHECK: scf.for
// CHECK-COUNT-4: vector.store
// CHECK-NEXT: } {llvm.loop_annotation = #{{.*}}}
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[HI:.*]] step %c16 {
// CHECK: %[[LEFT:.*]] = arith.subi %[[HI]], %[[I]]
// CHECK: %[[MASK:.*]] = arith.cmpi sgt
// CHECK: vector.maskedload %{{.*}}[%[[I]]], %[[MASK]]
// CHECK: vector.maskedstore %{{.*}}[%[[I]]], %[[MASK]]
// CHECK: llvm.fence seq_cst
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.launch @double(%x, %y) range(%n) grain(%n) : memref<?xf32>, memref<?xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?xf32>
  return
}
func.func private @double(%x: memref<?xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// Sums have an accumulator in each of the vectors; masked lanes add nothing.
// CHECK-LABEL: func.func private @sum
// CHECK-NOT: nontemporal
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst{{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK: %[[X:.*]] = vector.maskedload
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[X]] : vector<16xf32>
// CHECK: %[[N:.*]] = arith.select %{{.*}}, %[[S]], %[[A]]
// CHECK: scf.yield %[[N]]
// CHECK: vector.reduction <add>
func.func private @sum(%x: memref<?x?xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %lo to %hi step %c1 {
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %t = arith.addf %a, %v fastmath<reassoc> : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// A maximum of floats is one instruction, beside what tells NaN and the sign of zero at the end. A known length needs no tail.
// CHECK-LABEL: func.func private @maximum
// CHECK: scf.for
// CHECK: arith.cmpf uno
// CHECK: %[[IS:.*]] = arith.cmpf ogt, %[[X:.*]], %[[A:.*]] : vector<16xf32>
// CHECK: arith.select %[[IS]], %[[X]], %[[A]]
// CHECK-NOT: vector.maskedload
// CHECK: vector.reduction <or>
func.func private @maximum(%x: memref<?x128xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %low = arith.constant 0xFF800000 : f32
  scf.for %i = %lo to %hi step %c1 {
    %s = scf.for %j = %c0 to %c128 step %c1 iter_args(%a = %low) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x128xf32>
      %t = arith.maximumf %a, %v : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// A place that memory tells is not known before the loop: its stores go through the caches.
// CHECK-LABEL: func.func private @row_of
// CHECK-NOT: nontemporal
func.func @main() {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %r = lmhlo_disc.recv_input {index = 1 : i64} : memref<1xi64>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %y = memref.alloc(%n, %n) : memref<?x?xf32>
  lmhlo_disc.launch @row_of(%x, %r, %y) range(%n) grain(%n) : memref<?xf32>, memref<1xi64>, memref<?x?xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?x?xf32>
  return
}
func.func private @row_of(%x: memref<?xf32>, %r: memref<1xi64>, %y: memref<?x?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %l = memref.load %r[%c0] : memref<1xi64>
    %row = arith.index_cast %l : i64 to index
    memref.store %a, %y[%row, %i] : memref<?x?xf32>
  }
  return
}

// -----

// Scratch has room for whole vectors: its tail is not masked.
// CHECK-LABEL: func.func private @scratch
// CHECK: vector.maskedload %arg0
// CHECK: vector.store %{{.*}}, %arg1
func.func private @scratch(%x: memref<?xf32>, %y: memref<?xf32> {disc.scratch}, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    memref.store %a, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// What has no vector form says why, and kernels that are not said to be parallel are left alone.
// CHECK-LABEL: func.func private @strided
// CHECK: disc.scalar = "`memref.load` has elements that do not lie side by side"
func.func private @strided(%x: memref<?x?xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i, %lo] : memref<?x?xf32>
    memref.store %a, %y[%i] : memref<?xf32>
  }
  return
}
// CHECK-LABEL: func.func private @sequential
// CHECK-NOT: vector
func.func private @sequential(%x: memref<?xf32>, %lo: index, %hi: index, %w: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// A divisor that does not change: its reciprocal once, then products corrected by their remainders. Four vectors are checked together, and
// divided where a quotient may be out of range.
// CHECK-LABEL: func.func private @quotients
// CHECK: %[[ONE:.*]] = arith.divf %cst{{.*}}, %[[D:.*]] : f32
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[ONE]], %cst{{.*}} : f32
// CHECK: %[[DS:.*]] = vector.broadcast %[[D]]
// CHECK: %[[RS:.*]] = vector.broadcast %[[R]]
// CHECK: %[[NR:.*]] = arith.negf %[[R]]
// CHECK: %[[NRS:.*]] = vector.broadcast %[[NR]]
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.load
// CHECK: %[[Q:.*]] = arith.mulf %[[X]], %[[RS]] : vector<16xf32>
// CHECK: %[[NX:.*]] = arith.negf %[[X]]
// CHECK: %[[MORE:.*]] = math.fma %[[Q]], %[[DS]], %[[NX]]
// CHECK: %[[E:.*]] = math.fma %[[MORE]], %[[NRS]], %[[Q]]
// CHECK-COUNT-3: arith.minui
// CHECK: %[[SMALL:.*]] = arith.cmpi ult
// CHECK: %[[LARGE:.*]] = arith.cmpi uge
// CHECK: %[[EITHER:.*]] = arith.ori %[[SMALL]], %[[LARGE]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[EITHER]]
// CHECK: scf.if %[[ANY]] -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// CHECK: arith.divf %[[X]], %[[DS]] : vector<16xf32>
// CHECK-COUNT-3: arith.divf
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[E]],
func.func private @quotients(%x: memref<?xf32>, %s: memref<f32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  %d = memref.load %s[] : memref<f32>
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %q = arith.divf %a, %d : f32
    memref.store %q, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// Divisions by several numbers are checked together as well, also where a quotient is used before the next one is needed: the use waits.
// Nothing that is loaded behind a store comes before it.
// CHECK-LABEL: func.func private @several
// CHECK: scf.for
// CHECK-COUNT-3: arith.minui
// CHECK: scf.if
// CHECK-COUNT-4: arith.divf
// CHECK: arith.addf
// CHECK: vector.store
// CHECK: scf.if
func.func private @several(%x: memref<?xf32>, %s: memref<f32>, %t: memref<f32>, %y: memref<?xf32>, %z: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  %d = memref.load %s[] : memref<f32>
  %e = memref.load %t[] : memref<f32>
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %q = arith.divf %a, %d : f32
    %q1 = arith.addf %q, %q : f32
    %b = memref.load %y[%i] : memref<?xf32>
    %r = arith.divf %b, %e : f32
    %r1 = arith.addf %r, %q1 : f32
    memref.store %r1, %z[%i] : memref<?xf32>
    %c = memref.load %y[%i] : memref<?xf32>
    %u = arith.divf %c, %d : f32
    memref.store %u, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// A divisor for each element, of another width, or into one number: divisions as they are.
// CHECK-LABEL: func.func private @divisions
// CHECK-NOT: math.fma
// CHECK-COUNT-3: arith.divf {{.*}} : vector
// CHECK-NOT: math.fma
// CHECK: return
func.func private @divisions(%x: memref<?xf32>, %z: memref<?xf64>, %f: f32, %d: f64, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %x[%i] : memref<?xf32>
    %p = arith.divf %a, %a : f32
    %q = arith.divf %f, %p : f32
    memref.store %q, %x[%i] : memref<?xf32>
    %b = memref.load %z[%i] : memref<?xf64>
    %r = arith.divf %b, %d : f64
    memref.store %r, %z[%i] : memref<?xf64>
  }
  return
}

// -----

// One prefetch a vector; none in a loop over single elements.
// CHECK-LABEL: func.func private @prefetches
// CHECK: scf.for %[[I:.*]] = {{.*}} step %c64
// CHECK: memref.prefetch %{{.*}}[%[[I]]], read
// CHECK-COUNT-3: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %[[I:.*]] = {{.*}} step %c16
// CHECK: memref.prefetch %{{.*}}[%[[I]]], read
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func private @prefetches(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xindex>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    memref.prefetch %y[%i], read, locality<3>, data : memref<?xf32>
    %a = memref.load %x[%i] : memref<?xf32>
    memref.store %a, %y[%i] : memref<?xf32>
  }
  scf.for %i = %lo to %hi step %c1 {
    memref.prefetch %y[%i], read, locality<3>, data : memref<?xf32>
    %at = memref.load %z[%i] : memref<?xindex>
    %a = memref.load %x[%at] : memref<?xf32>
    memref.store %a, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// Short rows go past the caches where they are whole cache lines, long ones always.
// CHECK-LABEL: func.func private @row(
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c8388608
// CHECK: %[[LINES:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c4000
// CHECK: %[[EITHER:.*]] = arith.ori %[[LINES]], %[[LONG]]
// CHECK: %[[PAST:.*]] = arith.andi %[[LARGE]], %[[EITHER]]
// CHECK: scf.if %[[PAST]] {
// CHECK: nontemporal = true
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?x?xf32>
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  lmhlo_disc.launch @row(%x, %y) range(%n) grain(%n) : memref<?x?xf32>, memref<?x?xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?x?xf32>
  return
}
func.func private @row(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %lo to %hi step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %p = memref.load %x[%i, %j] : memref<?x?xf32>
      %u = arith.mulf %p, %p : f32
      memref.store %u, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// Rows that go together are stored past the caches where they are whole cache lines; then their places are not asked for before.
// CHECK-LABEL: func.func private @rows
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c8388608
// CHECK: %[[LINES:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[PAST:.*]] = arith.andi %[[LARGE]], %[[LINES]]
// CHECK: scf.if %[[PAST]] -> (vector<16xf32>
// CHECK-NOT: memref.prefetch
// CHECK: } else {
// CHECK: memref.prefetch %{{.*}}, write
// CHECK: scf.if %[[PAST]] {
// CHECK-COUNT-4: vector.store {{.*}} nontemporal = true}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?x?xf32>
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  lmhlo_disc.launch @rows(%x, %y) range(%n) grain(%n) : memref<?x?xf32>, memref<?x?xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?x?xf32>
  return
}
func.func private @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %lo to %hi step %c2 {
    %next = arith.addi %i, %c1 : index
    %s = scf.for %j = %c0 to %m step %c1 iter_args(%a = %zero) -> (f32) {
      memref.prefetch %y[%i, %j], write, locality<3>, data : memref<?x?xf32>
      %e = memref.load %x[%i, %j] : memref<?x?xf32>
      %sum = arith.addf %a, %e fastmath<reassoc> : f32
      scf.yield %sum : f32
    }
    scf.for %j = %c0 to %m step %c1 {
      %p = memref.load %x[%i, %j] : memref<?x?xf32>
      %q = memref.load %x[%next, %j] : memref<?x?xf32>
      %u = arith.mulf %p, %s : f32
      %v = arith.mulf %q, %s : f32
      memref.store %u, %y[%i, %j] : memref<?x?xf32>
      memref.store %v, %y[%next, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// Where rows go together, one that is left over is added up as they are: vector after vector. Of a known rest only the last vector has a
// mask.
// CHECK-LABEL: func.func private @left_over
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %cst{{.*}}) -> (vector<16xf32>) {
// CHECK-COUNT-4: vector.load
// CHECK: %[[B:.*]] = arith.addf %[[A]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[B]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[C]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: %[[E:.*]] = arith.addf %[[D]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: scf.yield %[[E]] : vector<16xf32>
// CHECK: vector.load %arg0[%{{.*}}, %c192]
// CHECK: vector.load %arg0[%{{.*}}, %c208]
// CHECK: vector.maskedload
// CHECK: vector.reduction <add>
func.func private @left_over(%x: memref<?x228xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index)
    attributes {disc.parallel, disc.rows_together} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c228 = arith.constant 228 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %lo to %hi step %c1 {
    %s = scf.for %j = %c0 to %c228 step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x228xf32>
      %t = arith.addf %a, %v fastmath<reassoc> : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}
