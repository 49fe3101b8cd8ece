// RUN: disc-opt --disc-input-tuples --split-input-file %s | filecheck %s

// CHECK-LABEL: func.func @boundary
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<i1>, %[[C:.*]]: tensor<2xi32>) -> (tensor<?xf32>, tensor<2xi32>)
// CHECK-NOT: tuple
// CHECK: return %[[A]], %[[C]]
func.func @boundary(%t: tuple<tensor<?xf32>, tuple<tensor<i1>>>, %c: tensor<2xi32>) -> tuple<tensor<?xf32>, tensor<2xi32>> {
  %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xf32>, tuple<tensor<i1>>>) -> tensor<?xf32>
  %r = stablehlo.tuple %a, %c : tuple<tensor<?xf32>, tensor<2xi32>>
  return %r : tuple<tensor<?xf32>, tensor<2xi32>>
}

// -----

// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%{{.*}}: tensor<f32>, %[[B:.*]]: tensor<i1>)
// CHECK: return %[[B]] : tensor<i1>
func.func @nested(%t: tuple<tensor<f32>, tuple<tensor<i1>>>) -> tensor<i1> {
  %u = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tuple<tensor<i1>>>) -> tuple<tensor<i1>>
  %b = stablehlo.get_tuple_element %u[0] : (tuple<tensor<i1>>) -> tensor<i1>
  return %b : tensor<i1>
}

// -----

// CHECK-LABEL: func.func @loop
// CHECK: %[[W:.*]]:2 = dhlo.while(%{{.*}} = %arg0, %{{.*}} = %arg1) : tensor<i32>, tensor<f32>
// CHECK-NOT: token
// CHECK: return %[[W]]#0, %[[W]]#1
func.func @loop(%i: tensor<i32>, %x: tensor<f32>, %n: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  %k = stablehlo.create_token : !stablehlo.token
  %t = stablehlo.tuple %i, %x : tuple<tensor<i32>, tensor<f32>>
  %w:2 = stablehlo.while(%s = %t, %l = %k) : tuple<tensor<i32>, tensor<f32>>, !stablehlo.token
    cond {
      %j = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
      %c = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.get_tuple_element %s[0] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
      %y = stablehlo.get_tuple_element %s[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
      %m = stablehlo.add %j, %j : tensor<i32>
      %u = stablehlo.tuple %m, %y : tuple<tensor<i32>, tensor<f32>>
      %o = stablehlo.after_all %l, %l : !stablehlo.token
      stablehlo.return %u, %o : tuple<tensor<i32>, tensor<f32>>, !stablehlo.token
    }
  %a = stablehlo.get_tuple_element %w#0[0] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<i32>
  %b = stablehlo.get_tuple_element %w#0[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  return %a, %b : tensor<i32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @branch
// CHECK: "dhlo.if"(%arg1)
// CHECK: dhlo.return %arg0 : tensor<?xf32>
// CHECK: -> tensor<?xf32>
func.func @branch(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %k = stablehlo.create_token : !stablehlo.token
  %r:2 = "dhlo.if"(%p) ({
    stablehlo.return %x, %k : tensor<?xf32>, !stablehlo.token
  }, {
    stablehlo.return %x, %k : tensor<?xf32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<?xf32>, !stablehlo.token)
  return %r#0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @barrier
// CHECK-NEXT: %[[C:.*]] = tensor.cast %arg1 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %arg0, %[[C]]
func.func @barrier(%x: tensor<?xf32>, %y: tensor<4xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %k = stablehlo.create_token : !stablehlo.token
  %r:3 = "dhlo.optimization_barrier"(%x, %k, %y) : (tensor<?xf32>, !stablehlo.token, tensor<4xf32>) -> (tensor<?xf32>, !stablehlo.token, tensor<?xf32>)
  return %r#0, %r#2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @calls
// CHECK: %[[R:.*]]:2 = call @callee(%arg0, %arg1) : (tensor<f32>, tensor<i1>) -> (tensor<i1>, tensor<f32>)
// CHECK: return %[[R]]#1
func.func @calls(%x: tensor<f32>, %y: tensor<i1>) -> tensor<f32> {
  %t = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i1>>
  %r = call @callee(%t) : (tuple<tensor<f32>, tensor<i1>>) -> tuple<tensor<i1>, tensor<f32>>
  %f = stablehlo.get_tuple_element %r[1] : (tuple<tensor<i1>, tensor<f32>>) -> tensor<f32>
  return %f : tensor<f32>
}
func.func private @callee(%t: tuple<tensor<f32>, tensor<i1>>) -> tuple<tensor<i1>, tensor<f32>> {
  %x = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i1>>) -> tensor<f32>
  %y = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i1>>) -> tensor<i1>
  %r = stablehlo.tuple %y, %x : tuple<tensor<i1>, tensor<f32>>
  return %r : tuple<tensor<i1>, tensor<f32>>
}

// -----

// What has no tuple and no token stays as it is, attributes of arguments too.
// CHECK-LABEL: func.func @not_tuples
// CHECK-SAME: %arg0: tensor<?xf32> {disc.name = "x"}
// CHECK-NEXT: dhlo.add
// CHECK-NEXT: return
func.func @not_tuples(%x: tensor<?xf32> {disc.name = "x"}) -> tensor<?xf32> {
  %r = stablehlo.add %x, %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
