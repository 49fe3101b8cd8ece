// RUN: disc-opt --disc-pipeline --to=fusion %s | filecheck %s
// A result that nobody reads is written all the same: its size is known too.
// CHECK: dhlo.fusion "sort"
// CHECK: %[[S:.*]]:2 = "dhlo.sort"
// CHECK: dhlo.tie_shape %[[S]]#0
// CHECK: dhlo.tie_shape %[[S]]#1
func.func @main(%x: tensor<?xf32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %0#1 : tensor<?xi32>
}
