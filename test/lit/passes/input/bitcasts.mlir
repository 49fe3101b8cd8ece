// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-bitcasts))' %s | filecheck %s

// CHECK-LABEL: @narrower
// CHECK: %[[B:.*]] = dhlo.bitcast_convert %arg0 : (tensor<?xf32>) -> tensor<?xui32>
// CHECK: %[[S:.*]] = dhlo.dynamic_broadcast_in_dim %[[B]]
// CHECK: %[[R:.*]] = dhlo.shift_right_logical %[[S]]
// CHECK: dhlo.convert %[[R]] : (tensor<?x4xui32>) -> tensor<?x4xui8>
func.func @narrower(%x: tensor<?xf32>) -> tensor<?x4xui8> {
  %r = stablehlo.bitcast_convert %x : (tensor<?xf32>) -> tensor<?x4xui8>
  return %r : tensor<?x4xui8>
}

// CHECK-LABEL: @wider
// CHECK: dhlo.shift_left
// CHECK: dhlo.reduce{{.*}} applies dhlo.or across dimensions = [1]
func.func @wider(%x: tensor<?x4xui8>) -> tensor<?xf32> {
  %r = stablehlo.bitcast_convert %x : (tensor<?x4xui8>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// One width: nothing to do.
// CHECK-LABEL: @not_same
// CHECK-NEXT: dhlo.bitcast_convert
// CHECK-NEXT: return
func.func @not_same(%x: tensor<?xf32>) -> tensor<?xi32> {
  %r = stablehlo.bitcast_convert %x : (tensor<?xf32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
