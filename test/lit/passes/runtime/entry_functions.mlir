// RUN: disc-opt %s --split-input-file --verify-diagnostics --disc-runtime-entry | filecheck %s

// What main does not call is no part of the program.
// CHECK-NOT: @helper
// CHECK: func.func @disc_main() {
// CHECK-NOT: @helper
func.func @helper(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
  // expected-error @+1 {{the call of `main` was not inlined; recursion is not supported}}
  %0 = call @main(%x) : (memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}

// -----

// expected-error @-2 {{expected a function `main` or one public function, got several, among them `f` and `g`}}
func.func @f(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
func.func @g(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
