// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | filecheck %s --check-prefix=REIFY

//===----------------------------------------------------------------------===//
// Reshape and broadcast
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @reshape
// CHECK: dhlo.reshape %{{.*}} : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
// REIFY-LABEL: func @reshape
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @reshape(%x: tensor<?x4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.reshape %x : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
  %d = tensor.dim %0, %c0 : tensor<?x2x2xf32>
  return %d : index
}

// REIFY-LABEL: func @reshape_collapse
// REIFY-DAG: %[[A:.*]] = tensor.dim %arg0, %c0
// REIFY-DAG: %[[B:.*]] = tensor.dim %arg0, %c1
// REIFY: %[[P:.*]] = arith.muli %[[A]], %[[B]]
// REIFY: return %[[P]]
func.func @reshape_collapse(%x: tensor<?x?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = dhlo.reshape %x : (tensor<?x?x8xf32>) -> tensor<?x8xf32>
  %d = tensor.dim %0, %c0 : tensor<?x8xf32>
  return %d : index
}

// REIFY-LABEL: func @reshape_units
// REIFY-DAG: %[[A:.*]] = tensor.dim %arg0, %c0
// REIFY-DAG: %[[B:.*]] = tensor.dim %arg0, %c2
// REIFY: return %[[A]], %[[B]]
func.func @reshape_units(%x: tensor<?x1x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = dhlo.reshape %x : (tensor<?x1x?xf32>) -> tensor<?x?x1xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x1xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x1xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func @dynamic_reshape
// CHECK: dhlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// REIFY-LABEL: func @dynamic_reshape
// REIFY: %[[E:.*]] = tensor.extract %arg1[%c1]
// REIFY: %[[I:.*]] = arith.index_cast %[[E]] : i32 to index
// REIFY: return %[[I]]
func.func @dynamic_reshape(%x: tensor<?xf32>, %s: tensor<2xi32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d : index
}

// CHECK-LABEL: func @broadcasts
// CHECK: dhlo.broadcast %{{.*}}, sizes = [3] : (tensor<?xf32>) -> tensor<3x?xf32>
// CHECK: dhlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<?xf32>) -> tensor<2x?xf32>
// REIFY-LABEL: func @broadcasts
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]], %[[D]]
func.func @broadcasts(%x: tensor<?xf32>) -> (index, index) {
  %c1 = arith.constant 1 : index
  %0 = stablehlo.broadcast %x, sizes = [3] : (tensor<?xf32>) -> tensor<3x?xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<?xf32>) -> tensor<2x?xf32>
  %d0 = tensor.dim %0, %c1 : tensor<3x?xf32>
  %d1 = tensor.dim %1, %c1 : tensor<2x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func @dynamic_broadcast
