// RUN: disc-opt --disc-input-rename --split-input-file --verify-diagnostics --allow-unregistered-dialect %s | filecheck %s

// CHECK-LABEL: module {
// CHECK: func.func @generic(%{{.*}}: tensor<4xf32> {disc.name = "x"}) -> tensor<f32>
// CHECK: dhlo.add
// CHECK: dhlo.reduce
// CHECK: dhlo.transpose
// CHECK-SAME: dims = [1, 0]
module attributes {mhlo.num_replicas = 1 : i32} {
  func.func @generic(%x: tensor<4xf32> {mhlo.sharding = "", disc.name = "x"}) -> (tensor<f32> {jax.result_info = ""}) {
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %a = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %r = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%l: tensor<f32>, %m: tensor<f32>):
      %s = "mhlo.add"(%l, %m) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %m = "mhlo.reshape"(%x) : (tensor<4xf32>) -> tensor<2x2xf32>
    %t = "mhlo.transpose"(%m) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %r : tensor<f32>
  }
}

// -----

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unknown op `stablehlo.frobnicate`}}
  %a = "stablehlo.frobnicate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument #0 of `unranked` has the unranked type 'tensor<*xf32>'; give every tensor a rank}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}
