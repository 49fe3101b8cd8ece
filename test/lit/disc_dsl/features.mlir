// RUN: disc-opt --load-pass %S/Inputs/features.py --python=%python --features %s | filecheck %s
// RUN: disc-opt --load-pass %S/Inputs/convert.py --python=%python --convert %s -o /dev/null
// RUN: not disc-opt --load-pass %S/Inputs/convert.py --python=%python --convert %S/Inputs/illegal.mlir 2>&1 | filecheck %s --check-prefix=ILLEGAL

// ILLEGAL: failed to legalize operation 'dhlo.abs'

// CHECK-LABEL: @swap_two
// CHECK: dhlo.concatenate %arg1, %arg0, dim = 1
// CHECK: dhlo.concatenate %arg0, %arg1, %arg0, dim = 1
func.func @swap_two(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x4xf32>, tensor<2x6xf32>) {
  %r = dhlo.concatenate %a, %b, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %s = dhlo.concatenate %a, %b, %a, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  return %r, %s : tensor<2x4xf32>, tensor<2x6xf32>
}

// CHECK-LABEL: @lift_many
// CHECK-COUNT-2: dhlo.concatenate %arg0, %arg1, %arg0, dim = 0
// CHECK-NEXT: return %1
func.func @lift_many(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c = dhlo.concatenate %a, %b, %a, dim = 0 : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = dhlo.negate %c : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @compare_flipped
// CHECK: dhlo.compare GT, %arg1, %arg0, FLOAT
// CHECK: dhlo.compare LT, %arg0, %arg1, TOTALORDER
// CHECK: dhlo.compare EQ, %arg0, %arg1
func.func @compare_flipped(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %a = dhlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %b = dhlo.compare LT, %x, %y, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %c = dhlo.compare EQ, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %a, %b, %c : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: @largest
// CHECK: %[[V:.*]], %{{.*}} = dhlo.top_k
// CHECK: dhlo.convert %[[V]] : (tensor<1xf32>) -> tensor<1xi64>
func.func @largest(%x: tensor<8xf32>) -> tensor<1xi64> {
  %v, %i = "dhlo.top_k"(%x) {k = 1 : i64} : (tensor<8xf32>) -> (tensor<1xf32>, tensor<1xi32>)
  %r = dhlo.convert %i : (tensor<1xi32>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// CHECK-LABEL: @transpose_nothing
// CHECK: dhlo.abs
// CHECK: dhlo.transpose
func.func @transpose_nothing(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = dhlo.transpose %x, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = dhlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a, %b : tensor<2x2xf32>, tensor<2x2xf32>
}
