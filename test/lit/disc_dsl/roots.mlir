// RUN: disc-opt --load-pass %S/Inputs/roots.py --python=%python --roots %s | filecheck %s

// CHECK-LABEL: @two_roots
// CHECK-NEXT: %[[T:.*]] = dhlo.tanh %arg0
// CHECK-NEXT: return %[[T]], %[[T]]
func.func @two_roots(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = dhlo.exponential %x : tensor<2xf32>
  %b = dhlo.log %x : tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// log stands, and is used, before exponential: it cannot move there.
// CHECK-LABEL: @two_roots_not_before
// CHECK-NEXT: dhlo.log
// CHECK-NEXT: dhlo.sqrt
// CHECK-NEXT: dhlo.exponential
func.func @two_roots_not_before(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %b = dhlo.log %x : tensor<2xf32>
  %c = dhlo.sqrt %b : tensor<2xf32>
  %a = dhlo.exponential %x : tensor<2xf32>
  return %a, %c : tensor<2xf32>, tensor<2xf32>
}
