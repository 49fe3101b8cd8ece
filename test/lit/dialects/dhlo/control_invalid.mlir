// RUN: disc-opt %s --split-input-file --verify-diagnostics

func.func @if(%p: tensor<i1>, %x: tensor<3xf32>) {
  // expected-error @+1 {{'dhlo.if' op false branch returns , which do not go with the result types 'tensor<3xf32>'}}
  %0 = "dhlo.if"(%p) ({
    dhlo.return %x : tensor<3xf32>
  }, {
    dhlo.return
  }) : (tensor<i1>) -> tensor<3xf32>
  return
}

// -----

func.func @case(%i: tensor<i32>, %x: tensor<3xf32>) {
  // expected-error @+1 {{'dhlo.case' op branch #0 returns 'tensor<3xf32>', which do not go with the result types 'tensor<4xf32>'}}
  %0 = "dhlo.case"(%i) ({
    dhlo.return %x : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @while(%x: tensor<3xf32>) {
  // expected-error @+1 {{'dhlo.while' op condition must return tensor<i1>, got 'tensor<3xf32>'}}
  %0 = dhlo.while(%a = %x) : tensor<3xf32>
  cond {
    dhlo.return %a : tensor<3xf32>
  } do {
    dhlo.return %a : tensor<3xf32>
  }
  return
}

// -----

func.func @tuple_element(%t: tuple<tensor<f32>>) {
  // expected-error @+1 {{'dhlo.get_tuple_element' op index 1 is out of range for 'tuple<tensor<f32>>'}}
  %0 = dhlo.get_tuple_element %t[1] : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @dimension(%x: tensor<?xf32>) {
  // expected-error @+1 {{'dhlo.get_dimension_size' op `dimension` 1 is not a dimension of 'tensor<?xf32>'}}
  %0 = dhlo.get_dimension_size %x, dim = 1 : (tensor<?xf32>) -> tensor<i32>
  return
}

// -----

func.func @tie(%x: tensor<?x?xf32>, %d: index) {
  // expected-error @+1 {{'dhlo.tie_shape' op needs a size for each of the 2 dynamic dimensions of 'tensor<?x?xf32>', got 1}}
  %0 = dhlo.tie_shape %x, %d : tensor<?x?xf32>
  return
}

// -----

func.func @kind(%x: tensor<?xf32>) {
  // expected-error @+1 {{'dhlo.fusion' op `kind` must be "loop", "row", "scatter", "sort" or "stitch", got "big"}}
  %0 = dhlo.fusion "big" (%a = %x : tensor<?xf32>) -> tensor<?xf32> {
    dhlo.return %a : tensor<?xf32>
  }
  return
}

// -----

func.func @captured(%x: tensor<?xf32>) {
  %0 = dhlo.fusion "loop" (%a = %x : tensor<?xf32>) -> tensor<?xf32> {
    // expected-error @+1 {{'dhlo.negate' op operand #0 is a tensor from outside of the fusion; pass it as an input}}
    %n = dhlo.negate %x : tensor<?xf32>
    dhlo.return %n : tensor<?xf32>
  }
  return
}

// -----

func.func @map(%x: tensor<?xf32>) {
  // expected-error @+1 {{'dhlo.map' op computation argument #0 must have type 'tensor<f32>', got 'tensor<f64>'}}
  %0 = "dhlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%e: tensor<f64>):
    dhlo.return %e : tensor<f64>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @scan_output(%x: tensor<4x3xf32>, %i: tensor<4xf32>) {
  // expected-error @+1 {{body returns 'tensor<4xf32>' for the output of type 'tensor<4xf32>', expected one such value for each position of dimension 1 of the inputs}}
  %0:2 = dhlo.scan(%x) inits (%i) dimension=1 {
  ^bb0(%y: tensor<4xf32>, %s: tensor<4xf32>):
    dhlo.return %y, %s : tensor<4xf32>, tensor<4xf32>
  } : (tensor<4x3xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @scan_sizes(%x: tensor<4xf32>, %y: tensor<2xf32>, %i: tensor<f32>) {
  // expected-error @+1 {{input of type 'tensor<2xf32>' must have the size 4 of the other inputs in dimension 0}}
  %0:2 = dhlo.scan(%x, %y) inits (%i) dimension=0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<f32>):
    dhlo.return %a, %b : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
