// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-shape-checks,disc-shape-resolve))' %s | filecheck %s

// A broadcast to the operand's own sizes is the operand.
// CHECK-LABEL: @identity_broadcast(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK-NOT: dhlo.dynamic_broadcast_in_dim
// CHECK: dhlo.negate %[[X]]
func.func @identity_broadcast(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %s = tensor.from_elements %d, %c4 : tensor<2xindex>
  %b = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %r = dhlo.negate %b : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: @not_identity
// CHECK: dhlo.dynamic_broadcast_in_dim
func.func @not_identity(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c4 = arith.constant 4 : index
  %s = tensor.from_elements %n, %c4 : tensor<2xindex>
  %b = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}

// The sizes of a result of ops are the sizes of the arguments.
// CHECK-LABEL: @sizes_of_results
// CHECK: %[[D:.*]] = tensor.dim %arg0, %{{.*}}
// CHECK-NOT: tensor.dim
// CHECK: return %[[D]]
func.func @sizes_of_results(%x: tensor<?x4xf32>) -> index {
  %c1 = arith.constant 1 : index
  %a = dhlo.negate %x : tensor<?x4xf32>
  %t = dhlo.transpose %a, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %d = tensor.dim %t, %c1 : tensor<4x?xf32>
  return %d : index
}

// (B * S * 768) / B / S / 64 is 12.
// CHECK-LABEL: @divided_product
// CHECK: dhlo.dynamic_reshape {{.*}} -> tensor<?x?x12x64xf32>
func.func @divided_product(%x: tensor<?x?x768xf32>) -> tensor<?x?x?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : i64
  %c768 = arith.constant 768 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x768xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x768xf32>
  %b64 = arith.index_cast %b : index to i64
  %s64 = arith.index_cast %s : index to i64
  %bs = arith.muli %b, %s : index
  %n = arith.muli %bs, %c768 : index
  %n64 = arith.index_cast %n : index to i64
  %q = arith.divui %n64, %b64 : i64
  %q1 = arith.divui %q, %s64 : i64
  %h64 = arith.divui %q1, %c64 : i64
  %h = arith.index_cast %h64 : i64 to index
  %d = arith.index_cast %c64 : i64 to index
  %shape = tensor.from_elements %b, %s, %h, %d : tensor<4xindex>
  %r = dhlo.dynamic_reshape %x, %shape : (tensor<?x?x768xf32>, tensor<4xindex>) -> tensor<?x?x?x64xf32>
  return %r : tensor<?x?x?x64xf32>
}

// arange(0, n) as frontends spell it, by way of f64.
// CHECK-LABEL: @through_f64
// CHECK: %[[D:.*]] = tensor.dim
// CHECK-NOT: math.ceil
// CHECK: return %[[D]]
func.func @through_f64(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %i = arith.index_cast %d : index to i64
  %f = arith.sitofp %i : i64 to f64
  %q = arith.divf %f, %one : f64
  %c = math.ceil %q : f64
  %n = arith.fptosi %c : f64 to i64
  %r = arith.index_cast %n : i64 to index
  return %r : index
}

// Arguments of elementwise ops have equal sizes from then on; that is checked.
// CHECK-LABEL: @learnt
// CHECK-DAG: %[[A:.*]] = tensor.dim %arg0,
// CHECK-DAG: %[[B:.*]] = tensor.dim %arg1,
// CHECK: %[[E:.*]] = arith.cmpi eq
// CHECK: lmhlo_disc.check %[[E]], "`add` at {{.*}}(%[[B]], %[[A]])
// CHECK: return %{{.*}}, %[[A]]
func.func @learnt(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %s = dhlo.add %a, %b : tensor<?xf32>
  %d = tensor.dim %b, %c0 : tensor<?xf32>
  return %s, %d : tensor<?xf32>, index
}

// Declared by the frontend: no check of our own.
// CHECK-LABEL: @declared
// CHECK-NOT: lmhlo_disc.check
func.func @declared(%a: tensor<?xf32> {disc.dims = ["n"]}, %b: tensor<?xf32> {disc.dims = ["n"]}) -> tensor<?xf32> {
  %s = dhlo.add %a, %b : tensor<?xf32>
  return %s : tensor<?xf32>
}

