// RUN: disc-opt %s | disc-opt | filecheck %s
// RUN: disc-opt %s --mlir-print-op-generic | disc-opt | filecheck %s

// CHECK-LABEL: func.func @control
func.func @control(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<?xf32>) {
  // CHECK: "dhlo.if"(%{{.*}}) ({
  // CHECK: dhlo.return %{{.*}} : tensor<?xf32>
  %0 = "dhlo.if"(%p) ({
    dhlo.return %x : tensor<?xf32>
  }, {
    %n = dhlo.negate %x : tensor<?xf32>
    dhlo.return %n : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  // CHECK: "dhlo.case"(%{{.*}}) ({
  %1 = "dhlo.case"(%i) ({
    dhlo.return %x : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  // CHECK: %{{.*}}:2 = dhlo.while(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : tensor<i32>, tensor<?xf32>
  // CHECK-NEXT: cond {
  // CHECK: dhlo.compare LT, %[[A]], %{{.*}}
  // CHECK: } do {
  // CHECK: dhlo.add %[[B]], %[[B]]
  // CHECK: dhlo.return %[[A]], %{{.*}} : tensor<i32>, tensor<?xf32>
  %2:2 = dhlo.while(%a = %i, %b = %x) : tensor<i32>, tensor<?xf32>
  cond {
    %c = dhlo.compare LT, %a, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    dhlo.return %c : tensor<i1>
  } do {
    %s = dhlo.add %b, %b : tensor<?xf32>
    dhlo.return %a, %s : tensor<i32>, tensor<?xf32>
  }
  // CHECK: dhlo.while()
  // CHECK-SAME: attributes {disc.note}
  dhlo.while() attributes {disc.note}
  cond {
    dhlo.return %p : tensor<i1>
  } do {
    dhlo.return
  }
  // CHECK: "dhlo.map"(%{{.*}}) <{dimensions = array<i64: 0>}> ({
  %3 = "dhlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%e: tensor<f32>):
    dhlo.return %e : tensor<f32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: dhlo.scan(%{{.*}}) inits (%{{.*}}) dimension=0 attributes {is_reverse = true} {
  // CHECK: } : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<i32>)
  %v = dhlo.convert %x : (tensor<?xf32>) -> tensor<?xi32>
  %4:2 = dhlo.scan(%v) inits (%i) dimension=0 attributes {is_reverse = true} {
  ^bb0(%e: tensor<i32>, %c: tensor<i32>):
    dhlo.return %e, %c : tensor<i32>, tensor<i32>
  } : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<i32>)
  return
}

func.func private @f(tensor<?xf32>) -> tensor<?xf32>

// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<?x4xf32>, %i: tensor<i32>) {
  // CHECK: dhlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<?x4xf32>, tensor<i32>>
  %0 = dhlo.tuple %x, %i : tuple<tensor<?x4xf32>, tensor<i32>>
  // CHECK: dhlo.get_tuple_element %{{.*}}[1] : (tuple<tensor<?x4xf32>, tensor<i32>>) -> tensor<i32>
  %1 = dhlo.get_tuple_element %0[1] : (tuple<tensor<?x4xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: dhlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<i32>
  %2:2 = dhlo.optimization_barrier %x, %i : tensor<?x4xf32>, tensor<i32>
  // CHECK: dhlo.optimization_barrier()
  dhlo.optimization_barrier()
  // CHECK: dhlo.custom_call @foo(%{{.*}}, %{{.*}}) {backend_config = "a", has_side_effect = true} : (tensor<?x4xf32>, tensor<i32>) -> (tensor<f32>, tensor<?xf32>)
  %3:2 = dhlo.custom_call @foo(%x, %i) {backend_config = "a", has_side_effect = true} : (tensor<?x4xf32>, tensor<i32>) -> (tensor<f32>, tensor<?xf32>)
  // CHECK: dhlo.custom_call @"a b"()
  dhlo.custom_call @"a b"() {api_version = 4 : i32, backend_config = {x = 1 : i32}} : () -> ()
  // CHECK: dhlo.composite "my.op" %{{.*}} {composite_attributes = {n = 2 : i64}, decomposition = @f, version = 1 : i32} : (tensor<?x4xf32>) -> tensor<?xf32>
  %4 = dhlo.composite "my.op" %x {composite_attributes = {n = 2 : i64}, decomposition = @f, version = 1 : i32} : (tensor<?x4xf32>) -> tensor<?xf32>
  // CHECK: dhlo.get_dimension_size %{{.*}}, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %5 = dhlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  // CHECK: dhlo.set_dimension_size %{{.*}}, %{{.*}}, dim = 1 : (tensor<?x4xf32>, tensor<i32>) -> tensor<?x?xf32>
  %6 = dhlo.set_dimension_size %x, %i, dim = 1 : (tensor<?x4xf32>, tensor<i32>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @ours
func.func @ours(%x: tensor<?x4xf32>, %d: index) -> tensor<?x4xf32> {
  // CHECK: dhlo.tie_shape %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %0 = dhlo.tie_shape %x, %d : tensor<?x4xf32>
  // CHECK: %{{.*}}:2 = dhlo.fusion "row" (%[[A:.*]] = %{{.*}} : tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<f32>) attributes {row_dims = 1 : i64} {
  // CHECK: dhlo.exponential %[[A]]
  // CHECK: dhlo.tie_shape %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %1:2 = dhlo.fusion "row" (%a = %0 : tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<f32>) attributes {row_dims = 1 : i64} {
    %e = dhlo.exponential %a : tensor<?x4xf32>
    %t = dhlo.tie_shape %e, %d : tensor<?x4xf32>
    %c = dhlo.constant dense<0.0> : tensor<f32>
    dhlo.return %t, %c : tensor<?x4xf32>, tensor<f32>
  }
  return %1#0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @distributed
func.func @distributed(%x: tensor<4xf32>, %t: !dhlo.token) {
  // CHECK: dhlo.create_token : !dhlo.token
  %0 = dhlo.create_token : !dhlo.token
  // CHECK: dhlo.after_all %{{.*}}, %{{.*}} : !dhlo.token
  %1 = dhlo.after_all %0, %t : !dhlo.token
  // CHECK: dhlo.partition_id : tensor<ui32>
  %2 = dhlo.partition_id : tensor<ui32>
  // CHECK: dhlo.replica_id : tensor<ui32>
  %3 = dhlo.replica_id : tensor<ui32>
  // CHECK: "dhlo.all_reduce"(%{{.*}}) <{
  %4 = "dhlo.all_reduce"(%x) <{channel_handle = #dhlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = dhlo.add %a, %b : tensor<f32>
    dhlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "dhlo.all_gather"
  %5 = "dhlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK: "dhlo.send"
  %6 = "dhlo.send"(%x, %t) <{channel_handle = #dhlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !dhlo.token) -> !dhlo.token
  // CHECK: "dhlo.outfeed"
  %7 = "dhlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<4xf32>, !dhlo.token) -> !dhlo.token
  return
}
