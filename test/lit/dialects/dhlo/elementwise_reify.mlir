// RUN: disc-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | filecheck %s

// The size of a result is that of an operand; a static operand decides.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x4xf32>, %[[P:.*]]: tensor<i1>
func.func @elementwise(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>, %p: tensor<i1>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = dhlo.add %x, %y : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  %1 = dhlo.select %p, %x, %0 : tensor<i1>, tensor<?x?xf32>
  %d2 = tensor.dim %1, %c1 : tensor<?x?xf32>
  %2 = dhlo.is_finite %y : (tensor<?x4xf32>) -> tensor<?x4xi1>
  %d3 = tensor.dim %2, %c0 : tensor<?x4xi1>
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[D0:.*]] = tensor.dim %[[X]], %[[C0]]
  // CHECK-DAG: %[[D2:.*]] = tensor.dim %[[X]], %[[C1]]
  // CHECK-DAG: %[[D3:.*]] = tensor.dim %[[Y]], %[[C0]]
  // CHECK: return %[[D0]], %[[C4]], %[[D2]], %[[D3]]
  return %d0, %d1, %d2, %d3 : index, index, index, index
}

// CHECK-LABEL: func.func @tied
// CHECK-SAME: (%{{.*}}: tensor<?xf32>, %[[D:.*]]: index)
// CHECK: return %[[D]], %[[D]]
func.func @tied(%x: tensor<?xf32>, %d: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = dhlo.tie_shape %x, %d : tensor<?xf32>
  %1 = dhlo.negate %0 : tensor<?xf32>
  %d1 = tensor.dim %1, %c0 : tensor<?xf32>
  %2 = dhlo.fusion "loop" (%a = %0 : tensor<?xf32>) -> tensor<?xf32> {
    %e = dhlo.exponential %a : tensor<?xf32>
    %t = dhlo.tie_shape %e, %d : tensor<?xf32>
    dhlo.return %t : tensor<?xf32>
  }
  %d2 = tensor.dim %2, %c0 : tensor<?xf32>
  return %d1, %d2 : index, index
}

// CHECK-LABEL: func.func @from_tensor
// CHECK-SAME: (%[[S:.*]]: tensor<2xindex>)
// CHECK: %[[D:.*]] = tensor.extract %[[S]]
// CHECK: return %[[D]]
func.func @from_tensor(%s: tensor<2xindex>) -> index {
  %c1 = arith.constant 1 : index
  %0 = dhlo.dynamic_iota %s, dim = 0 : (tensor<2xindex>) -> tensor<?x?xf32>
  %d = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d : index
}

// A size of 1 is repeated to the other's.
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?x?xf32>)
func.func @broadcast(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = dhlo.broadcast_add %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  // CHECK-DAG: %[[A:.*]] = tensor.dim %[[X]], %{{.*}}
  // CHECK-DAG: %[[B:.*]] = tensor.dim %[[Y]], %c0
  // CHECK-DAG: %[[C:.*]] = tensor.dim %[[Y]], %c1
  // CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[A]], %c1
  // CHECK: %[[S:.*]] = arith.select %[[ONE]], %[[C]], %[[A]]
  // CHECK: return %[[B]], %[[S]]
  return %d0, %d1 : index, index
}
