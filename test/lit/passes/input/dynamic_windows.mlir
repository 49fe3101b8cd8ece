// RUN: disc-opt --disc-input-dynamic-windows --split-input-file --verify-diagnostics %s | filecheck %s

// A window of known sizes slides over an operand that is padded before it.
// CHECK-LABEL: @slides
// CHECK: %[[P:.*]] = dhlo.dynamic_pad %arg0, %arg1, %{{.*}} -> tensor<?x?xf32>
// CHECK: "dhlo.reduce_window"(%[[P]], %arg1) <{window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}>
// CHECK: dhlo.maximum
// CHECK-NOT: dhlo.custom_call
// CHECK-NOT: @reducer
module {
  func.func @slides(%x: tensor<?x?xf32>, %i: tensor<f32>, %p: tensor<i32>) -> tensor<?x?xf32> {
    %w = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %one = stablehlo.constant dense<1> : tensor<2xi32>
    %zero = stablehlo.constant dense<0> : tensor<3xi32>
    %p1 = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
    %q = stablehlo.concatenate %zero, %p1, dim = 0 : (tensor<3xi32>, tensor<1xi32>) -> tensor<4xi32>
    %pads = stablehlo.reshape %q : (tensor<4xi32>) -> tensor<2x2xi32>
    %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %w, %w, %one, %one, %pads)
        {called_computations = [@reducer]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
    return %r : tensor<?x?xf32>
  }
  func.func private @reducer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.maximum %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

// A window of the whole dimension: doubling steps, behind checks that it is one.
// CHECK-LABEL: @accumulates
// CHECK: lmhlo_disc.check %{{.*}}, "`dynamic_reduce_window` at dynamic_windows.mlir:{{.*}}: dimension 0: expected a window of its whole size {0}, got {1}"
// CHECK: lmhlo_disc.check %{{.*}}, "`dynamic_reduce_window` at dynamic_windows.mlir:{{.*}}: dimension 0: expected a padding of its size less one, {0}, got {1}"
// CHECK: dhlo.while
// CHECK: %[[B:.*]] = dhlo.dynamic_pad %[[S:.*]], %cst
// CHECK: dhlo.add %[[B]], %[[S]] : tensor<?x4xf32>
module {
  func.func @accumulates(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %i = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.constant dense<1> : tensor<1xi32>
    %less = stablehlo.subtract %n1, %1 : tensor<1xi32>
    %w = stablehlo.concatenate %n1, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %one = stablehlo.constant dense<1> : tensor<2xi32>
    %zero = stablehlo.constant dense<0> : tensor<3xi32>
    %q = stablehlo.concatenate %less, %zero, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
    %pads = stablehlo.reshape %q : (tensor<4xi32>) -> tensor<2x2xi32>
    %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %w, %one, %one, %one, %pads)
        {called_computations = [@reducer]} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x4xf32>
    return %r : tensor<?x4xf32>
  }
  func.func private @reducer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

module {
  func.func @strides(%x: tensor<?xf32>, %i: tensor<f32>, %w: tensor<1xi32>) -> tensor<?xf32> {
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %two = stablehlo.constant dense<2> : tensor<1xi32>
    %pads = stablehlo.constant dense<0> : tensor<1x2xi32>
    // expected-error @+1 {{has a window whose size is not known at compile time, with strides or dilations other than 1}}
    %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %w, %two, %one, %one, %pads)
        {called_computations = [@reducer]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
  func.func private @reducer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %a, %b : tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

func.func @no_reducer(%x: tensor<?xf32>, %i: tensor<f32>, %w: tensor<1xi32>, %p: tensor<1x2xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected in `called_computations` one function of 2 scalars with 1 results}}
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %w, %w, %w, %w, %p) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @few_operands(%x: tensor<?xf32>, %i: tensor<f32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected for each of 1 results an input and an initial value, then window, strides, base dilations, window dilations and padding; got 2 operands}}
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Other calls stay.
// CHECK-LABEL: @other
// CHECK: dhlo.custom_call @other
func.func @other(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.custom_call @other(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