// CHECK: dhlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// REIFY-LABEL: func @dynamic_broadcast
// REIFY-SAME: %[[B:[a-z0-9]*]]: index
// REIFY: return %[[B]]
func.func @dynamic_broadcast(%x: tensor<?xf32>, %b: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %s = tensor.from_elements %b, %c4 : tensor<2xindex>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %d = tensor.dim %0, %c0 : tensor<?x?xf32>
  return %d : index
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @order
// CHECK: dhlo.transpose %{{.*}}, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
// CHECK: dhlo.reverse %{{.*}}, dims = [1] : tensor<3x?xf32>
// REIFY-LABEL: func @order
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @order(%x: tensor<?x3xf32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %1 = mhlo.reverse %0, dims = [1] : tensor<3x?xf32>
  %d = tensor.dim %1, %c1 : tensor<3x?xf32>
  return %d : index
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @concatenate
// CHECK: dhlo.concatenate %{{.*}}, %{{.*}}, %{{.*}}, dim = 0 : (tensor<?x2xf32>, tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
// REIFY-LABEL: func @concatenate
// REIFY: %[[A:.*]] = tensor.dim %arg0, %c0
// REIFY: %[[S:.*]] = arith.addi %[[A]], %c3
// REIFY: %[[C:.*]] = tensor.dim %arg2, %c0
// REIFY: %[[T:.*]] = arith.addi %[[S]], %[[C]]
// REIFY: return %[[T]]
func.func @concatenate(%a: tensor<?x2xf32>, %b: tensor<3x2xf32>, %c: tensor<?x2xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<?x2xf32>, tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  %d = tensor.dim %0, %c0 : tensor<?x2xf32>
  return %d : index
}

// CHECK-LABEL: func @pad
// CHECK: dhlo.pad %{{.*}}, %{{.*}}, low = [1, 0], high = [2, -1], interior = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x4xf32>
// REIFY-LABEL: func @pad
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: %[[P:.*]] = arith.addi %[[D]], %c3
// REIFY: return %[[P]]
func.func @pad(%x: tensor<?x3xf32>, %z: tensor<f32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.pad %x, %z, low = [1, 0], high = [2, -1], interior = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x4xf32>
  %d = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %d : index
}

// The gaps of interior padding are one fewer than the elements, and not below 0.
// REIFY-LABEL: func @pad_interior
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: %[[L:.*]] = arith.subi %[[D]], %c1
// REIFY: %[[G:.*]] = arith.maxsi %[[L]], %c0
// REIFY: %[[I:.*]] = arith.muli %[[G]], %c2
// REIFY: %[[P:.*]] = arith.addi %[[D]], %[[I]]
// REIFY: return %[[P]]
func.func @pad_interior(%x: tensor<?xf32>, %z: tensor<f32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = dhlo.pad %x, %z, low = [0], high = [0], interior = [2] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func @dynamic_pad
// CHECK: dhlo.dynamic_pad %{{.*}} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
// REIFY-LABEL: func @dynamic_pad
// REIFY-DAG: tensor.extract %arg2[%c0]
// REIFY-DAG: tensor.extract %arg3[%c0]
// REIFY-DAG: tensor.extract %arg4[%c0]
func.func @dynamic_pad(%x: tensor<?xf32>, %z: tensor<f32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %i: tensor<1xi32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.dynamic_pad %x, %z, %l, %h, %i : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  return %d : index
}

// CHECK-LABEL: func @slices
// CHECK: dhlo.slice %{{.*}} [0:2, 1:8:2] : (tensor<?x8xf32>) -> tensor<2x4xf32>
// CHECK: dhlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [1, 2] : (tensor<?x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
// CHECK: dhlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x8xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<?x8xf32>
// REIFY-LABEL: func @slices
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %{{.*}}, %[[D]]
func.func @slices(%x: tensor<?x8xf32>, %i: tensor<i64>) -> (tensor<2x4xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = stablehlo.slice %x [0:2, 1:8:2] : (tensor<?x8xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<?x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x2xf32>
  %2 = stablehlo.dynamic_update_slice %x, %1, %i, %i : (tensor<?x8xf32>, tensor<1x2xf32>, tensor<i64>, tensor<i64>) -> tensor<?x8xf32>
  %d = tensor.dim %2, %c0 : tensor<?x8xf32>
  return %0, %d : tensor<2x4xf32>, index
}

// CHECK-LABEL: func @real_dynamic_slice
// CHECK: dhlo.real_dynamic_slice %{{.*}} : (tensor<?x4xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x4xf32>
// REIFY-LABEL: func @real_dynamic_slice
// REIFY-SAME: %[[A:[a-z0-9]*]]: index, %[[B:[a-z0-9]*]]: index
// REIFY: %[[D:.*]] = arith.subi %[[B]], %[[A]]
// REIFY: return %[[D]]
func.func @real_dynamic_slice(%x: tensor<?x4xf32>, %a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %s = tensor.from_elements %a, %c0 : tensor<2xindex>
  %l = tensor.from_elements %b, %c4 : tensor<2xindex>
  %one = arith.constant dense<1> : tensor<2xindex>
  %0 = stablehlo.real_dynamic_slice %x, %s, %l, %one : (tensor<?x4xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x4xf32>
  %d = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %d : index
}

// Sizes of a tensor whose sizes are tied are the tied values.
// REIFY-LABEL: func @tied
// REIFY-SAME: %[[N:[a-z0-9]*]]: index
// REIFY: return %[[N]]
func.func @tied(%x: tensor<?x3xf32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = dhlo.tie_shape %x, %n : tensor<?x3xf32>
  %1 = dhlo.transpose %0, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %d = tensor.dim %1, %c1 : tensor<3x?xf32>
  return %d : index
}
