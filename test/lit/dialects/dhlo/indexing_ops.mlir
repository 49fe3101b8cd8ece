// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse | filecheck %s --check-prefix=REIFY

// CHECK-LABEL: func @gather
// CHECK: "dhlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #dhlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 768>}>
// REIFY-LABEL: func @gather
// REIFY-DAG: %[[A:.*]] = tensor.dim %arg1, %c0
// REIFY-DAG: %[[B:.*]] = tensor.dim %arg1, %c1
// REIFY: return %[[A]], %[[B]]
func.func @gather(%t: tensor<30522x768xf32>, %i: tensor<?x?x1xi64>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = "dhlo.gather"(%t, %i) <{dimension_numbers = #dhlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 768>}> : (tensor<30522x768xf32>, tensor<?x?x1xi64>) -> tensor<?x?x768xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?x768xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?x768xf32>
  return %d0, %d1 : index, index
}

// Batching dimensions are walked by the positions, not by the slice.
// REIFY-LABEL: func @gather_batch
// REIFY: %[[A:.*]] = tensor.dim %arg1, %c0
// REIFY: return %[[A]]
func.func @gather_batch(%t: tensor<?x8x4xf32>, %i: tensor<?x3x1xi64>) -> index {
  %c0 = arith.constant 0 : index
  %0 = "dhlo.gather"(%t, %i) <{dimension_numbers = #dhlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<?x8x4xf32>, tensor<?x3x1xi64>) -> tensor<?x3x4xf32>
  %d = tensor.dim %0, %c0 : tensor<?x3x4xf32>
  return %d : index
}

// CHECK-LABEL: func @dynamic_gather
// CHECK: "dhlo.dynamic_gather"
// REIFY-LABEL: func @dynamic_gather
// REIFY-DAG: %[[A:.*]] = tensor.dim %arg1, %c0
// REIFY-DAG: %[[E:.*]] = tensor.extract %arg2[%c0]
// REIFY-DAG: %[[S:.*]] = arith.index_cast %[[E]] : i32 to index
// REIFY: return %[[S]], %[[A]]
func.func @dynamic_gather(%t: tensor<?x8xf32>, %i: tensor<?x1xi64>, %s: tensor<2xi32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = "dhlo.dynamic_gather"(%t, %i, %s) <{dimension_numbers = #dhlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>}> : (tensor<?x8xf32>, tensor<?x1xi64>, tensor<2xi32>) -> tensor<?x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func @scatter
// CHECK: "dhlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #dhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}>
// REIFY-LABEL: func @scatter
// REIFY: %[[D:.*]] = tensor.dim %arg0, %c0
// REIFY: return %[[D]]
func.func @scatter(%x: tensor<?x8xf32>, %i: tensor<2x1xi64>, %u: tensor<2x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = "dhlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #dhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = dhlo.add %a, %b : tensor<f32>
    dhlo.return %1 : tensor<f32>
  }) : (tensor<?x8xf32>, tensor<2x1xi64>, tensor<2x8xf32>) -> tensor<?x8xf32>
  %d = tensor.dim %0, %c0 : tensor<?x8xf32>
  return %d : index
}

// CHECK-LABEL: func @torch_index_select
// CHECK: "dhlo.torch_index_select"(%{{.*}}, %{{.*}}) <{batch_dims = 0 : i64, dim = 1 : i64}>
// REIFY-LABEL: func @torch_index_select
// REIFY: %[[D:.*]] = tensor.dim %arg1, %c0
// REIFY: return %[[D]]
func.func @torch_index_select(%x: tensor<4x?x5xf32>, %i: tensor<?xi32>) -> index {
  %c1 = arith.constant 1 : index
  %0 = "dhlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x?x5xf32>, tensor<?xi32>) -> tensor<4x?x5xf32>
  %d = tensor.dim %0, %c1 : tensor<4x?x5xf32>
  return %d : index
}
