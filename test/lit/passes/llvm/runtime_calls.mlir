// RUN: disc-opt %s --disc-llvm-runtime-calls | filecheck %s
// RUN: disc-opt %s --convert-scf-to-cf --disc-llvm-runtime-calls --disc-llvm-to-llvm | filecheck %s --check-prefix=LLVM

// LLVM-NOT: unrealized_conversion_cast
// LLVM-NOT: memref
// LLVM: llvm.func @disc_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32

// CHECK-LABEL: func.func @disc_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.call %{{.*}}(%arg1, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
// CHECK: llvm.call %{{.*}}(%arg1, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, i64) -> i64
// CHECK: llvm.intr.smul.with.overflow
// CHECK: llvm.icmp "ult"
// CHECK: call @kernel.entry
// CHECK: constant @kernel.entry
func.func @disc_main() {
  %c0 = arith.constant 0 : index
  %x = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %w = lmhlo_disc.recv_constant {index = 0 : i64, name = "w"} : memref<4xf32>
  %n = memref.dim %x, %c0 : memref<?xf32>
  %ok = arith.cmpi sgt, %n, %c0 : index
  lmhlo_disc.check %ok, "empty: {0}" (%n)
  %y = memref.alloc(%n) : memref<?xf32>
  lmhlo_disc.library_call ins(%w : memref<4xf32>) outs(%y : memref<?xf32>) target = "vendor.f" ints = [3]
  lmhlo_disc.launch @kernel(%x, %y, %n) range(%n) grain(%n) : memref<?xf32>, memref<?xf32>, index
  memref.dealloc %y : memref<?xf32>
  // LLVM: llvm.load %{{.*}} : !llvm.ptr -> i8
  %flag = memref.alloc() : memref<i1>
  %set = memref.load %flag[] : memref<i1>
  lmhlo_disc.check %set, "narrow elements take a byte"
  lmhlo_disc.send_output %x {index = 0 : i64} : memref<?xf32>
  return
}

// CHECK: func.func private @kernel.entry(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.getelementptr %{{.*}}[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i64, ptr, i64, i64)>
// CHECK: call @kernel(
// CHECK: func.func private @kernel(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
func.func private @kernel(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %lo: index, %hi: index, %worker: index) {
  %v = memref.load %a[%lo] : memref<?xf32>
  memref.store %v, %b[%lo] : memref<?xf32>
  return
}
