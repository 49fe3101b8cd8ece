// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --mlir-print-op-generic | disc-opt | filecheck %s

// CHECK-LABEL: func.func @sources
func.func @sources(%shape: tensor<2xindex>) {
  // CHECK: dhlo.constant dense<1> : tensor<2xi64>
  %c = dhlo.constant dense<1> : tensor<2xi64>
  // CHECK: dhlo.constant {disc.name = "w"} dense<0xFF800000> : tensor<f32>
  %cst = dhlo.constant {disc.name = "w"} dense<0xFF800000> : tensor<f32>
  // CHECK: dhlo.constant() {value = dense<1> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %q = dhlo.constant() <{value = dense<1> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  // CHECK: dhlo.iota dim = 1 : tensor<2x3xui8>
  %i = dhlo.iota dim = 1 : tensor<2x3xui8>
  // CHECK: dhlo.dynamic_iota %{{.*}}, dim = 0 : (tensor<2xindex>) -> tensor<?x?xf16>
  %d = dhlo.dynamic_iota %shape, dim = 0 : (tensor<2xindex>) -> tensor<?x?xf16>
  return
}

// CHECK-LABEL: func.func @unary
func.func @unary(%f: tensor<?x4xf32>, %i: tensor<?xi4>, %p: tensor<i1>, %z: tensor<?xcomplex<f64>>) {
  // CHECK: dhlo.abs %{{.*}} : tensor<?x4xf32>
  %0 = dhlo.abs %f : tensor<?x4xf32>
  // CHECK: dhlo.abs %{{.*}} : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  %1 = dhlo.abs %z : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  // CHECK: dhlo.cbrt
  %2 = dhlo.cbrt %f : tensor<?x4xf32>
  // CHECK: dhlo.ceil
  %3 = dhlo.ceil %f : tensor<?x4xf32>
  // CHECK: dhlo.count_leading_zeros %{{.*}} : tensor<?xi4>
  %4 = dhlo.count_leading_zeros %i : tensor<?xi4>
  // CHECK: dhlo.cosine
  %5 = dhlo.cosine %f : tensor<?x4xf32>
  // CHECK: dhlo.exponential %{{.*}} {result_accuracy = #dhlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 1, mode = #dhlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xf32>
  %6 = dhlo.exponential %f {result_accuracy = #dhlo.result_accuracy<atol = 1.0e-5, rtol = 0.0, ulps = 1, mode = #dhlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xf32>
  // CHECK: dhlo.exponential_minus_one
  %7 = dhlo.exponential_minus_one %f : tensor<?x4xf32>
  // CHECK: dhlo.floor
  %8 = dhlo.floor %f : tensor<?x4xf32>
  // CHECK: dhlo.imag %{{.*}} : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  %9 = dhlo.imag %z : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  // CHECK: dhlo.is_finite %{{.*}} : (tensor<?x4xf32>) -> tensor<?x4xi1>
  %10 = dhlo.is_finite %f : (tensor<?x4xf32>) -> tensor<?x4xi1>
  // CHECK: dhlo.log
  %11 = dhlo.log %f : tensor<?x4xf32>
  // CHECK: dhlo.log_plus_one
  %12 = dhlo.log_plus_one %f : tensor<?x4xf32>
  // CHECK: dhlo.logistic
  %13 = dhlo.logistic %f : tensor<?x4xf32>
  // CHECK: dhlo.negate
  %14 = dhlo.negate %z : tensor<?xcomplex<f64>>
  // CHECK: dhlo.not %{{.*}} : tensor<i1>
  %15 = dhlo.not %p : tensor<i1>
  // CHECK: dhlo.popcnt
  %16 = dhlo.popcnt %i : tensor<?xi4>
  // CHECK: dhlo.real %{{.*}} : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  %17 = dhlo.real %z : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  // CHECK: dhlo.round_nearest_afz
  %18 = dhlo.round_nearest_afz %f : tensor<?x4xf32>
  // CHECK: dhlo.round_nearest_even
  %19 = dhlo.round_nearest_even %f : tensor<?x4xf32>
  // CHECK: dhlo.rsqrt
  %20 = dhlo.rsqrt %f : tensor<?x4xf32>
  // CHECK: dhlo.sign
  %21 = dhlo.sign %f : tensor<?x4xf32>
  // CHECK: dhlo.sine
  %22 = dhlo.sine %f : tensor<?x4xf32>
  // CHECK: dhlo.sqrt
  %23 = dhlo.sqrt %f : tensor<?x4xf32>
  // CHECK: dhlo.tan
  %24 = dhlo.tan %f : tensor<?x4xf32>
  // CHECK: dhlo.tanh %{{.*}} : (tensor<?x4xf32>) -> tensor<3x4xf32>
  %25 = dhlo.tanh %f : (tensor<?x4xf32>) -> tensor<3x4xf32>
  // CHECK: dhlo.reduce_precision %{{.*}}, format = e5m10 : tensor<?x4xf32>
  %26 = dhlo.reduce_precision %f, format = e5m10 : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @conversions
func.func @conversions(%f: tensor<?xf32>, %i: tensor<3xi64>) {
  // CHECK: dhlo.convert %{{.*}} : (tensor<?xf32>) -> tensor<?xf8E4M3FN>
  %0 = dhlo.convert %f : (tensor<?xf32>) -> tensor<?xf8E4M3FN>
  // CHECK: dhlo.convert %{{.*}} : tensor<?xf32>
  %1 = dhlo.convert %f : tensor<?xf32>
  // CHECK: dhlo.bitcast_convert %{{.*}} : (tensor<?xf32>) -> tensor<?x4xi8>
  %2 = dhlo.bitcast_convert %f : (tensor<?xf32>) -> tensor<?x4xi8>
  // CHECK: dhlo.uniform_quantize %{{.*}} : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>
  %3 = dhlo.uniform_quantize %f : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8:f32, 0.5>>
  // CHECK: dhlo.uniform_dequantize %{{.*}} : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<?xf32>
  %4 = dhlo.uniform_dequantize %3 : (tensor<?x!quant.uniform<i8:f32, 0.5>>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%f: tensor<?xf32>, %g: tensor<4xf32>, %i: tensor<?xui2>) {
  // CHECK: dhlo.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = dhlo.add %f, %g : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: dhlo.atan2 %{{.*}}, %{{.*}} : tensor<?xf32>
  %1 = dhlo.atan2 %f, %f : tensor<?xf32>
  // CHECK: dhlo.divide
  %2 = dhlo.divide %f, %f : tensor<?xf32>
  // CHECK: dhlo.maximum
  %3 = dhlo.maximum %f, %f : tensor<?xf32>
  // CHECK: dhlo.minimum
  %4 = dhlo.minimum %f, %f : tensor<?xf32>
  // CHECK: dhlo.multiply
  %5 = dhlo.multiply %f, %f : tensor<?xf32>
  // CHECK: dhlo.power
  %6 = dhlo.power %f, %f : tensor<?xf32>
  // CHECK: dhlo.remainder
  %7 = dhlo.remainder %f, %f : tensor<?xf32>
  // CHECK: dhlo.shift_left %{{.*}}, %{{.*}} : tensor<?xui2>
  %8 = dhlo.shift_left %i, %i : tensor<?xui2>
  // CHECK: dhlo.shift_right_arithmetic
  %9 = dhlo.shift_right_arithmetic %i, %i : tensor<?xui2>
  // CHECK: dhlo.shift_right_logical
  %10 = dhlo.shift_right_logical %i, %i : tensor<?xui2>
  // CHECK: dhlo.subtract
  %11 = dhlo.subtract %f, %f : tensor<?xf32>
  // CHECK: dhlo.and
  %12 = dhlo.and %i, %i : tensor<?xui2>
  // CHECK: dhlo.or
  %13 = dhlo.or %i, %i : tensor<?xui2>
  // CHECK: dhlo.xor
  %14 = dhlo.xor %i, %i : tensor<?xui2>
  // CHECK: dhlo.complex %{{.*}}, %{{.*}} : tensor<?xcomplex<f32>>
  %15 = dhlo.complex %f, %f : tensor<?xcomplex<f32>>
  // CHECK: dhlo.complex %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %16 = dhlo.complex %f, %g : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @selection
func.func @selection(%p: tensor<i1>, %f: tensor<?xf32>, %s: tensor<f32>) {
  // CHECK: dhlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %0 = dhlo.compare LT, %f, %f, FLOAT : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  // CHECK: dhlo.compare NE, %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %1 = dhlo.compare NE, %f, %f : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  // CHECK: dhlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<?xf32>
  %2 = dhlo.select %p, %f, %f : tensor<i1>, tensor<?xf32>
  // CHECK: dhlo.select %{{.*}} : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<2xf32>
  %3 = dhlo.select %0, %f, %f : (tensor<?xi1>, tensor<?xf32>, tensor<?xf32>) -> tensor<2xf32>
  // CHECK: dhlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<?xf32>
  %4 = dhlo.clamp %f, %f, %f : tensor<?xf32>
  // CHECK: dhlo.clamp %{{.*}} : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %5 = dhlo.clamp %s, %f, %s : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return
}
