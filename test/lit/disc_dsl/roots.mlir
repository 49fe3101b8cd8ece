// RUN: disc-opt --load-pass %S/Inputs/roots.py --python=%python --roots %s | filecheck %s
// RUN: disc-opt --explain %S/Inputs/roots.py:two_roots --python=%python %s | filecheck %s --check-prefix=EXPLAIN

// EXPLAIN: `dhlo.exponential`: 5 of 5 steps of `two_roots`: matches
// EXPLAIN: `dhlo.exponential`: 4 of 5 steps of `two_roots`
// EXPLAIN-NEXT: `independent(first, second)`: not so:
// EXPLAIN-NOT: matches

// CHECK-LABEL: @two_roots
// CHECK-NEXT: %[[T:.*]] = dhlo.tanh %arg0
// CHECK-NEXT: return %[[T]], %[[T]]
func.func @two_roots(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = dhlo.exponential %x : tensor<2xf32>
  %b = dhlo.log %x : tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @two_floors
// CHECK-NEXT: %[[C:.*]] = dhlo.ceil %arg0
// CHECK-NEXT: return %[[C]], %[[C]]
func.func @two_floors(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = dhlo.floor %x : tensor<2xf32>
  %b = dhlo.floor %x : tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// One op is not two.
// CHECK-LABEL: @two_floors_not_one
// CHECK-NEXT: %[[F:.*]] = dhlo.floor %arg0
// CHECK-NEXT: return %[[F]]
func.func @two_floors_not_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = dhlo.floor %x : tensor<2xf32>
  return %a : tensor<2xf32>
}

// An op in an inner block is not where the other one is.
// CHECK-LABEL: @two_floors_not_across_blocks
// CHECK: dhlo.floor
// CHECK: scf.if
// CHECK: dhlo.floor
func.func @two_floors_not_across_blocks(%x: tensor<2xf32>, %c: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = dhlo.floor %x : tensor<2xf32>
  %r = scf.if %c -> tensor<2xf32> {
    %b = dhlo.floor %x : tensor<2xf32>
    scf.yield %b : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %a, %r : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @chained_not
// CHECK-NEXT: dhlo.sqrt
// CHECK-NEXT: dhlo.add
func.func @chained_not(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = dhlo.sqrt %x : tensor<2xf32>
  %b = dhlo.add %x, %a : tensor<2xf32>
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
