// The spellings of frontends parse as dhlo.
// RUN: disc-opt %s | filecheck %s

// CHECK-LABEL: module @jit_main
// CHECK-SAME: mhlo.num_partitions = 1 : i32
module @jit_main attributes {mhlo.num_partitions = 1 : i32, jax.uses_shape_polymorphism = true} {
  // CHECK: func.func @attributes(%{{.*}}: tensor<?xf32> {mhlo.sharding = "", sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
  func.func @attributes(%x: tensor<?xf32> {mhlo.sharding = "", sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
      -> (tensor<?xf32> {jax.result_info = ""}) {
    // CHECK: dhlo.add %{{.*}}, %{{.*}} : tensor<?xf32>
    %0 = stablehlo.add %x, %x : tensor<?xf32>
    // CHECK: dhlo.subtract %{{.*}}, %{{.*}} : tensor<?xf32>
    %1 = mhlo.subtract %0, %x : tensor<?xf32>
    // CHECK: dhlo.erf %{{.*}} : tensor<?xf32>
    %2 = chlo.erf %1 : tensor<?xf32> -> tensor<?xf32>
    // CHECK: dhlo.tan %{{.*}} : tensor<?xf32>
    %3 = chlo.tan %2 : tensor<?xf32> -> tensor<?xf32>
    // CHECK: dhlo.next_after %{{.*}}, %{{.*}} : tensor<?xf32>
    %4 = chlo.next_after %3, %x : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    // CHECK: dhlo.exponential %{{.*}} {result_accuracy = #dhlo.result_accuracy<{{.*}}>} : tensor<?xf32>
    %5 = stablehlo.exponential %4 {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?xf32>
    // CHECK: dhlo.broadcast_compare %{{.*}} {comparison_direction = #dhlo<comparison_direction EQ>}
    %6 = chlo.broadcast_compare %5, %x {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    return %5 : tensor<?xf32>
  }

  // Ops in generic form are renamed by the first pass.
  // CHECK: func.func @generic
  func.func @generic(%x: tensor<?xf32>, %t: !stablehlo.token, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
    // CHECK: "stablehlo.compare"(%{{.*}}, %{{.*}}) <{comparison_direction = #dhlo<comparison_direction LT>}>
    %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    // CHECK: "stablehlo.map"
    // CHECK: dhlo.negate
    // CHECK: dhlo.return
    %1 = "stablehlo.map"(%x) ({
    ^bb0(%e: tensor<f32>):
      %n = stablehlo.negate %e : tensor<f32>
      stablehlo.return %n : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
    // CHECK: dhlo.abs %{{.*}} : tensor<?xf32, #dhlo.bounds<4>>
    %2 = stablehlo.abs %b : tensor<?xf32, #stablehlo.bounds<4>>
    return
  }

  // CHECK: func.func @dimension_numbers
  // CHECK-SAME: #dhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
  // CHECK-SAME: #dhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  // CHECK-SAME: #dhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  // CHECK-SAME: #dhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, f, 1, 0]>
  // CHECK-SAME: #dhlo.channel_handle<handle = 1, type = 2>
  // CHECK-SAME: #dhlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
  // CHECK-SAME: #dhlo<transpose ADJOINT>
  func.func @dimension_numbers() attributes {
    t.a = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>,
    t.b = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    t.c = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    t.d = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, f, 1, 0]>,
    t.e = #stablehlo.channel_handle<handle = 1, type = 2>,
    t.f = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>,
    t.g = #stablehlo<transpose ADJOINT>} {
    return
  }
}
