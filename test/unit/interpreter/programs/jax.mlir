// shape_assertion
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %c = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %n, %m) {api_version = 2 : i32, error_message = "{0} is not {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %r = stablehlo.add %x, %y : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
// -----
// dynamic_reduce_window_cumulative
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %w0 = stablehlo.constant dense<1> : tensor<1xi32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %w1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %less = stablehlo.subtract %w1, %w0 : tensor<1xi32>
  %w = stablehlo.concatenate %w0, %w1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %q = stablehlo.concatenate %zero, %less, dim = 0 : (tensor<3xi32>, tensor<1xi32>) -> tensor<4xi32>
  %p = stablehlo.reshape %q : (tensor<4xi32>) -> tensor<2x2xi32>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %i, %w, %one, %one, %one, %p) {called_computations = [@reducer]} : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func private @reducer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// dynamic_reduce_window_slides
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %w = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %odd = stablehlo.remainder %n, %two : tensor<i32>
  %odd1 = stablehlo.reshape %odd : (tensor<i32>) -> tensor<1xi32>
  %q = stablehlo.concatenate %zero, %odd1, dim = 0 : (tensor<3xi32>, tensor<1xi32>) -> tensor<4xi32>
  %p = stablehlo.reshape %q : (tensor<4xi32>) -> tensor<2x2xi32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %y, %i, %i, %w, %w, %w, %one, %p) {called_computations = [@reducer]} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
func.func private @reducer(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.add %a, %c : tensor<f32>
  %1 = stablehlo.maximum %b, %d : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
