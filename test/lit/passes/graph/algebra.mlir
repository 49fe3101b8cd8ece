// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-graph-algebra))' %s | filecheck %s

// CHECK-LABEL: @add_negative_zero(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
// CHECK: return %[[X]]
func.func @add_negative_zero(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = dhlo.constant dense<-0.0> : tensor<2xf32>
  %r = dhlo.add %x, %zero : tensor<2xf32>
  return %r : tensor<2xf32>
}

// With dynamic sizes the constant is a broadcast scalar.
// CHECK-LABEL: @add_negative_zero_broadcast
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: return %[[X]]
func.func @add_negative_zero_broadcast(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %zero = dhlo.constant dense<-0.0> : tensor<f32>
  %c4 = arith.constant 4 : index
  %sizes = tensor.from_elements %n, %c4 : tensor<2xindex>
  %zeros = dhlo.dynamic_broadcast_in_dim %zero, %sizes, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<?x4xf32>
  %r = dhlo.add %x, %zeros : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: @add_negative_zero_left
// CHECK-SAME: %[[X:.*]]: tensor<2xbf16>
// CHECK: return %[[X]]
func.func @add_negative_zero_left(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %zero = dhlo.constant dense<-0.0> : tensor<2xbf16>
  %r = dhlo.add %zero, %x : tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -0.0 + 0.0 is 0.0.
// CHECK-LABEL: @add_negative_zero_not_positive
// CHECK: %[[R:.*]] = dhlo.add
// CHECK: return %[[R]]
func.func @add_negative_zero_not_positive(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = dhlo.constant dense<0.0> : tensor<2xf32>
  %r = dhlo.add %x, %zero : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @add_zero(
// CHECK-SAME: %[[X:.*]]: tensor<2xi32>
// CHECK: return %[[X]]
func.func @add_zero(%x: tensor<2xi32>) -> tensor<2xi32> {
  %zero = dhlo.constant dense<0> : tensor<2xi32>
  %r = dhlo.add %zero, %x : tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: @add_zero_not_one
// CHECK: dhlo.add
func.func @add_zero_not_one(%x: tensor<2xi32>) -> tensor<2xi32> {
  %one = dhlo.constant dense<[0, 1]> : tensor<2xi32>
  %r = dhlo.add %x, %one : tensor<2xi32>
  return %r : tensor<2xi32>
}

// CHECK-LABEL: @subtract_zero(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
// CHECK: return %[[X]]
func.func @subtract_zero(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = dhlo.constant dense<0.0> : tensor<2xf32>
  %r = dhlo.subtract %x, %zero : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -0.0 - -0.0 is 0.0, and 0 - x is not x.
// CHECK-LABEL: @subtract_zero_not_negative
// CHECK: dhlo.subtract
// CHECK: dhlo.subtract
func.func @subtract_zero_not_negative(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %minus = dhlo.constant dense<-0.0> : tensor<2xf32>
  %zero = dhlo.constant dense<0.0> : tensor<2xf32>
  %a = dhlo.subtract %x, %minus : tensor<2xf32>
  %b = dhlo.subtract %zero, %x : tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @multiply_one(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xi8>
// CHECK: return %[[X]], %[[Y]]
func.func @multiply_one(%x: tensor<2xf32>, %y: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xi8>) {
  %one = dhlo.constant dense<1.0> : tensor<2xf32>
  %one_i = dhlo.constant dense<1> : tensor<2xi8>
  %a = dhlo.multiply %one, %x : tensor<2xf32>
  %b = dhlo.multiply %y, %one_i : tensor<2xi8>
  return %a, %b : tensor<2xf32>, tensor<2xi8>
}

// CHECK-LABEL: @multiply_one_not_two
// CHECK: dhlo.multiply
func.func @multiply_one_not_two(%x: tensor<2xf32>) -> tensor<2xf32> {
  %two = dhlo.constant dense<2.0> : tensor<2xf32>
  %r = dhlo.multiply %x, %two : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @divide_one(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
// CHECK: return %[[X]]
func.func @divide_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = dhlo.constant dense<1.0> : tensor<2xf32>
  %r = dhlo.divide %x, %one : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @divide_one_not_numerator
// CHECK: dhlo.divide
func.func @divide_one_not_numerator(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = dhlo.constant dense<1.0> : tensor<2xf32>
  %r = dhlo.divide %one, %x : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @multiply_zero(
// CHECK: %[[ZERO:.*]] = dhlo.constant dense<0>
// CHECK: return %[[ZERO]]
func.func @multiply_zero(%x: tensor<2xi32>) -> tensor<2xi32> {
  %zero = dhlo.constant dense<0> : tensor<2xi32>
  %r = dhlo.multiply %x, %zero : tensor<2xi32>
  return %r : tensor<2xi32>
}

// NaN * 0.0 is NaN.
// CHECK-LABEL: @multiply_zero_not_float
// CHECK: dhlo.multiply
func.func @multiply_zero_not_float(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = dhlo.constant dense<0.0> : tensor<2xf32>
  %r = dhlo.multiply %x, %zero : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @power_one(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
// CHECK: return %[[X]]
func.func @power_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = dhlo.constant dense<1.0> : tensor<2xf32>
  %r = dhlo.power %x, %one : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @power_one_not_base
// CHECK: dhlo.power
func.func @power_one_not_base(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = dhlo.constant dense<1.0> : tensor<2xf32>
  %r = dhlo.power %one, %x : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @negate_twice(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK: return %[[X]]
func.func @negate_twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.negate %x : tensor<?xf32>
  %r = dhlo.negate %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @negate_twice_not_once
// CHECK: dhlo.negate
func.func @negate_twice_not_once(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = dhlo.negate %x : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @not_twice(
// CHECK-SAME: %[[X:.*]]: tensor<?xi1>
// CHECK: return %[[X]]
func.func @not_twice(%x: tensor<?xi1>) -> tensor<?xi1> {
  %a = dhlo.not %x : tensor<?xi1>
  %r = dhlo.not %a : tensor<?xi1>
  return %r : tensor<?xi1>
}

// CHECK-LABEL: @not_twice_not_mixed
// CHECK: dhlo.not
// CHECK: dhlo.negate
func.func @not_twice_not_mixed(%x: tensor<?xi32>) -> tensor<?xi32> {
  %a = dhlo.not %x : tensor<?xi32>
  %r = dhlo.negate %a : tensor<?xi32>
  return %r : tensor<?xi32>
}

// CHECK-LABEL: @abs_again(
// CHECK: %[[A:.*]] = dhlo.abs
// CHECK-NOT: dhlo.abs
// CHECK: return %[[A]]
func.func @abs_again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.abs %x : tensor<?xf32>
  %r = dhlo.abs %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @abs_again_not_between
// CHECK: dhlo.abs
// CHECK: dhlo.abs
func.func @abs_again_not_between(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.abs %x : tensor<?xf32>
  %n = dhlo.negate %a : tensor<?xf32>
  %r = dhlo.abs %n : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @floor_again(
// CHECK: %[[A:.*]] = dhlo.floor
// CHECK: return %[[A]]
func.func @floor_again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.floor %x : tensor<?xf32>
  %r = dhlo.floor %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @floor_again_not_ceil
// CHECK: dhlo.ceil
// CHECK: dhlo.floor
func.func @floor_again_not_ceil(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.ceil %x : tensor<?xf32>
  %r = dhlo.floor %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @ceil_again(
// CHECK: %[[A:.*]] = dhlo.ceil
// CHECK: return %[[A]]
func.func @ceil_again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.ceil %x : tensor<?xf32>
  %r = dhlo.ceil %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @ceil_again_not_floor
// CHECK: dhlo.floor
// CHECK: dhlo.ceil
func.func @ceil_again_not_floor(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.floor %x : tensor<?xf32>
  %r = dhlo.ceil %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @sign_again(
// CHECK: %[[A:.*]] = dhlo.sign
// CHECK: return %[[A]]
func.func @sign_again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = dhlo.sign %x : tensor<?xf32>
  %r = dhlo.sign %a : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @sign_again_not_once
// CHECK: dhlo.sign
func.func @sign_again_not_once(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = dhlo.sign %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
