// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-shape-checks))' %s | filecheck %s

// Equal sizes of arguments are checked before anything runs.
// CHECK-LABEL: @add
// CHECK-DAG: %[[A:.*]] = tensor.dim %arg0,
// CHECK-DAG: %[[B:.*]] = tensor.dim %arg1,
// CHECK: %[[E:.*]] = arith.cmpi eq
// CHECK: lmhlo_disc.check %[[E]], "`add` at checks.mlir:12:8: dimension 0 of `rhs` is {0}, expected {1} (dimension 0 of `lhs`)"(%[[B]], %[[A]])
// CHECK-NOT: lmhlo_disc.check
// CHECK: dhlo.add
func.func @add(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = dhlo.add %a, %b : tensor<?x4xf32>
  %t = dhlo.multiply %s, %b : tensor<?x4xf32>
  %u = dhlo.add %a, %t : tensor<?x4xf32>
  return %u : tensor<?x4xf32>
}

// Declared by the frontend, and checked at the entry: no check of our own.
// CHECK-LABEL: @declared
// CHECK-NOT: lmhlo_disc.check
func.func @declared(%a: tensor<?xf32> {disc.dims = ["n"]}, %b: tensor<?xf32> {disc.dims = ["n"]}) -> tensor<?xf32> {
  %s = dhlo.add %a, %b : tensor<?xf32>
  return %s : tensor<?xf32>
}

// CHECK-LABEL: @broadcast(
// CHECK-DAG: lmhlo_disc.check %{{.*}}, "`dynamic_broadcast_in_dim` at checks.mlir:{{.*}}: dimension 0 of the result is {0}, expected at least {1}"
// CHECK-DAG: lmhlo_disc.check %{{.*}}, "`dynamic_broadcast_in_dim` at checks.mlir:{{.*}}: dimension 0 of `operand` is {0}, expected 1 or {1} (dimension 0 of the result)"
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @broadcast(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c4 = arith.constant 4 : index
  %s = tensor.from_elements %n, %c4 : tensor<2xindex>
  %b = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %b : tensor<?x4xf32>
}

