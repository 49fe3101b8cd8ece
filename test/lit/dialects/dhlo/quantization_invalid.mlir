// RUN: disc-opt --disc-input-quantized --split-input-file --verify-diagnostics %s

func.func @scales(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error @+1 {{must have elements of type '!quant.uniform<i8:f32, 2.500000e-01>', since it moves those of an operand of type 'tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>'; `uniform_quantize` changes the scale and the zero point}}
  %r = dhlo.concatenate %x, %y, dim = 0 : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @axis(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{must have elements of type '!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>'}}
  %r = dhlo.transpose %x, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.25, 0.5}>>
  return
}

// -----

func.func @reverse(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{does not keep the slices of the quantized dimension}}
  %r = dhlo.reverse %x, dims = [0] : tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @reshape(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{does not keep the slices of the quantized dimension}}
  %r = dhlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @count(%x: tensor<3xf32>) {
  // expected-error @+1 {{with 2 scales for the 3 slices of dimension 0}}
  %r = dhlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @rank(%x: tensor<3xf32>) {
  // expected-error @+1 {{does not have the quantized dimension 1}}
  %r = dhlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @expressed(%x: tensor<3xf16>) {
  // expected-error @+1 {{must have elements of the expressed type 'f32'}}
  %r = dhlo.uniform_quantize %x : (tensor<3xf16>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @branches(%p: tensor<i1>, %x: tensor<2x!quant.uniform<i8:f32, 0.5>>, %y: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error @+1 {{a returned value has type 'tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>', but 'tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>' is expected there}}
  %r = "dhlo.if"(%p) ({
    dhlo.return %x : tensor<2x!quant.uniform<i8:f32, 0.5>>
  }, {
    dhlo.return %y : tensor<2x!quant.uniform<i8:f32, 0.25>>
  }) : (tensor<i1>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @summed_axis(%x: tensor<4x3x!quant.uniform<i8:f32, 0.5>>, %y: tensor<3x2x!quant.uniform<i8:f32:0, {0.25, 0.5, 1.0}>>) {
  // expected-error @+1 {{is quantized along dimension 0, which is summed over}}
  %z = dhlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32:0, {0.25, 0.5, 1.0}>>) -> tensor<4x2x!quant.uniform<i8:f32, 2.0>>
  return
}

// -----

func.func @lhs_axis(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 1.0}>>, %y: tensor<3x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{`lhs` of type 'tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,1.000000e+00}>>' must have one scale for the whole tensor}}
  %z = dhlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 1.0}>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 2.0>>
  return
}
