// RUN: disc-opt %s --split-input-file --verify-diagnostics --disc-runtime-entry | filecheck %s

// CHECK: @disc_signature("disc 1\0Asymbol s 1 512 8\0Ainput 0 f32 x s,2*s+1,?\0Aoutput 0 f32 ?,?,?\0A\00")
// Declared sizes stay for kernels and the arena, with the names of the inputs' dimensions.
// CHECK: func.func @disc_main() attributes {disc.symbols
// CHECK: lmhlo_disc.recv_input {disc.dims = ["s", "1 + 2 * s", ""], index = 0 : i64}
func.func @main(%x: memref<?x?x?xf32> {disc.name = "x", disc.dims = ["s", "1 + 2 * s", ""]}) -> memref<?x?x?xf32>
    attributes {disc.symbols = {s = {min = 1 : i64, max = 512 : i64, multiple_of = 8 : i64, likely = array<i64: 128>}}} {
  return %x : memref<?x?x?xf32>
}

// -----

// expected-error@+1 {{`disc.symbols`: expected of `s` the facts `min`, `max`, `multiple_of` (integers) and `likely` (array<i64: ...>), got `least`}}
func.func @main(%x: memref<?xf32>) -> memref<?xf32> attributes {disc.symbols = {s = {least = 1 : i64}}} {
  return %x : memref<?xf32>
}
