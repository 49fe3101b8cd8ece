// Object files for the program and for kernels: what is called elsewhere is hidden, what one kernel needs goes with it.
// RUN: disc-compile %s --jobs=2 -o %t.o --report=%t.json
// RUN: nm %t.o | filecheck %s --check-prefix=PROGRAM
// RUN: nm %t.o.1 | filecheck %s --check-prefix=FIRST
// RUN: nm %t.o.2 | filecheck %s --check-prefix=SECOND
// RUN: readelf -sW %t.o.1 | filecheck %s --check-prefix=HIDDEN
// RUN: filecheck %s --check-prefix=REPORT --input-file=%t.json

// PROGRAM: T disc_main
// PROGRAM-NOT: {{[tT]}} kernel_
// PROGRAM: U kernel_[[K:[a-z0-9_]+]].entry
// FIRST-NOT: disc_main
// FIRST: {{[0-9a-f]+}} T kernel_[[K:[a-z0-9_]+]].entry
// SECOND-NOT: disc_main
// SECOND: {{[0-9a-f]+}} T kernel_[[K:[a-z0-9_]+]].entry
// REPORT: "kernel_bytes": {
// REPORT-COUNT-4: "kernel_
// HIDDEN: HIDDEN {{.*}} kernel_{{[a-z0-9_]+}}.entry
// HIDDEN-NOT: DEFAULT {{.*}} kernel_
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %t : tensor<?x?xf32>
  return %sum, %e : tensor<?xf32>, tensor<?x?xf32>
}
