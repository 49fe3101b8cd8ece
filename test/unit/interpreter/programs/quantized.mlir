// quantized
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x2xi8>) -> (tensor<?x2xi8>, tensor<?x?xf32>, tensor<?x?xi1>) {
  %q = stablehlo.uniform_quantize %x : (tensor<?x?xf32>) -> tensor<?x?x!quant.uniform<i8:f32, 0.25:3>>
  %v = stablehlo.bitcast_convert %w : (tensor<?x2xi8>) -> tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.125}>>
  %d = stablehlo.dot_general %q, %v, contracting_dims = [1] x [0] : (tensor<?x?x!quant.uniform<i8:f32, 0.25:3>>, tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.125}>>) -> tensor<?x2x!quant.uniform<i8:f32, 2.0:-5>>
  %o = stablehlo.bitcast_convert %d : (tensor<?x2x!quant.uniform<i8:f32, 2.0:-5>>) -> tensor<?x2xi8>
  %s = stablehlo.add %q, %q : (tensor<?x?x!quant.uniform<i8:f32, 0.25:3>>, tensor<?x?x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<?x?x!quant.uniform<i16:f32, 0.125>>
  %y = stablehlo.uniform_dequantize %s : (tensor<?x?x!quant.uniform<i16:f32, 0.125>>) -> tensor<?x?xf32>
  %c = stablehlo.compare LT, %q, %q : (tensor<?x?x!quant.uniform<i8:f32, 0.25:3>>, tensor<?x?x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<?x?xi1>
  return %o, %y, %c : tensor<?x2xi8>, tensor<?x?xf32>, tensor<?x?xi1>
}
