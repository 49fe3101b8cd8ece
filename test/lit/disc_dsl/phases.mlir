// Phases by name; an unknown one is refused with the list.
// RUN: not disc-opt --to=grahp %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not disc-opt --from=fusion --to=input %s 2>&1 | filecheck %s --check-prefix=ORDER
// RUN: disc-opt --to=input %s | disc-opt --from=shape --to=shape | filecheck %s
// RUN: disc-opt --disc-pipeline="to=shape" %s | filecheck %s

// UNKNOWN: error: unknown phase `grahp`; the phases are `input`, `shape`
// ORDER: error: phase `input` comes before `fusion`

// CHECK: func.func @main
// CHECK: dhlo.add
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.add %x, %x : tensor<2xf32>
  return %r : tensor<2xf32>
}
