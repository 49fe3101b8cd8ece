// RUN: disc-opt --pass-pipeline='builtin.module(disc-input-quantized)' --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK-LABEL: @dynamic_axis
// CHECK: cf.assert %{{.*}}, "a quantized dimension has 2 slices, one for each scale"
func.func @dynamic_axis(%q: tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<?xf32> {
  %x = stablehlo.uniform_dequantize %q : (tensor<?x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<?xf32>
  return %x : tensor<?xf32>
}

// -----

func.func @custom(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32> {
  // expected-error @+1 {{with quantized operands or results has no meaning here; pass it the stored integers}}
  %r = stablehlo.custom_call @f(%x) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
