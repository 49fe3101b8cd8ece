// RUN: disc-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(func.func(disc-bufferize-to-destinations))"

func.func @unknown_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{custom call `foo` is unknown}}
  %0 = dhlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @text_attribute(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute `mode` of custom call `foo` is "fast"; expected integers that fit 64 bits, booleans, floats or arrays of them}}
  %0 = dhlo.custom_call @foo(%x) {disc.library, api_version = 4 : i32, backend_config = {mode = "fast"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_fusion(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{`dhlo.exponential` is in no fusion and has no form with a destination}}
  %0 = dhlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @transposed(%x: tensor<8x2x3xf32>, %w: tensor<2x8x4xf32>) -> tensor<2x3x4xf32> {
  // expected-error @+1 {{operands would have to be transposed for a library product}}
  %0 = dhlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<8x2x3xf32>, tensor<2x8x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

func.func @sizes_of_a_library_function(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{nobody knows the sizes of result #0 of type 'tensor<?xf32>': say them with `dhlo.tie_shape` behind the call}}
  %0 = dhlo.custom_call @vendor.add(%x) {disc.library} : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
