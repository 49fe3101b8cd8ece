// RUN: disc-opt %s --split-input-file --disc-cpu-speculate --cse | filecheck %s

// A version for each likely length of a row that is not long.
// CHECK-LABEL: func.func private @sum
// CHECK-SAME: disc.versions = ["n = 128", "n = 96"]
// CHECK: %[[N:.*]] = memref.dim %arg0, %c1
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %c128
// CHECK: scf.if %[[IS]] {
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0 to %c128
// CHECK: } else {
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[N]], %c96
// CHECK: scf.if %[[IS]] {
// CHECK: scf.for %{{.*}} = %c0 to %c96
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0 to %[[N]]
func.func @main() attributes {disc.symbols = {m = {likely = array<i64: 1>}, n = {likely = array<i64: 128, 384, 96>}}} {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64, disc.dims = ["m", "n"]} : memref<?x?xf32>
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %y = memref.alloc(%m) : memref<?xf32>
  lmhlo_disc.launch @sum(%x, %y) range(%m) grain(%m) : memref<?x?xf32>, memref<?xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<?xf32>
  return
}
func.func private @sum(%x: memref<?x?xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %lo to %hi step %c1 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %t = arith.addf %a, %v fastmath<reassoc> : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// Sizes computed from the likely ones, in buffers of a stitch; four versions at most, so that of two symbols the first one decides.
// CHECK-LABEL: func.func private @move
// CHECK-SAME: disc.versions = ["m = 16", "m = 32", "m = 60"]
// CHECK: arith.cmpi eq, %{{.*}}, %c33
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0 to %c33
// CHECK: } else {
// CHECK: arith.cmpi eq, %{{.*}}, %c65
func.func @main() attributes {disc.symbols = {m = {likely = array<i64: 16, 32, 60>}, n = {likely = array<i64: 8, 9>}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64, disc.dims = ["2*m+1", "n"]} : memref<?x?xf32>
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %all = arith.muli %m, %n : index
  %block = lmhlo_disc.block_buffer(%m, %n) : memref<?x?xf32>
  %flat = lmhlo_disc.block_buffer(%all) : memref<?xf32>
  lmhlo_disc.launch @move(%block, %m, %n, %flat) range(%all) grain(%all) : memref<?x?xf32>, index, index, memref<?xf32>
  return
}
func.func private @move(%x: memref<?x?xf32>, %m: index, %n: index, %y: memref<?xf32>, %lo: index, %hi: index, %w: index)
    attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %lo to %hi step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %v = memref.load %x[%j, %k] : memref<?x?xf32>
        memref.store %v, %y[%k] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// None: where the size is that of the range; where LLVM adds up, in an order that it chooses; where a loop would be too short for vectors.
// CHECK-LABEL: func.func private @flat
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func private @strided_sum
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func private @short
// CHECK-SAME: disc.versions = ["n = 8"]
func.func @main() attributes {disc.symbols = {n = {likely = array<i64: 2, 8>}}} {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64, disc.dims = ["n", "n"]} : memref<?x?xf32>
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.launch @flat(%y) range(%n) grain(%n) : memref<?xf32>
  lmhlo_disc.launch @strided_sum(%x, %y) range(%n) grain(%n) : memref<?x?xf32>, memref<?xf32>
  lmhlo_disc.launch @short(%x, %y) range(%n) grain(%n) : memref<?x?xf32>, memref<?xf32>
  return
}
func.func private @flat(%y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %y, %c0 : memref<?xf32>
  scf.for %i = %lo to %hi step %c1 {
    %last = arith.subi %n, %i : index
    memref.store %zero, %y[%last] : memref<?xf32>
  }
  return
}
func.func private @strided_sum(%x: memref<?x?xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  scf.for %i = %lo to %hi step %c1 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%j, %i] : memref<?x?xf32>
      %t = arith.addf %a, %v fastmath<reassoc> : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}
func.func private @short(%x: memref<?x?xf32>, %y: memref<?xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  scf.for %i = %lo to %hi step %c1 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
      %v = memref.load %x[%i, %j] : memref<?x?xf32>
      %t = arith.addf %a, %v fastmath<reassoc> : f32
      scf.yield %t : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}

// -----

// What may be broadcast along a vector: a version in which nothing is, and one for each that is.
// CHECK-LABEL: func.func private @broadcast
// CHECK-SAME: disc.versions = ["no broadcast", "broadcast 1", "broadcast 2"]
// CHECK: %[[X:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: %[[Y:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: scf.if
// CHECK-NEXT: scf.for %[[I:.*]] = %arg3
// CHECK-NEXT: memref.load %arg0[%[[I]]]
// CHECK-NEXT: memref.load %arg1[%[[I]]]
// CHECK: } else {
// CHECK: scf.if
// CHECK-NEXT: scf.for %[[I:.*]] = %arg3
// CHECK-NEXT: memref.load %arg0[%c0]
// CHECK-NEXT: memref.load %arg1[%[[I]]]
// CHECK: scf.if
// CHECK: memref.load %arg1[%c0]
// CHECK: } else {
// CHECK: arith.select
// CHECK: arith.select
func.func private @broadcast(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>, %lo: index, %hi: index, %w: index)
    attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  %n = memref.dim %y, %c0 : memref<?xf32>
  %a = arith.cmpi eq, %m, %c1 : index
  %b = arith.cmpi eq, %n, %c1 : index
  scf.for %i = %lo to %hi step %c1 {
    %j = arith.select %a, %c0, %i : index
    %k = arith.select %b, %c0, %i : index
    %u = memref.load %x[%j] : memref<?xf32>
    %v = memref.load %y[%k] : memref<?xf32>
    %s = arith.addf %u, %v : f32
    memref.store %s, %z[%i] : memref<?xf32>
  }
  return
}

// -----

// A row that is broadcast as a whole is no matter of vectors.
// CHECK-LABEL: func.func private @rows
// CHECK-NOT: disc.versions
func.func private @rows(%x: memref<?xf32>, %z: memref<?x64xf32>, %lo: index, %hi: index, %w: index) attributes {disc.parallel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  %a = arith.cmpi eq, %m, %c1 : index
  scf.for %i = %lo to %hi step %c1 {
    %j = arith.select %a, %c0, %i : index
    %u = memref.load %x[%j] : memref<?xf32>
    scf.for %k = %c0 to %c64 step %c1 {
      memref.store %u, %z[%i, %k] : memref<?x64xf32>
    }
  }
  return
}
