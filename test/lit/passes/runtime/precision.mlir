// RUN: disc-opt %s --disc-runtime-entry | filecheck %s

// CHECK-NOT: disc.precision
// CHECK: @disc_signature("disc 1\0Aprecision bf16\0Aoutput 0 f32 1\0A\00")
module attributes {disc.precision = "bf16"} {
  func.func @main() -> memref<1xf32> {
    %y = memref.alloc() : memref<1xf32>
    return %y : memref<1xf32>
  }
}
