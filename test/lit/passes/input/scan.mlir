// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-scan))' --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK-LABEL: @sums
// CHECK: %[[W:.*]]:3 = dhlo.while(%[[I:.*]] = %{{.*}}, %[[O:.*]] = %{{.*}}, %[[C:.*]] = %arg1) : tensor<i64>, tensor<?x3xf32>, tensor<3xf32>
// CHECK: dhlo.real_dynamic_slice %arg0
// CHECK: dhlo.add %{{.*}}, %[[C]]
// CHECK: dhlo.dynamic_update_slice %[[O]]
// CHECK: return %[[W]]#1, %[[W]]#2
func.func @sums(%x: tensor<?x3xf32>, %i: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>) {
  %o:2 = chlo.scan(%x) inits (%i) dimension=0 {
  ^bb0(%y: tensor<3xf32>, %s: tensor<3xf32>):
    %n = stablehlo.add %y, %s : tensor<3xf32>
    stablehlo.return %n, %n : tensor<3xf32>, tensor<3xf32>
  } : (tensor<?x3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>)
  return %o#0, %o#1 : tensor<?x3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @backwards
// CHECK: dhlo.subtract %{{.*}}, %{{.*}} : tensor<i64>
// CHECK: dhlo.while
// CHECK: dhlo.dynamic_slice %arg0
func.func @backwards(%x: tensor<2x3xi32>, %i: tensor<2xi32>) -> tensor<2x3xi32> {
  %o:2 = chlo.scan(%x) inits (%i) dimension=1 attributes {is_reverse = true} {
  ^bb0(%y: tensor<2xi32>, %s: tensor<2xi32>):
    %n = stablehlo.add %y, %s : tensor<2xi32>
    stablehlo.return %n, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  return %o#0 : tensor<2x3xi32>
}

// CHECK-LABEL: @not_a_loop
// CHECK-NOT: dhlo.while
// CHECK: return %{{.*}}, %arg1
func.func @not_a_loop(%x: tensor<0x3xi32>, %i: tensor<3xi32>) -> (tensor<0x3xi32>, tensor<3xi32>) {
  %o:2 = chlo.scan(%x) inits (%i) dimension=0 {
  ^bb0(%y: tensor<3xi32>, %s: tensor<3xi32>):
    %n = stablehlo.add %y, %s : tensor<3xi32>
    stablehlo.return %n, %n : tensor<3xi32>, tensor<3xi32>
  } : (tensor<0x3xi32>, tensor<3xi32>) -> (tensor<0x3xi32>, tensor<3xi32>)
  return %o#0, %o#1 : tensor<0x3xi32>, tensor<3xi32>
}