// A slice up to min(n, 512), added to n elements: n itself, checked.
// CHECK-LABEL: @clamped
// CHECK: lmhlo_disc.check
// CHECK: dhlo.real_dynamic_slice
// CHECK-NOT: dhlo.dynamic_broadcast_in_dim
func.func @clamped(%x: tensor<?xf32>, %table: tensor<512xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.minsi %n, %c512 : index
  %start = tensor.from_elements %c0 : tensor<1xindex>
  %limit = tensor.from_elements %m : tensor<1xindex>
  %stride = tensor.from_elements %c1 : tensor<1xindex>
  %y = dhlo.real_dynamic_slice %table, %start, %limit, %stride : (tensor<512xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  %eq = arith.cmpi eq, %n, %m : index
  %n1 = arith.cmpi eq, %n, %c1 : index
  %m1 = arith.cmpi eq, %m, %c1 : index
  %or = arith.ori %eq, %n1 : i1
  %ok = arith.ori %or, %m1 : i1
  cf.assert %ok, "sizes must be equal or 1"
  %common = arith.select %n1, %m, %n : index
  %shape = tensor.from_elements %common : tensor<1xindex>
  %xb = dhlo.dynamic_broadcast_in_dim %x, %shape, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %yb = dhlo.dynamic_broadcast_in_dim %y, %shape, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %r = dhlo.add %xb, %yb : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @static_forms
// CHECK: dhlo.iota dim = 0 : tensor<6xi32>
// CHECK: dhlo.reshape %{{.*}} -> tensor<2x3xi32>
// CHECK: dhlo.slice %{{.*}} [0:1, 0:3:2]
// CHECK: dhlo.broadcast_in_dim
func.func @static_forms() -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %s6 = tensor.from_elements %c6 : tensor<1xindex>
  %s23 = tensor.from_elements %c2, %c3 : tensor<2xindex>
  %iota = dhlo.dynamic_iota %s6, dim = 0 : (tensor<1xindex>) -> tensor<?xi32>
  %r = dhlo.dynamic_reshape %iota, %s23 : (tensor<?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  %from = tensor.from_elements %c0, %c0 : tensor<2xindex>
  %to = tensor.from_elements %c1, %c3 : tensor<2xindex>
  %by = tensor.from_elements %c1, %c2 : tensor<2xindex>
  %s = dhlo.real_dynamic_slice %r, %from, %to, %by : (tensor<?x?xi32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xi32>
  %s42 = tensor.from_elements %c4, %c2 : tensor<2xindex>
  %b = dhlo.dynamic_broadcast_in_dim %s, %s42, dims = [0, 1] : (tensor<?x?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  return %b : tensor<?x?xi32>
}

// A declared multiple of 8 (8 * s) leaves no remainder, and 2 * s is a quarter.
// CHECK-LABEL: @multiples
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[D:.*]] = tensor.dim %arg0
// CHECK: return %[[ZERO]], %[[D]]
func.func @multiples(%x: tensor<?xf32> {disc.dims = ["8*s"]}) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %r = arith.remui %d, %c8 : index
  %q = arith.divui %d, %c8 : index
  %p = arith.muli %q, %c8 : index
  return %r, %p : index, index
}

// Within its declared bounds a size is not 1: a broadcast of it is a copy.
// CHECK-LABEL: @bounds
// CHECK-NOT: dhlo.dynamic_broadcast_in_dim
// CHECK: return
func.func @bounds(%x: tensor<?xf32> {disc.dims = ["n"]}, %y: tensor<?xf32> {disc.dims = ["n"]}) -> tensor<?xf32>
    attributes {disc.symbols = {n = {min = 2 : i64}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %one = arith.cmpi eq, %n, %c1 : index
  %d = arith.select %one, %c0, %n : index
  %s = tensor.from_elements %d : tensor<1xindex>
  %b = dhlo.dynamic_broadcast_in_dim %y, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: @derived
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @derived(%x: tensor<?xf32> {disc.dims = ["s"]}, %y: tensor<?xf32> {disc.dims = ["2*s"]}) -> tensor<?xf32> {
  %c = dhlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = dhlo.add %c, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}
