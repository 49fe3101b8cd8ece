// RUN: disc-opt %s -verify-diagnostics -split-input-file

func.func @cholesky(%a: tensor<3x4xf32>) {
  // expected-error @+2 {{'dhlo.cholesky' op `a` of type 'tensor<3x4xf32>' does not hold square matrices}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.cholesky %a, lower = true : tensor<3x4xf32>
  return
}

// -----

func.func @triangular_solve(%a: tensor<3x3xf32>, %b: tensor<4x2xf32>) {
  // expected-error @+2 {{'dhlo.triangular_solve' op `b` of type 'tensor<4x2xf32>' does not fit `a` of type 'tensor<3x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "dhlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #dhlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @fft_element(%x: tensor<8xf32>) {
  // expected-error @+2 {{'dhlo.fft' op `operand` of type 'tensor<8xf32>' does not hold complex numbers, which FFT expects}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.fft %x, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_length(%x: tensor<8xf32>) {
  // expected-error @+2 {{`operand` of type 'tensor<8xf32>' has size 8 in dimension 0, but `fft_length` [6] needs 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.fft %x, type = RFFT, length = [6] : (tensor<8xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @fft_negative(%x: tensor<?xcomplex<f32>>) {
  // expected-error @+2 {{`fft_length` [-4] has a negative length}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = dhlo.fft %x, type = IRFFT, length = [-4] : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return
}

// -----

func.func @rng(%a: tensor<f32>, %s: tensor<2xi64>) {
  // expected-error @+1 {{'dhlo.rng' op `shape` of type 'tensor<2xi64>' gives a rank of 2, expected the rank of the result type 'tensor<?xf32>'}}
  %0 = dhlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?xf32>
  return
}
