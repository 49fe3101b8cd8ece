// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-shape-scalars))' --split-input-file --verify-diagnostics %s | filecheck %s
// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-shape-scalars,canonicalize))' --split-input-file --verify-diagnostics %s | filecheck %s --check-prefix=FOLDED

// `{i}` is a value where there is one; other braces are text.
// CHECK-LABEL: @equal
// CHECK: %[[X:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[C:.*]] = arith.cmpi eq, %[[X]], %{{.*}} : i32
// CHECK: lmhlo_disc.check %[[C]], "`n` is {0}, expected {1}; {{.*}}2}, {{.*}}a}, {{.*}}b"(%{{.*}}, %{{.*}})
// CHECK-NOT: custom_call
func.func @equal(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %c = stablehlo.compare EQ, %n, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c, %n, %m) {api_version = 2 : i32, error_message = "`n` is {0}, expected {1}; {2}, {a}, {{b", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}

// -----

// FOLDED-LABEL: @holds
// FOLDED-NOT: lmhlo_disc.check
// FOLDED: return
func.func @holds(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %c = stablehlo.compare EQ, %n, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%c) {error_message = "four", has_side_effect = true} : (tensor<i1>) -> ()
  return %x : tensor<4xf32>
}

// -----

func.func @no_message(%c: tensor<i1>) {
  // expected-error @+1 {{`shape_assertion` expects an i1 and integers, an attribute `error_message`, and no results}}
  stablehlo.custom_call @shape_assertion(%c) {has_side_effect = true} : (tensor<i1>) -> ()
  return
}

// -----

func.func @not_a_size(%c: tensor<i1>, %x: tensor<f32>) {
  // expected-error @+1 {{`shape_assertion` tells of a value of type 'tensor<f32>'; expected an integer}}
  stablehlo.custom_call @shape_assertion(%c, %x) {error_message = "m", has_side_effect = true} : (tensor<i1>, tensor<f32>) -> ()
  return
}
