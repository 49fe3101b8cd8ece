// Nothing says how to subtract in f32.
func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
  %r = dhlo.subtract %x, %x : tensor<2xf64>
  return %r : tensor<2xf64>
}
