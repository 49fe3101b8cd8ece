// RUN: disc-opt --pass-pipeline='builtin.module(disc-input-quantized)' %s | filecheck %s

// real / scale + zero point, clamped, rounded, in the expressed type.
// CHECK-LABEL: @quantize
// CHECK-SAME: -> tensor<?xi8>
// CHECK: %[[S:.*]] = dhlo.divide %arg0, {{.*}} : tensor<?xf32>
// CHECK: %[[Z:.*]] = dhlo.add %[[S]]
// CHECK: %[[C:.*]] = dhlo.clamp %{{.*}}, %[[Z]]
// CHECK: %[[R:.*]] = dhlo.round_nearest_even %[[C]]
// CHECK: dhlo.convert %[[R]] : (tensor<?xf32>) -> tensor<?xi8>
// CHECK-NOT: quant
func.func @quantize(%x: tensor<?xf32>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>> {
  %q = stablehlo.uniform_quantize %x : (tensor<?xf32>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  return %q : tensor<?x!quant.uniform<i8:f32, 0.5:3>>
}

// (stored - zero point) * scale; unsigned storage.
// CHECK-LABEL: @dequantize
// CHECK-SAME: tensor<4xui8>
// CHECK: %[[W:.*]] = dhlo.convert %arg0 : (tensor<4xui8>) -> tensor<4xi32>
// CHECK: %[[D:.*]] = dhlo.subtract %[[W]], %{{.*}} : tensor<4xi32>
// CHECK: %[[F:.*]] = dhlo.convert %[[D]] : (tensor<4xi32>) -> tensor<4xf16>
// CHECK: dhlo.multiply %[[F]], %{{.*}} : tensor<4xf16>
func.func @dequantize(%q: tensor<4x!quant.uniform<u8:f16, 0.5:128>>) -> tensor<4xf16> {
  %x = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<u8:f16, 0.5:128>>) -> tensor<4xf16>
  return %x : tensor<4xf16>
}

// Without a zero point nothing is subtracted.
// CHECK-LABEL: @per_axis
// CHECK-NOT: dhlo.subtract
// CHECK: %[[S:.*]] = dhlo.constant dense<[5.000000e-01, 2.500000e-01]>
// CHECK: dhlo.dynamic_broadcast_in_dim %[[S]], %{{.*}}, dims = [1]
func.func @per_axis(%q: tensor<?x2x!quant.uniform<i4:f32:1, {0.5, 0.25}>>) -> tensor<?x2xf32> {
  %x = stablehlo.uniform_dequantize %q : (tensor<?x2x!quant.uniform<i4:f32:1, {0.5, 0.25}>>) -> tensor<?x2xf32>
  return %x : tensor<?x2xf32>
}

// Elements that only move stay integers; the transpose moves the axis.
// CHECK-LABEL: @movement
// CHECK-NEXT: %[[T:.*]] = dhlo.transpose %arg0, dims = [1, 0] : (tensor<?x2xi8>) -> tensor<2x?xi8>
// CHECK-NEXT: return %[[T]]
func.func @movement(%q: tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x?x!quant.uniform<i8:f32:0, {0.5, 0.25}>> {
  %t = stablehlo.transpose %q, dims = [1, 0] : (tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x?x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return %t : tensor<2x?x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
}

// The same parameters on both sides: nothing to do, and a bitcast is the storage.
// CHECK-LABEL: @nothing
// CHECK-NEXT: return %arg0 : tensor<4xi8>
func.func @nothing(%x: tensor<4xi8>) -> tensor<4xi8> {
  %q = stablehlo.bitcast_convert %x : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %r = stablehlo.uniform_quantize %q : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %y = stablehlo.bitcast_convert %r : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xi8>
  return %y : tensor<4xi8>
}

// CHECK-LABEL: @plain
// CHECK-NEXT: dhlo.add %arg0, %arg0 : tensor<4xi8>
// CHECK-NEXT: return
func.func @plain(%x: tensor<4xi8>) -> tensor<4xi8> {
  %y = stablehlo.add %x, %x : tensor<4xi8>
  return %y : tensor<4xi8>
}

// CHECK-LABEL: @compute
// CHECK: %[[A:.*]] = dhlo.multiply {{.*}} : tensor<4xf32>
// CHECK: %[[B:.*]] = dhlo.multiply {{.*}} : tensor<4xf32>
// CHECK: %[[Y:.*]] = dhlo.add %[[A]], %[[B]] : tensor<4xf32>
// CHECK: dhlo.divide %[[Y]]
func.func @compute(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>, %y: tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 0.75>> {
  %z = stablehlo.add %x, %y : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 0.75>>
  return %z : tensor<4x!quant.uniform<i8:f32, 0.75>>
}

// CHECK-LABEL: @compare
// CHECK: dhlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<4xf32>, tensor<4xf32>)
func.func @compare(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>, %y: tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4xi1> {
  %z = stablehlo.compare LT, %x, %y, SIGNED : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4xi1>
  return %z : tensor<4xi1>
}

// A product sums integers, in f64, and is rescaled once: 0.5 * 0.25 / 2 and 0.5 * 0.5 / 2.
// CHECK-LABEL: @dot
// CHECK: %[[L:.*]] = dhlo.subtract {{.*}} : tensor<?x3xi32>
// CHECK: %[[X:.*]] = dhlo.convert %[[L]] : (tensor<?x3xi32>) -> tensor<?x3xf64>
// CHECK: %[[Y:.*]] = dhlo.convert %arg1 : (tensor<3x2xi8>) -> tensor<3x2xf64>
// CHECK: %[[D:.*]] = dhlo.dot_general %[[X]], %[[Y]], {{.*}} -> tensor<?x2xf64>
// CHECK: dhlo.constant dense<[6.250000e-02, 1.250000e-01]>
// CHECK: dhlo.multiply %[[D]]
// CHECK: dhlo.round_nearest_even
func.func @dot(%x: tensor<?x3x!quant.uniform<i8:f32, 0.5:7>>, %y: tensor<3x2x!quant.uniform<i8:f32:1, {0.25, 0.5}>>) -> tensor<?x2x!quant.uniform<i8:f32, 2.0>> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x3x!quant.uniform<i8:f32, 0.5:7>>, tensor<3x2x!quant.uniform<i8:f32:1, {0.25, 0.5}>>) -> tensor<?x2x!quant.uniform<i8:f32, 2.0>>
  return %z : tensor<?x2x!quant.uniform<i8:f32, 2.0>>
}

// A float lhs: the weights are dequantized.
// CHECK-LABEL: @hybrid
// CHECK: %[[W:.*]] = dhlo.multiply {{.*}} : tensor<3x2xf32>
// CHECK: dhlo.dot_general %arg0, %[[W]], {{.*}} -> tensor<?x2xf32>
func.func @hybrid(%x: tensor<?x3xf32>, %y: tensor<3x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<?x2xf32> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<?x2xf32>
  return %z : tensor<?x2xf32>
}

// The operand is brought to the type that the region adds in.
// CHECK-LABEL: @reduce
// CHECK: dhlo.convert {{.*}} : (tensor<?xf32>) -> tensor<?xi32>
// CHECK: dhlo.reduce
// CHECK: dhlo.add {{.*}} : tensor<f32>
func.func @reduce(%x: tensor<?x!quant.uniform<i8:f32, 0.5>>, %init: tensor<!quant.uniform<i32:f32, 0.25>>) -> tensor<!quant.uniform<i32:f32, 0.25>> {
  %r = "dhlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.25>>, %b: tensor<!quant.uniform<i32:f32, 0.25>>):
    %s = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.25>>
    stablehlo.return %s : tensor<!quant.uniform<i32:f32, 0.25>>
  }) : (tensor<?x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i32:f32, 0.25>>) -> tensor<!quant.uniform<i32:f32, 0.25>>
  return %r : tensor<!quant.uniform<i32:f32, 0.25>>
}

// CHECK-LABEL: @flow
// CHECK-SAME: (%arg0: tensor<?xi8>, %arg1: tensor<i1>) -> tensor<?xi8>
// CHECK: call @callee(%arg0) : (tensor<?xi8>) -> tensor<?xi8>
// CHECK: "dhlo.if"
// CHECK: (tensor<i1>) -> tensor<?xi8>
func.func @flow(%x: tensor<?x!quant.uniform<i8:f32, 0.5>>, %p: tensor<i1>) -> tensor<?x!quant.uniform<i8:f32, 0.5>> {
  %y = call @callee(%x) : (tensor<?x!quant.uniform<i8:f32, 0.5>>) -> tensor<?x!quant.uniform<i8:f32, 0.5>>
  %r = "dhlo.if"(%p) ({
    stablehlo.return %x : tensor<?x!quant.uniform<i8:f32, 0.5>>
  }, {
    stablehlo.return %y : tensor<?x!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<i1>) -> tensor<?x!quant.uniform<i8:f32, 0.5>>
  return %r : tensor<?x!quant.uniform<i8:f32, 0.5>>
}
func.func private @callee(%x: tensor<?x!quant.uniform<i8:f32, 0.5>>) -> tensor<?x!quant.uniform<i8:f32, 0.5>> {
  return %x : tensor<?x!quant.uniform<i8:f32, 0.5>>
}

// CHECK-LABEL: @constant
// CHECK: dhlo.constant dense<[1, 200]> : tensor<2xui8>
func.func @constant() -> tensor<2x!quant.uniform<u8:f32, 0.5>> {
  %c = stablehlo.constant() <{value = dense<[1, 200]> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<u8:f32, 0.5>>
  return %c : tensor<2x!quant.uniform<u8:f32, 0.5>>
}
