// Dialect conversion with types and conditional legality.
// RUN: disc-opt --load-pass %S/Inputs/narrow.py --python=%python --narrow %s | filecheck %s
// RUN: not disc-opt --load-pass %S/Inputs/narrow.py --python=%python --narrow %S/Inputs/types_illegal.mlir 2>&1 | filecheck %s --check-prefix=ILLEGAL

// ILLEGAL: types_illegal.mlir:3:8: error: failed to legalize operation 'dhlo.subtract'

// CHECK-LABEL: @signature(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
// CHECK-NEXT: %[[A:.*]] = dhlo.add %[[X]], %[[X]] : tensor<?xf32>
// CHECK-NEXT: %[[M:.*]] = dhlo.multiply %[[A]], %[[X]] : tensor<?xf32>
// CHECK-NEXT: return %[[M]], %[[I]]
func.func @signature(%x: tensor<?xf64>, %i: tensor<?xi32>) -> (tensor<?xf64>, tensor<?xi32>) {
  %a = dhlo.add %x, %x : tensor<?xf64>
  %m = dhlo.multiply %a, %x : tensor<?xf64>
  return %m, %i : tensor<?xf64>, tensor<?xi32>
}

// CHECK-LABEL: @calls(
// CHECK-NEXT: call @signature({{.*}}) : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
func.func @calls(%x: tensor<?xf64>, %i: tensor<?xi32>) -> tensor<?xf64> {
  %r:2 = func.call @signature(%x, %i) : (tensor<?xf64>, tensor<?xi32>) -> (tensor<?xf64>, tensor<?xi32>)
  return %r#0 : tensor<?xf64>
}

// CHECK-LABEL: @loop(
// CHECK: scf.if {{.*}} -> (tensor<2xf32>)
// CHECK: dhlo.add {{.*}} : tensor<2xf32>
func.func @loop(%c: i1, %x: tensor<2xf64>) -> tensor<2xf64> {
  %r = scf.if %c -> (tensor<2xf64>) {
    %a = dhlo.add %x, %x : tensor<2xf64>
    scf.yield %a : tensor<2xf64>
  } else {
    scf.yield %x : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}

// CHECK-LABEL: @vectors
// CHECK-NEXT: dhlo.exponential
// CHECK-NEXT: dhlo.tanh
func.func @vectors(%x: tensor<2xf32>, %y: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>) {
  %a = dhlo.exponential %x : tensor<2xf32>
  %b = dhlo.exponential %y : tensor<2x2xf32>
  return %a, %b : tensor<2xf32>, tensor<2x2xf32>
}
