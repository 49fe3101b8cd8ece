// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-batch-norm))' %s | filecheck %s

// Training: two reductions over all but the feature's dimension; narrow floats in f32.
// CHECK-LABEL: @training

// CHECK: %[[WIDE:.*]] = dhlo.convert %arg0 : (tensor<?x4xbf16>) -> tensor<?x4xf32>
// CHECK: %[[SUM:.*]] = dhlo.reduce(%[[WIDE]] {{.*}} dimensions = [0]
// CHECK: %[[MEAN:.*]] = dhlo.divide %[[SUM]]
// CHECK: dhlo.subtract %[[WIDE]]
// CHECK: dhlo.reduce
// CHECK: dhlo.sqrt
// CHECK: dhlo.convert {{.*}} -> tensor<?x4xbf16>
// CHECK: dhlo.convert %[[MEAN]]
// CHECK-NOT: batch_norm
func.func @training(%x: tensor<?x4xbf16>, %s: tensor<4xbf16>) -> (tensor<?x4xbf16>, tensor<4xbf16>, tensor<4xbf16>) {
  %r:3 = "dhlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0E-3 : f32, feature_index = 1 : i64}> : (tensor<?x4xbf16>, tensor<4xbf16>, tensor<4xbf16>) -> (tensor<?x4xbf16>, tensor<4xbf16>, tensor<4xbf16>)
  return %r#0, %r#1, %r#2 : tensor<?x4xbf16>, tensor<4xbf16>, tensor<4xbf16>
}

// Inference reduces nothing and f64 stays f64.
// CHECK-LABEL: @inference
// CHECK-NOT: dhlo.reduce
// CHECK-NOT: f32
// CHECK: return
func.func @inference(%x: tensor<?x4xf64>, %s: tensor<4xf64>) -> tensor<?x4xf64> {
  %r = "dhlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0E-3 : f32, feature_index = 1 : i64}> : (tensor<?x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<?x4xf64>
  return %r : tensor<?x4xf64>
}
