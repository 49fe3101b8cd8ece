// transposes
func.func @main(%x: tensor<?x2x?xf32>) -> tensor<2x?x?xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<?x2x?xf32>) -> tensor<?x?x2xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<?x?x2xf32>) -> tensor<2x?x?xf32>
  %2 = stablehlo.reverse %1, dims = [0, 2] : tensor<2x?x?xf32>
  return %2 : tensor<2x?x?xf32>
}
// -----
// flatten
func.func @main(%x: tensor<?x2x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.reshape %x : (tensor<?x2x4xf32>) -> tensor<?x8xf32>
  %1 = stablehlo.negate %0 : tensor<?x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<?x8xf32>) -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
// -----
// dynamic_reshape
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %x, %c0 : tensor<?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n = arith.muli %a, %b : index
  %s = tensor.from_elements %n, %c1 : tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// concatenate
func.func @main(%x: tensor<?x4xf32>, %y: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.concatenate %x, %y, %x, dim = 0 : (tensor<?x4xf32>, tensor<2x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.abs %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
// -----
// slices
func.func @main(%x: tensor<?x8xf32>) -> (tensor<?x3xf32>, tensor<?x5xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c6 = stablehlo.constant dense<6> : tensor<i32>
  %lo = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %st = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %e = stablehlo.reshape %c6 : (tensor<i32>) -> tensor<1xi32>
  %hi = stablehlo.concatenate %n1, %e, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %lo, %hi, %st : (tensor<?x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf32>
  %p = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %q = stablehlo.constant dense<[0, -3]> : tensor<2xi32>
  %zero = stablehlo.constant dense<1.5> : tensor<f32>
  %1 = stablehlo.dynamic_pad %x, %zero, %p, %q, %p : (tensor<?x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x5xf32>
  return %0, %1 : tensor<?x3xf32>, tensor<?x5xf32>
}
// -----
// pad
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %z = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.pad %x, %z, low = [1, -1], high = [2, 2], interior = [0, 1] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}
// -----
// dynamic_slices
func.func @main(%x: tensor<4x?xi32>, %u: tensor<1x?xi32>, %i: tensor<i32>) -> (tensor<4x?xi32>, tensor<2x1xi32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %c0 : (tensor<4x?xi32>, tensor<1x?xi32>, tensor<i32>, tensor<i32>) -> tensor<4x?xi32>
  %k = stablehlo.constant dense<7> : tensor<4x1xi32>
  %1 = stablehlo.dynamic_slice %k, %i, %c0, sizes = [2, 1] : (tensor<4x1xi32>, tensor<i32>, tensor<i32>) -> tensor<2x1xi32>
  return %0, %1 : tensor<4x?xi32>, tensor<2x1xi32>
}
// -----
// embedding
func.func @main(%table: tensor<5x4xf32>, %ids: tensor<?x?xi32>) -> tensor<?x?x4xf32> {
  %0 = "stablehlo.gather"(%table, %ids) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>} : (tensor<5x4xf32>, tensor<?x?xi32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}
// -----
// index_select
func.func @main(%x: tensor<4x?xf32>, %ids: tensor<?xi32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %ids) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<4x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// scatter_add
func.func @main(%x: tensor<5x?xf32>, %ids: tensor<?x1xi32>, %u: tensor<?x?xf32>) -> tensor<5x?xf32> {
  %0 = "stablehlo.scatter"(%x, %ids, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<5x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}
// -----
// iota
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?xi32>, tensor<3x2xf32>) {
  %s = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi32>
  %1 = stablehlo.iota dim = 0 : tensor<3x2xf32>
  return %0, %1 : tensor<?x?xi32>, tensor<3x2xf32>
}
// -----
// broadcasts
func.func @main(%x: tensor<?xf32>) -> tensor<2x?x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<?xf32>) -> tensor<2x?x3xf32>
  %1 = stablehlo.add %0, %0 : tensor<2x?x3xf32>
  return %1 : tensor<2x?x3xf32>
}
// -----
// bitcast
func.func @main(%x: tensor<?xf32>) -> (tensor<?xi32>, tensor<?x4xi8>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<?xf32>) -> tensor<?xi32>
  %1 = stablehlo.bitcast_convert %x : (tensor<?xf32>) -> tensor<?x4xi8>
  return %0, %1 : tensor<?xi32>, tensor<?x4xi8>
}
