// RUN: disc-opt %s | disc-opt | filecheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<?xf32>, %z: tensor<?xcomplex<f32>>) {
  // CHECK: dhlo.acos %{{.*}} : tensor<?xf32>
  %0 = chlo.acos %x : tensor<?xf32> -> tensor<?xf32>
  // CHECK: dhlo.acosh
  %1 = dhlo.acosh %x : tensor<?xf32>
  // CHECK: dhlo.asin
  %2 = dhlo.asin %x : tensor<?xf32>
  // CHECK: dhlo.asinh
  %3 = dhlo.asinh %x : tensor<?xf32>
  // CHECK: dhlo.atan
  %4 = dhlo.atan %x : tensor<?xf32>
  // CHECK: dhlo.atanh
  %5 = dhlo.atanh %x : tensor<?xf32>
  // CHECK: dhlo.bessel_i1e
  %6 = dhlo.bessel_i1e %x : tensor<?xf32>
  // CHECK: dhlo.conj
  %7 = dhlo.conj %z : tensor<?xcomplex<f32>>
  // CHECK: dhlo.cosh
  %8 = dhlo.cosh %x : tensor<?xf32>
  // CHECK: dhlo.digamma
  %9 = dhlo.digamma %x : tensor<?xf32>
  // CHECK: dhlo.erf_inv
  %10 = dhlo.erf_inv %x : tensor<?xf32>
  // CHECK: dhlo.erfc
  %11 = dhlo.erfc %x : tensor<?xf32>
  // CHECK: dhlo.is_inf %{{.*}} : (tensor<?xf32>) -> tensor<?xi1>
  %12 = chlo.is_inf %x : tensor<?xf32> -> tensor<?xi1>
  // CHECK: dhlo.is_neg_inf
  %13 = chlo.is_neg_inf %x : tensor<?xf32> -> tensor<?xi1>
  // CHECK: dhlo.is_pos_inf
  %14 = chlo.is_pos_inf %x : tensor<?xf32> -> tensor<?xi1>
  // CHECK: dhlo.lgamma
  %15 = dhlo.lgamma %x : tensor<?xf32>
  // CHECK: dhlo.sinh
  %16 = dhlo.sinh %x : tensor<?xf32>
  // CHECK: dhlo.square
  %17 = dhlo.square %x : tensor<?xf32>
  // CHECK: "dhlo.constant_like"(%{{.*}}) <{value = 2.000000e+00 : f32}>
  %18 = "dhlo.constant_like"(%x) <{value = 2.0 : f32}> : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%t: tensor<?x4xf32>, %x: tensor<?xf32>, %i: tensor<?xi32>, %p: tensor<?xi1>) {
  // CHECK: dhlo.mulhi %{{.*}}, %{{.*}} : tensor<?xi32>
  %0 = chlo.mulhi %i, %i : tensor<?xi32>, tensor<?xi32> -> tensor<?xi32>
  // CHECK: dhlo.polygamma
  %1 = dhlo.polygamma %x, %x : tensor<?xf32>
  // CHECK: dhlo.zeta
  %2 = dhlo.zeta %x, %x : tensor<?xf32>
  // CHECK: dhlo.top_k(%{{.*}}, k = 2) : tensor<?x4xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %3:2 = chlo.top_k(%t, k = 2) : tensor<?x4xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return
}

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: tensor<?xf32>, %m: tensor<?x?xf32>, %i: tensor<?xi32>, %p: tensor<i1>) {
  // CHECK: dhlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = chlo.broadcast_add %x, %m : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: dhlo.broadcast_multiply %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = chlo.broadcast_multiply %m, %x {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  // CHECK: dhlo.broadcast_complex
  %2 = dhlo.broadcast_complex %x, %m : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xcomplex<f32>>
  // CHECK: dhlo.broadcast_select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = dhlo.broadcast_select %p, %x, %m : (tensor<i1>, tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: dhlo.broadcast_and
  %4 = dhlo.broadcast_and %i, %i : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return
}
