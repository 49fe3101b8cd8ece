// RUN: disc-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%a: tensor<3xf32>, %b: tensor<4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'dhlo.add' op operand #1 of type 'tensor<4xf32>' must have the shape of operand #0 of type 'tensor<3xf32>'}}
  %0 = dhlo.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @result_shape(%a: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'dhlo.negate' op inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = dhlo.negate %a : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xf64>) {
  // expected-error @+1 {{'dhlo.add' op operand #1 of type 'tensor<3xf64>' must have the element type of operand #0 of type 'tensor<3xf32>'}}
  %0 = dhlo.add %a, %b : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf32>
  return
}

// -----

func.func @element_kind(%a: tensor<3xi32>) {
  // expected-error @+1 {{'dhlo.exponential' op operand #0 must be ranked tensor of floating point or complex<f32> or complex<f64> or quantized values, but got 'tensor<3xi32>'}}
  %0 = dhlo.exponential %a : tensor<3xi32>
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{'dhlo.negate' op operand #0 must be}}
  %0 = dhlo.negate %a : tensor<*xf32>
  return
}

// -----

func.func @select(%p: tensor<2xi1>, %a: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'dhlo.select' op operand #0 of type 'tensor<2xi1>' must have the shape of operand #1 of type 'tensor<3xf32>'}}
  %0 = dhlo.select %p, %a, %a : tensor<2xi1>, tensor<3xf32>
  return
}

// -----

func.func @clamp(%m: tensor<2xf32>, %a: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'dhlo.clamp' op operand #0 of type 'tensor<2xf32>' must have the shape of operand #1 of type 'tensor<3xf32>'}}
  %0 = dhlo.clamp %m, %a, %m : (tensor<2xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @iota() {
  // expected-error @+1 {{'dhlo.iota' op `iota_dimension` 1 is not a dimension of 'tensor<3xi32>'}}
  %0 = dhlo.iota dim = 1 : tensor<3xi32>
  return
}

// -----

func.func @dynamic_iota() {
  // expected-error @+1 {{'dhlo.iota' op needs a static shape, got 'tensor<?xi32>'; use `dhlo.dynamic_iota`}}
  %0 = dhlo.iota dim = 0 : tensor<?xi32>
  return
}

// -----

func.func @bitcast(%a: tensor<3xf32>) {
  // expected-error @+1 {{'dhlo.bitcast_convert' op result of type 'tensor<3x2xi8>' does not go with the operand of type 'tensor<3xf32>'; the narrower type has a trailing dimension of size 4}}
  %0 = dhlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<3x2xi8>
  return
}

// -----

func.func @convert(%a: tensor<3xf32>) {
  // expected-error @+1 {{'dhlo.convert' op result of type 'tensor<4xi32>' must have the shape of the operand of type 'tensor<3xf32>'}}
  %0 = dhlo.convert %a : (tensor<3xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @types(%a: tensor<3xf32>) {
  // expected-error @+1 {{expected one type, or 2 operand types and a result type, got 3}}
  %0 = dhlo.add %a, %a : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @unknown(%a: tensor<3xf32>) {
  // expected-error @+1 {{op `stablehlo.no_such_op` is not known to dhlo}}
  %0 = stablehlo.no_such_op %a : tensor<3xf32>
  return
}

// -----

func.func @broadcast(%a: tensor<3xf32>, %b: tensor<2x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'dhlo.broadcast_add' op operand #1 of type 'tensor<2x4xf32>' does not broadcast with operand #0 of type 'tensor<3xf32>'}}
  %0 = dhlo.broadcast_add %a, %b : (tensor<3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @top_k(%a: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'dhlo.top_k' op `k` is 4, but the last dimension of 'tensor<3xf32>' has 3 elements}}
  %0:2 = dhlo.top_k(%a, k = 4) : tensor<3xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

// expected-error @+1 {{unknown field `lhs_contract`, expected one of `lhs_batching_dimensions`, `rhs_batching_dimensions`, `lhs_contracting_dimensions`, `rhs_contracting_dimensions`}}
func.func @field() attributes {t.a = #stablehlo.dot<lhs_contract = [0]>} {
  return
}

// -----

// expected-error @+1 {{expected 1 bounds, one for each dimension, got 2}}
func.func @bounds(%a: tensor<?xf32, #stablehlo.bounds<4, 5>>) {
  return
}
