// Convolutions of images with channels first, and what lies between them.
func.func @main(%x: tensor<?x2x4x5xf32>, %w: tensor<16x2x3x3xf32>, %v: tensor<16x16x1x1xf32>) -> tensor<?x16x4x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x2x4x5xf32>, tensor<16x2x3x3xf32>) -> tensor<?x16x4x5xf32>
  %1 = chlo.broadcast_maximum %0, %zero : (tensor<?x16x4x5xf32>, tensor<f32>) -> tensor<?x16x4x5xf32>
  %2 = stablehlo.convolution(%1, %v) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x16x4x5xf32>, tensor<16x16x1x1xf32>) -> tensor<?x16x4x5xf32>
  return %2 : tensor<?x16x4x5xf32>
}
