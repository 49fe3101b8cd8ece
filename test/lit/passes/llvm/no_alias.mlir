// RUN: disc-opt %s --disc-llvm-no-alias | filecheck %s

func.func @disc_main() {
  %n = arith.constant 4 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  lmhlo_disc.launch @distinct(%x, %y) range(%n) grain(%n) : memref<4xf32>, memref<4xf32>
  lmhlo_disc.launch @in_place(%y, %y) range(%n) grain(%n) : memref<4xf32>, memref<4xf32>
  lmhlo_disc.send_output %y {index = 0 : i64} : memref<4xf32>
  %f = memref.alloc() : memref<4xi1>
  %g = memref.alloc() : memref<4xi1>
  %fb = builtin.unrealized_conversion_cast %f : memref<4xi1> to memref<4xi8>
  %gb = builtin.unrealized_conversion_cast %g : memref<4xi1> to memref<4xi8>
  lmhlo_disc.launch @bytes(%fb, %gb) range(%n) grain(%n) : memref<4xi8>, memref<4xi8>
  return
}

// Booleans seen as bytes: still two buffers.
// CHECK: func.func private @bytes(%{{.*}}: memref<4xi8> {llvm.noalias}, %{{.*}}: memref<4xi8> {llvm.noalias}, %
func.func private @bytes(%a: memref<4xi8>, %b: memref<4xi8>, %lo: index, %hi: index, %worker: index) {
  %v = memref.load %a[%lo] : memref<4xi8>
  memref.store %v, %b[%lo] : memref<4xi8>
  return
}

// CHECK: func.func private @distinct(%{{.*}}: memref<4xf32> {llvm.noalias}, %{{.*}}: memref<4xf32> {llvm.noalias}, %
func.func private @distinct(%a: memref<4xf32>, %b: memref<4xf32>, %lo: index, %hi: index, %worker: index) {
  %v = memref.load %a[%lo] : memref<4xf32>
  memref.store %v, %b[%lo] : memref<4xf32>
  return
}

// CHECK: func.func private @in_place(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %
func.func private @in_place(%a: memref<4xf32>, %b: memref<4xf32>, %lo: index, %hi: index, %worker: index) {
  %v = memref.load %a[%lo] : memref<4xf32>
  memref.store %v, %b[%lo] : memref<4xf32>
  return
}