// x == 1 ? y : x is a size for x without a check; y is checked against x.
// CHECK-LABEL: @broadcast_two
// CHECK: lmhlo_disc.check %{{.*}}, "{{.*}}expected 1 or {1}
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @broadcast_two(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %one = arith.cmpi eq, %n, %c1 : index
  %d = arith.select %one, %m, %n : index
  %s = tensor.from_elements %d : tensor<1xindex>
  %xb = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %yb = dhlo.dynamic_broadcast_in_dim %y, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %r = dhlo.add %xb, %yb : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Sizes that may be 1 by themselves: each operand is checked against those before it, once. The sum of two
// may be 1 where the sum of three is not, so it is not said to be of the same size.
// CHECK-LABEL: @broadcast_chain
// CHECK: lmhlo_disc.check %{{.*}}, "{{.*}}: dimension 0 of `operand` is {0}, expected 1 or {1}
// CHECK: lmhlo_disc.check %{{.*}}, "{{.*}}: dimension 0 of `operand` is {0}, expected 1 or {1}
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @broadcast_chain(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %k = tensor.dim %z, %c0 : tensor<?xf32>
  %n1 = arith.cmpi eq, %n, %c1 : index
  %d = arith.select %n1, %m, %n : index
  %s = tensor.from_elements %d : tensor<1xindex>
  %xb = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %yb = dhlo.dynamic_broadcast_in_dim %y, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %v = dhlo.add %xb, %yb : tensor<?xf32>
  %vd = tensor.dim %v, %c0 : tensor<?xf32>
  %v1 = arith.cmpi eq, %vd, %c1 : index
  %e = arith.select %v1, %k, %vd : index
  %t = tensor.from_elements %e : tensor<1xindex>
  %vb = dhlo.dynamic_broadcast_in_dim %v, %t, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %zb = dhlo.dynamic_broadcast_in_dim %z, %t, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %w = dhlo.add %vb, %zb : tensor<?xf32>
  return %w : tensor<?xf32>
}

// One size of three operands is as good: two checks, none for the first.
// CHECK-LABEL: @broadcast_three
// CHECK: lmhlo_disc.check
// CHECK: lmhlo_disc.check
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @broadcast_three(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %k = tensor.dim %z, %c0 : tensor<?xf32>
  %n1 = arith.cmpi eq, %n, %c1 : index
  %d = arith.select %n1, %m, %n : index
  %d1 = arith.cmpi eq, %d, %c1 : index
  %e = arith.select %d1, %k, %d : index
  %s = tensor.from_elements %e : tensor<1xindex>
  %zb = dhlo.dynamic_broadcast_in_dim %z, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %yb = dhlo.dynamic_broadcast_in_dim %y, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %xb = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %xb, %yb, %zb : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// The same size without another tensor of it: any n will do, and 5 stays 5.
// CHECK-LABEL: @broadcast_select
// CHECK-NOT: lmhlo_disc.check
// CHECK: arith.select
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @broadcast_select(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %one = arith.cmpi eq, %n, %c1 : index
  %d = arith.select %one, %c5, %n : index
  %s = tensor.from_elements %d : tensor<1xindex>
  %xb = dhlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %xb : tensor<?xf32>
}

// a * b * c is (b + c) * (a + b) for some sizes alone.
// CHECK-LABEL: @reshape(
// CHECK: %[[N:.*]] = lmhlo_disc.element_count
// CHECK: lmhlo_disc.check %{{.*}}, "`dynamic_reshape` at checks.mlir:{{.*}}: the number of elements of the result is {0}, expected {1} (the number of elements of `operand`)"(%[[N]],
// CHECK-NOT: lmhlo_disc.check
// CHECK: return
func.func @reshape(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %bc = arith.addi %b, %c : index
  %ab = arith.addi %a, %b : index
  %s = tensor.from_elements %bc, %ab : tensor<2xindex>
  %r = dhlo.dynamic_reshape %x, %s : (tensor<?x?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: @reshape_merges
// CHECK-NOT: lmhlo_disc.check
func.func @reshape_merges(%x: tensor<?x?x768xf32>) -> tensor<?x768xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c768 = arith.constant 768 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x768xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x768xf32>
  %ab = arith.muli %a, %b : index
  %s = tensor.from_elements %ab, %c768 : tensor<2xindex>
  %r = dhlo.dynamic_reshape %x, %s : (tensor<?x?x768xf32>, tensor<2xindex>) -> tensor<?x768xf32>
  return %r : tensor<?x768xf32>
}

// What a type declares and the operands do not show.
// CHECK-LABEL: @declared_results
// CHECK-DAG: "`dynamic_iota` at checks.mlir:{{.*}}: dimension 0 of the result is {0}, expected {1} (its type says so)"
// CHECK-DAG: "`transpose` at checks.mlir:{{.*}}: dimension 0 of the result is {0}, expected {1} (its type says so)"
// CHECK-DAG: "`cast` at checks.mlir:{{.*}}: dimension 0 of the result is {0}, expected {1} (its type says so)"
func.func @declared_results(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<3xi32>, tensor<4x?xf32>, tensor<6xf32>) {
  %s = tensor.from_elements %n : tensor<1xindex>
  %i = dhlo.dynamic_iota %s, dim = 0 : (tensor<1xindex>) -> tensor<3xi32>
  %t = dhlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<4x?xf32>
  %c = tensor.cast %y : tensor<?xf32> to tensor<6xf32>
  return %i, %t, %c : tensor<3xi32>, tensor<4x?xf32>, tensor<6xf32>
}

// CHECK-LABEL: @slices
// CHECK-DAG: "`real_dynamic_slice` at checks.mlir:{{.*}}: the start in dimension 0 is {0}, expected at least {1}"
// CHECK-DAG: "`real_dynamic_slice` at checks.mlir:{{.*}}: the limit in dimension 0 is {0}, expected at least {1} (the start in dimension 0)"
// CHECK-DAG: "`real_dynamic_slice` at checks.mlir:{{.*}}: the limit in dimension 0 is {0}, expected at most {1} (dimension 0 of `operand`)"
// CHECK-DAG: "`dynamic_slice` at checks.mlir:{{.*}}: dimension 0 of `operand` is {0}, expected at least {1} (the slice size in dimension 0)"
func.func @slices(%x: tensor<?xf32>, %a: index, %b: index, %i: tensor<i32>) -> (tensor<?xf32>, tensor<3xf32>) {
  %c1 = arith.constant 1 : index
  %from = tensor.from_elements %a : tensor<1xindex>
  %to = tensor.from_elements %b : tensor<1xindex>
  %by = tensor.from_elements %c1 : tensor<1xindex>
  %s = dhlo.real_dynamic_slice %x, %from, %to, %by : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
  %d = dhlo.dynamic_slice %x, %i, sizes = [3] : (tensor<?xf32>, tensor<i32>) -> tensor<3xf32>
  return %s, %d : tensor<?xf32>, tensor<3xf32>
}

// In a branch the check stands before the op: the branch may not be taken.
// CHECK-LABEL: @branch
// CHECK-NOT: lmhlo_disc.check
// CHECK: scf.if
// CHECK: lmhlo_disc.check
// CHECK-NEXT: dhlo.add
// CHECK-NEXT: dhlo.add
// CHECK: else
// CHECK-NOT: lmhlo_disc.check
func.func @branch(%p: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %p -> tensor<?xf32> {
    %s = dhlo.add %a, %b : tensor<?xf32>
    %t = dhlo.add %s, %b : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @assertion
// CHECK: lmhlo_disc.check %arg0, "must hold
func.func @assertion(%ok: i1) {
  cf.assert %ok, "must hold {sic}"
  return
}

// The sizes of a message are there where the check stands: n, known later, is
// the size of %b by then.
// CHECK-LABEL: @values_dominate
// CHECK: tensor.extract
// CHECK: return
func.func @values_dominate(%n: tensor<i64>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %m = tensor.extract %n[] : tensor<i64>
  %i = arith.index_cast %m : i64 to index
  %s = tensor.from_elements %i : tensor<1xindex>
  %z = dhlo.dynamic_iota %s, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  %x = dhlo.add %z, %a : tensor<?xf32>
  %y = dhlo.add %z, %b : tensor<?xf32>
  return %x, %y : tensor<?xf32>, tensor<?xf32>
}
