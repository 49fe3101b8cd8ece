// softmax
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %shape = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = stablehlo.divide %e, %sb : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// broadcast_unknown
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = chlo.broadcast_multiply %0, %x : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// -----
// integers
func.func @main(%x: tensor<?xi8>, %y: tensor<?xi8>) -> (tensor<?xi8>, tensor<?xi8>, tensor<?xi8>) {
  %0 = stablehlo.divide %x, %y : tensor<?xi8>
  %1 = stablehlo.remainder %x, %y : tensor<?xi8>
  %2 = stablehlo.shift_right_logical %x, %y : tensor<?xi8>
  return %0, %1, %2 : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>
}
// -----
// unsigned
func.func @main(%x: tensor<?xui32>, %y: tensor<?xui32>) -> (tensor<?xui32>, tensor<?xi1>) {
  %0 = stablehlo.subtract %x, %y : tensor<?xui32>
  %1 = stablehlo.maximum %0, %y : tensor<?xui32>
  %2 = stablehlo.compare GT, %0, %x : (tensor<?xui32>, tensor<?xui32>) -> tensor<?xi1>
  return %1, %2 : tensor<?xui32>, tensor<?xi1>
}
// -----
// half
func.func @main(%x: tensor<?x4xf16>) -> (tensor<?xf16>, tensor<?x4xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = stablehlo.multiply %x, %x : tensor<?x4xf16>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf16>, tensor<f16>) -> tensor<?xf16>
  %2 = stablehlo.convert %x : (tensor<?x4xf16>) -> tensor<?x4xbf16>
  %3 = stablehlo.tanh %2 : tensor<?x4xbf16>
  return %1, %3 : tensor<?xf16>, tensor<?x4xbf16>
}
// -----
// complex
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.complex %x, %y : tensor<?xcomplex<f32>>
  %1 = stablehlo.multiply %0, %0 : tensor<?xcomplex<f32>>
  %2 = stablehlo.exponential %1 : tensor<?xcomplex<f32>>
  %3 = stablehlo.abs %2 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  %4 = stablehlo.imag %1 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %3, %4 : tensor<?xf32>, tensor<?xf32>
}
// -----
// select_clamp
func.func @main(%x: tensor<?xf32>, %p: tensor<?xi1>) -> tensor<?xf32> {
  %lo = stablehlo.constant dense<-0.5> : tensor<f32>
  %hi = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.select %p, %0, %x : tensor<?xi1>, tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// conversions
func.func @main(%x: tensor<?xf32>) -> (tensor<?xi8>, tensor<?xui8>, tensor<?xf64>, tensor<?xi1>) {
  %c = stablehlo.constant dense<100.0> : tensor<f32>
  %b = chlo.broadcast_multiply %x, %c : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %0 = stablehlo.convert %b : (tensor<?xf32>) -> tensor<?xi8>
  %1 = stablehlo.convert %b : (tensor<?xf32>) -> tensor<?xui8>
  %2 = stablehlo.convert %0 : (tensor<?xi8>) -> tensor<?xf64>
  %3 = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xi1>
  return %0, %1, %2, %3 : tensor<?xi8>, tensor<?xui8>, tensor<?xf64>, tensor<?xi1>
}
// -----
// special
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = chlo.erf %x : tensor<?xf32> -> tensor<?xf32>
  %1 = chlo.lgamma %x : tensor<?xf32> -> tensor<?xf32>
  %2 = stablehlo.log_plus_one %0 : tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
// -----
// identities
func.func @main(%x: tensor<?x4xi32>) -> tensor<?x4xi32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = chlo.broadcast_multiply %x, %one : (tensor<?x4xi32>, tensor<i32>) -> tensor<?x4xi32>
  %1 = chlo.broadcast_add %0, %zero : (tensor<?x4xi32>, tensor<i32>) -> tensor<?x4xi32>
  %2 = stablehlo.negate %1 : tensor<?x4xi32>
  %3 = stablehlo.negate %2 : tensor<?x4xi32>
  %4 = stablehlo.not %3 : tensor<?x4xi32>
  return %4 : tensor<?x4xi32>
}
// -----
// layer_norm
func.func @main(%x: tensor<?x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<8.0> : tensor<f32>
  %eps = stablehlo.constant dense<1.0e-5> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %mean = chlo.broadcast_divide %s, %n : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = chlo.broadcast_subtract %x, %mean {broadcast_dimensions = array<i64: 0>} : (tensor<?x8xf32>, tensor<?xf32>) -> tensor<?x8xf32>
  %sq = stablehlo.multiply %d, %d : tensor<?x8xf32>
  %v = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  %var = chlo.broadcast_divide %v, %n : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %ve = chlo.broadcast_add %var, %eps : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %r = stablehlo.rsqrt %ve : tensor<?xf32>
  %0 = chlo.broadcast_multiply %d, %r {broadcast_dimensions = array<i64: 0>} : (tensor<?x8xf32>, tensor<?xf32>) -> tensor<?x8xf32>
  %1 = chlo.broadcast_multiply %0, %g : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %2 = chlo.broadcast_add %1, %b : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}
// -----
// gelu_residual
func.func @main(%x: tensor<?x?x4xf32>, %y: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %root = stablehlo.constant dense<0.707106769> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = chlo.broadcast_multiply %x, %root : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x?x4xf32>
  %1 = chlo.erf %0 : tensor<?x?x4xf32> -> tensor<?x?x4xf32>
  %2 = chlo.broadcast_add %1, %one : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x?x4xf32>
  %3 = chlo.broadcast_multiply %x, %half : (tensor<?x?x4xf32>, tensor<f32>) -> tensor<?x?x4xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<?x?x4xf32>
  %5 = stablehlo.add %4, %y : tensor<?x?x4xf32>
  return %5 : tensor<?x?x4xf32>
}
