// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-graph-control-flow))' %s | filecheck %s

// CHECK-LABEL: @loop
// CHECK: scf.while (%[[I:.*]] = %arg0) : (tensor<i32>) -> tensor<i32>
// CHECK: %[[C:.*]] = dhlo.compare LT, %[[I]]
// CHECK: %[[V:.*]] = dhlo.convert %[[C]]
// CHECK: %[[E:.*]] = tensor.extract %[[V]][]
// CHECK: %[[B:.*]] = arith.cmpi ne, %[[E]]
// CHECK: scf.condition(%[[B]]) %[[I]]
// CHECK: dhlo.add
// CHECK: scf.yield
// CHECK-NOT: dhlo.while
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }
  return %r : tensor<i32>
}

// CHECK-LABEL: @branch
// CHECK: scf.if
// CHECK-NOT: dhlo.if
func.func @branch(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "dhlo.if"(%p) ({
    %n = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %n : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @switch
// CHECK: scf.index_switch
// CHECK: case 0
// CHECK: default
func.func @switch(%p: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "dhlo.case"(%p) ({
    %n = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %n : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @not_select
// CHECK: dhlo.select
func.func @not_select(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = stablehlo.select %p, %x, %y : tensor<i1>, tensor<2xf32>
  return %r : tensor<2xf32>
}
