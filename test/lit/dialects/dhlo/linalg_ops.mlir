// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | filecheck %s --check-prefix=REIFY

// CHECK-LABEL: func @solve
// CHECK: dhlo.cholesky %{{.*}}, lower = true : tensor<?x3x3xf32>
// CHECK: "dhlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #dhlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x?xf32>) -> tensor<?x3x?xf32>
// REIFY-LABEL: func @solve
// REIFY: %[[D:.*]] = tensor.dim %arg1, %c2
// REIFY: return %[[D]]
func.func @solve(%a: tensor<?x3x3xf32>, %b: tensor<?x3x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x3x3xf32>
  %1 = "dhlo.triangular_solve"(%0, %b) <{left_side = true, lower = true, transpose_a = #dhlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf32>, tensor<?x3x?xf32>) -> tensor<?x3x?xf32>
  %d = tensor.dim %1, %c2 : tensor<?x3x?xf32>
  return %d : index
}

// CHECK-LABEL: func @fft
// CHECK: dhlo.fft %{{.*}}, type = RFFT, length = [8] : (tensor<?x8xf32>) -> tensor<?x5xcomplex<f32>>
// CHECK: dhlo.fft %{{.*}}, type = IRFFT, length = [8] : (tensor<?x5xcomplex<f32>>) -> tensor<?x8xf32>
// REIFY-LABEL: func @fft
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @fft(%x: tensor<?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<?x8xf32>) -> tensor<?x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<?x5xcomplex<f32>>) -> tensor<?x8xf32>
  %d = tensor.dim %1, %c0 : tensor<?x8xf32>
  return %d : index
}

// CHECK-LABEL: func @random
// CHECK: dhlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: dhlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
// REIFY-LABEL: func @random
// REIFY: %[[E:.*]] = tensor.extract %arg1[%c1]
// REIFY: %[[D:.*]] = arith.index_cast %[[E]] : i64 to index
// REIFY: return %[[D]]
func.func @random(%a: tensor<f32>, %s: tensor<2xi64>, %state: tensor<2xui64>) -> index {
  %c1 = arith.constant 1 : index
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1, %2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d : index
}
