// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-random))' --split-input-file --verify-diagnostics %s | filecheck %s

// An odd number of elements: two words a counter, the counter advances by 3.
// CHECK-LABEL: @three_fry
// CHECK: dhlo.iota dim = 0 : tensor<5xui64>
// CHECK: dhlo.constant dense<466688986> : tensor<ui32>
// CHECK: %[[THREE:.*]] = dhlo.constant dense<3> : tensor<ui64>
// CHECK: %[[NEXT:.*]] = dhlo.add %{{.*}}, %[[THREE]] : tensor<ui64>
// CHECK: %[[STATE:.*]] = dhlo.concatenate %{{.*}}, dim = 0
// CHECK-NOT: rng
// CHECK: return %[[STATE]]
func.func @three_fry(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi32>) {
  %n, %r = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi32>)
  return %n, %r : tensor<2xui64>, tensor<5xi32>
}

// CHECK-LABEL: @philox
// CHECK: dhlo.constant dense<3528531795> : tensor<ui64>
// CHECK: dhlo.bitcast_convert %{{.*}} : (tensor<12xui64>) -> tensor<12xf64>
// CHECK: dhlo.reshape %{{.*}} : (tensor<12xf64>) -> tensor<3x4xf64>
// CHECK-NOT: rng
func.func @philox(%s: tensor<3xui64>) -> (tensor<3xui64>, tensor<3x4xf64>) {
  %n, %r = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x4xf64>)
  return %n, %r : tensor<3xui64>, tensor<3x4xf64>
}

// CHECK-LABEL: @uniform
// CHECK: dhlo.custom_call @ral.random_state() {disc.library, has_side_effect = true}
// CHECK: dhlo.compare LE, %arg0, %arg1
// CHECK: cf.assert {{.*}} "rng: expected bounds `a` <= `b`"
// CHECK: dhlo.dynamic_reshape %{{.*}}, %arg2
func.func @uniform(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  %r = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: @normal
// CHECK: dhlo.compare GE, %arg1,
// CHECK: dhlo.erf_inv %{{.*}} : tensor<6xf32>
// CHECK: dhlo.reshape %{{.*}} -> tensor<2x3xf16>
func.func @normal(%a: tensor<f16>, %b: tensor<f16>, %s: tensor<2xi64>) -> tensor<2x3xf16> {
  %r = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f16>, tensor<f16>, tensor<2xi64>) -> tensor<2x3xf16>
  return %r : tensor<2x3xf16>
}

// -----

func.func @wrong_state(%s: tensor<2xui32>) -> tensor<5xi32> {
  // expected-error @+1 {{expected an initial state of type tensor<2xui64> or tensor<3xui64>, got 'tensor<2xui32>'}}
  %n, %r = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui32>) -> (tensor<2xui32>, tensor<5xi32>)
  return %r : tensor<5xi32>
}

// -----

func.func @normal_integers(%a: tensor<i32>, %s: tensor<1xi64>) -> tensor<?xi32> {
  // expected-error @+1 {{of NORMAL distribution expected elements of type float, got 'i32'}}
  %r = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
