// RUN: disc-opt %s --canonicalize | filecheck %s

// CHECK-LABEL: func.func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<3xi32>, %[[P:.*]]: tensor<3xi1>)
// CHECK-NEXT: return %[[X]], %[[I]], %[[I]], %[[I]], %[[I]], %[[P]], %[[X]]
func.func @identities(%x: tensor<?xf32>, %i: tensor<3xi32>, %p: tensor<3xi1>)
    -> (tensor<?xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi1>, tensor<?xf32>) {
  %zero = dhlo.constant dense<0> : tensor<3xi32>
  %one = dhlo.constant dense<1> : tensor<3xi32>
  %true = dhlo.constant dense<true> : tensor<i1>
  %0 = dhlo.convert %x : tensor<?xf32>
  %1 = dhlo.add %i, %zero : tensor<3xi32>
  %2 = dhlo.multiply %one, %i : tensor<3xi32>
  %3 = dhlo.subtract %i, %zero : tensor<3xi32>
  %4 = dhlo.divide %i, %one : tensor<3xi32>
  %5 = dhlo.not %p : tensor<3xi1>
  %6 = dhlo.not %5 : tensor<3xi1>
  %7 = dhlo.maximum %x, %x : tensor<?xf32>
  %8 = dhlo.select %true, %7, %0 : tensor<i1>, tensor<?xf32>
  return %0, %1, %2, %3, %4, %6, %8 : tensor<?xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi1>, tensor<?xf32>
}

// -0 + 0 is 0, inf * 0 is NaN.
// CHECK-LABEL: func.func @not_of_floats
// CHECK: dhlo.add
// CHECK: dhlo.multiply
func.func @not_of_floats(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = dhlo.constant dense<0.0> : tensor<3xf32>
  %0 = dhlo.add %x, %zero : tensor<3xf32>
  %1 = dhlo.multiply %x, %zero : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: dhlo.constant dense<[5, 1]> : tensor<2xi32>
// CHECK-DAG: dhlo.constant dense<[2, -1]> : tensor<2xi32>
// CHECK-DAG: dhlo.constant dense<[true, false]> : tensor<2xi1>
// CHECK-DAG: dhlo.constant dense<[4.000000e+00, 1.000000e+00]> : tensor<2xf32>
// CHECK-DAG: dhlo.constant dense<[127, 0]> : tensor<2xi8>
// CHECK-NOT: dhlo.add
// CHECK: return
func.func @constants() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xf32>, tensor<2xi8>) {
  %a = dhlo.constant dense<[4, 1]> : tensor<2xi32>
  %b = dhlo.constant dense<[1, 0]> : tensor<2xi32>
  %f = dhlo.constant dense<[3.0e2, 0x7FC00000]> : tensor<2xf32>
  %two = dhlo.constant dense<[2, 0]> : tensor<2xi32>
  %0 = dhlo.add %a, %b : tensor<2xi32>
  %1 = dhlo.divide %a, %two : tensor<2xi32>
  %2 = dhlo.compare GT, %a, %two, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = dhlo.compare LT, %two, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %4 = dhlo.convert %a : (tensor<2xi32>) -> tensor<2xf32>
  %5 = dhlo.convert %f : (tensor<2xf32>) -> tensor<2xi8>
  %6 = dhlo.xor %2, %3 : tensor<2xi1>
  %7 = dhlo.not %6 : tensor<2xi1>
  %8 = dhlo.not %7 : tensor<2xi1>
  %t = dhlo.constant dense<[true, false]> : tensor<2xi1>
  %9 = dhlo.and %8, %t : tensor<2xi1>
  return %0, %1, %9, %4, %5 : tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xf32>, tensor<2xi8>
}

// CHECK-LABEL: func.func @sizes
// CHECK-DAG: dhlo.constant dense<4> : tensor<i32>
// CHECK-DAG: dhlo.iota dim = 0 : tensor<3xi32>
// CHECK-DAG: dhlo.get_dimension_size %{{.*}}, dim = 0
func.func @sizes(%x: tensor<?x4xf32>, %s: tensor<1xi32>) -> (tensor<i32>, tensor<i32>, tensor<3xi32>) {
  %0 = dhlo.get_dimension_size %x, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = dhlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %2 = dhlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>
  return %0, %1, %2 : tensor<i32>, tensor<i32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @tie
// CHECK-NEXT: %[[T:.*]] = dhlo.tie_shape
// CHECK-NEXT: return %[[T]], %{{.*}}
func.func @tie(%x: tensor<?xf32>, %d: index, %y: tensor<3xf32>) -> (tensor<?xf32>, tensor<3xf32>) {
  %0 = dhlo.tie_shape %x, %d : tensor<?xf32>
  %1 = dhlo.tie_shape %0, %d : tensor<?xf32>
  %2 = dhlo.tie_shape %y : tensor<3xf32>
  return %1, %2 : tensor<?xf32>, tensor<3xf32>
}
