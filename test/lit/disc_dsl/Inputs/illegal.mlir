func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = dhlo.abs %x : tensor<2xf32>
  return %r : tensor<2xf32>
}
