// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse | filecheck %s

// Three loops a row; the exponential is computed once and waits in the worker's scratch, rows of which are whole cache lines. Short rows
// go four at a time first.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[LINES:.*]] = arith.divui %{{.*}}, %c64
// CHECK: %[[STRIDE:.*]] = arith.muli %[[LINES]], %c64
// CHECK: %[[LONG:.*]] = arith.cmpi sgt, %{{.*}}, %c512
// CHECK: %[[ROWS:.*]] = arith.select %[[LONG]], %c1, %c4
// CHECK: %[[OWN:.*]] = arith.muli %[[STRIDE]], %[[ROWS]]
// What two workers write lies two pages apart.
// CHECK: %[[W:.*]] = lmhlo_disc.workers
// CHECK: %[[APART:.*]] = arith.addi %[[OWN]], %c2048
// CHECK: %[[ROOM:.*]] = arith.muli %[[W]], %[[APART]]
// CHECK: memref.alloc(%[[ROOM]]) : memref<?xf32>
// CHECK: lmhlo_disc.launch @kernel_row_0(%{{.*}}) range(%[[N:.*]]) grain(
// CHECK-LABEL: func.func private @kernel_row_0
// CHECK-SAME: %[[LO:[a-z0-9]*]]: index, %[[HI:[a-z0-9]*]]: index, %{{[a-z0-9]*}}: index) attributes {disc.parallel, disc.rows_together} {
// Of large results, rows of more than 256 elements go in pairs.
// CHECK: %[[SMALL:.*]] = arith.cmpi slt, %{{.*}}, %c2097152
// CHECK: %[[MOST:.*]] = arith.select %[[SMALL]], %c512, %c256
// CHECK: %[[LONG:.*]] = arith.cmpi slt, %[[MOST]], %{{.*}}
// CHECK: %[[FOURS:.*]] = arith.select %[[LONG]], %c0, %{{.*}}
// CHECK: %[[END:.*]] = arith.addi %[[LO]], %[[FOURS]]
// CHECK: %[[LONGER:.*]] = arith.cmpi sgt, %{{.*}}, %c512
// CHECK: %[[TWOS:.*]] = arith.select %[[LONGER]], %c0, %{{.*}}
// CHECK: %[[PAIRS:.*]] = arith.addi %[[END]], %[[TWOS]]
// The first rows' maxima come before the loop over rows, the next ones' before the last loop of these.
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LO]], %[[END]]
// CHECK: %[[FIRST:.*]]:4 = scf.if %[[ANY]] -> (f32, f32, f32, f32) {
// CHECK: memref.load %[[IN:.*]][%[[LO]], %
// CHECK-COUNT-4: arith.maximumf
// CHECK: scf.for %[[A:[a-z0-9]+]] = %[[LO]] to %[[END]] step %c4 iter_args(%[[MAX:[a-z0-9]+]] = %[[FIRST]]#0,
// CHECK: %[[B:.*]] = arith.addi %[[A]], %c1
// Those that come after the next ones are asked for meanwhile, and the places of these rows' results.
// CHECK: %[[SUM:.*]]:4 = scf.for %[[J:[a-z0-9]+]] = {{.*}} -> (f32, f32, f32, f32) {
// CHECK: %[[NEXT:.*]] = arith.addi %[[A]], %c8
// CHECK-NEXT: memref.prefetch %[[IN]][%[[NEXT]], %[[J]]], read, locality<3>, data
// CHECK-COUNT-3: memref.prefetch %[[IN]][{{.*}}, read
// CHECK: memref.prefetch %{{.*}}[%[[A]], %[[J]]], write
// CHECK-COUNT-3: memref.prefetch {{.*}}, write
// CHECK: arith.subf %{{.*}}, %[[MAX]]
// CHECK-COUNT-4: memref.store
// CHECK-COUNT-4: arith.addf {{.*}} fastmath<reassoc>
// CHECK: %[[THEN:.*]] = arith.addi %[[A]], %c4
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[THEN]], %[[END]]
// CHECK: %[[NEXT:.*]]:4 = scf.if %[[MORE]] -> (f32, f32, f32, f32) {
// CHECK: memref.load %[[IN]][%[[THEN]], %
// CHECK-COUNT-4: arith.maximumf
// CHECK: scf.for
// CHECK: arith.divf %{{.*}}, %[[SUM]]#0
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[A]], %{{.*}}]
// CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[B]], %{{.*}}]
// CHECK: scf.yield %[[NEXT]]#0, %[[NEXT]]#1
// A pair's maxima are its own.
// CHECK: scf.for %[[A:[a-z0-9]+]] = %[[END]] to %[[PAIRS]] step %c2 {
// CHECK: %[[MAX:.*]]:2 = scf.for
// CHECK-COUNT-2: arith.maximumf
// CHECK: %[[NEXT:.*]] = arith.addi %[[A]], %c2
// CHECK-NEXT: memref.prefetch %[[IN]][%[[NEXT]], %{{.*}}], read, locality<3>, data
// CHECK: arith.subf %{{.*}}, %[[MAX]]#0
// CHECK: %[[FIRST:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK: scf.for %[[ROW:.*]] = %[[PAIRS]] to %[[HI]] step %c1 iter_args(%[[MAX:.*]] = %[[FIRST]])
// CHECK-NOT: memref.prefetch {{.*}}, write
// CHECK: %[[SUM:.*]] = scf.for %[[J:.*]] = %c0 to %{{.*}} iter_args(%[[A:.*]] = %cst
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[ROW]], %[[J]]]
// CHECK: arith.subf %[[X]], %[[MAX]]
// CHECK: %[[AT:.*]] = arith.addi %{{.*}}, %[[J]]
// CHECK: memref.store %[[E:.*]], %[[KEPT:.*]][%[[AT]]]
// CHECK: arith.addf %[[A]], %[[E]] fastmath<reassoc>
// CHECK: arith.maximumf
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK-NEXT: %[[AT:.*]] = arith.addi %{{.*}}, %[[J]]
// CHECK-NEXT: %[[K:.*]] = memref.load %[[KEPT]][%[[AT]]]
// CHECK-NEXT: %[[R:.*]] = arith.divf %[[K]], %[[SUM]]
// CHECK-NEXT: memref.store %[[R]], %{{.*}}[%[[ROW]], %[[J]]]
func.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%arg: tensor<?x?xf32>):
    %a = dhlo.tie_shape %arg, %n, %m : tensor<?x?xf32>
    %zero = dhlo.constant dense<0.0> : tensor<f32>
    %low = dhlo.constant dense<0xFF800000> : tensor<f32>
    %s = tensor.from_elements %n, %m : tensor<2xindex>
    %max = dhlo.reduce(%a init: %low) applies dhlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %mb = dhlo.dynamic_broadcast_in_dim %max, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %mt = dhlo.tie_shape %mb, %n, %m : tensor<?x?xf32>
    %c = dhlo.subtract %a, %mt : tensor<?x?xf32>
    %e = dhlo.exponential %c : tensor<?x?xf32>
    %et = dhlo.tie_shape %e, %n, %m : tensor<?x?xf32>
    %sum = dhlo.reduce(%et init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %sb = dhlo.dynamic_broadcast_in_dim %sum, %s, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %st = dhlo.tie_shape %sb, %n, %m : tensor<?x?xf32>
    %r = dhlo.divide %et, %st : tensor<?x?xf32>
    %rt = dhlo.tie_shape %r, %n, %m : tensor<?x?xf32>
    lmhlo_disc.yield %rt : tensor<?x?xf32>
  }
  return
}

// -----

// Sums that do not need each other share a loop; results may be one a row.
// Rows that are known to be long go one at a time.
// CHECK-LABEL: func.func private @kernel_row_0
// CHECK: scf.for %[[ROW:.*]] = %
// CHECK: %[[S:.*]]:2 = scf.for {{.*}} -> (f32, f32)
// CHECK: }
// CHECK-NOT: scf.for
// CHECK: memref.store %[[S]]#0, %{{.*}}[%[[ROW]]]
// CHECK: memref.store %[[S]]#1, %{{.*}}[%[[ROW]], %c0]
func.func @moments(%x: memref<?x768xf32>, %y: memref<?xf32>, %z: memref<?x1xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x768xf32>) outs(%y, %z : memref<?xf32>, memref<?x1xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x768xf32>):
    %zero = dhlo.constant dense<0.0> : tensor<f32>
    %q = dhlo.multiply %a, %a : tensor<?x768xf32>
    %s = dhlo.reduce(%a init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %t = dhlo.reduce(%q init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x768xf32>, tensor<f32>) -> tensor<?xf32>
    %u = dhlo.reshape %t : (tensor<?xf32>) -> tensor<?x1xf32>
    lmhlo_disc.yield %s, %u : tensor<?xf32>, tensor<?x1xf32>
  }
  return
}

// -----

// Of several dimensions, rows have numbers: nothing is divided to find one. A value of the row still has an index of its own. What the first
// loop keeps for others would be overwritten ahead of its time.
// CHECK-LABEL: func.func private @kernel_row_0
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x768xf32>, %[[R:[a-z0-9]*]]: memref<?x?xf32>, %[[Y:[a-z0-9]*]]: memref<?x768xf32>
// CHECK-NOT: scf.if
// CHECK: scf.for %[[ROW:[a-z0-9]*]] = %{{.*}} to %{{.*}} step %c1 iter_args(%[[I:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}})
// CHECK: memref.load %[[X]][%[[ROW]], %{{.*}}]
// CHECK: memref.load %[[R]][%[[I]], %[[J]]]
// CHECK: memref.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}]
func.func @matrix(%x: memref<?x?x768xf32>, %r: memref<?x?xf32>, %y: memref<?x?x768xf32>) {
  lmhlo_disc.fusion ins(%x, %r : memref<?x?x768xf32>, memref<?x?xf32>) outs(%y : memref<?x?x768xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x?x768xf32>, %s: tensor<?x?xf32>):
    %zero = dhlo.constant dense<0.0> : tensor<f32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c768 = arith.constant 768 : index
    %n = tensor.dim %a, %c0 : tensor<?x?x768xf32>
    %m = tensor.dim %a, %c1 : tensor<?x?x768xf32>
    %shape = tensor.from_elements %n, %m, %c768 : tensor<3xindex>
    %e = dhlo.exponential %a : tensor<?x?x768xf32>
    %t = dhlo.reduce(%e init: %zero) applies dhlo.add across dimensions = [2] : (tensor<?x?x768xf32>, tensor<f32>) -> tensor<?x?xf32>
    %s1 = dhlo.tie_shape %s, %n, %m : tensor<?x?xf32>
    %u = dhlo.multiply %t, %s1 : tensor<?x?xf32>
    %b = dhlo.dynamic_broadcast_in_dim %u, %shape, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x768xf32>
    %q = dhlo.multiply %e, %b : tensor<?x?x768xf32>
    lmhlo_disc.yield %q : tensor<?x?x768xf32>
  }
  return
}

// -----

// Each worker has four rows of the scratch buffer, and 2048 elements lie between them and the next worker's.
// CHECK-LABEL: func.func @scratch
// CHECK: %[[W:.*]] = lmhlo_disc.workers
// CHECK: %[[N:.*]] = arith.muli %[[W]], %c2304
// CHECK: %[[BUFFER:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: lmhlo_disc.launch @kernel_row_0
// CHECK: memref.dealloc %[[BUFFER]]
// CHECK-LABEL: func.func private @kernel_row_0
// CHECK-SAME: %[[WORKER:[a-z0-9]*]]: index) attributes {disc.parallel, disc.rows_together} {
// CHECK: %[[OWN:.*]] = arith.muli %[[WORKER]], %c2304
// CHECK: arith.addi %[[OWN]], %c64
func.func @scratch(%x: memref<?x64xf32>, %y: memref<?x64xi32>) {
  lmhlo_disc.fusion ins(%x : memref<?x64xf32>) outs(%y : memref<?x64xi32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x64xf32>):
    %zero = dhlo.constant dense<0.0> : tensor<f32>
    %e = dhlo.exponential %a : tensor<?x64xf32>
    %s = dhlo.reduce(%e init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %d = tensor.dim %a, %c0 : tensor<?x64xf32>
    %shape = tensor.from_elements %d, %c64 : tensor<2xindex>
    %b = dhlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x64xf32>
    %r = dhlo.divide %e, %b : tensor<?x64xf32>
    %i = dhlo.convert %r : (tensor<?x64xf32>) -> tensor<?x64xi32>
    lmhlo_disc.yield %i : tensor<?x64xi32>
  }
  return
}

// -----

// Where a sum's elements do not lie side by side its loop is none over vectors, and LLVM chooses an order: rows go one at a time. A scalar
// that was reshaped does not matter.
// CHECK-LABEL: func.func private @kernel_row_0
// CHECK-SAME: attributes {disc.parallel} {
// CHECK-LABEL: func.func private @kernel_row_1
// CHECK-SAME: attributes {disc.parallel, disc.rows_together} {
func.func @flipped(%x: memref<?x64xf32>, %s: memref<1xf32>, %y: memref<?xf32>, %z: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x64xf32>) outs(%y : memref<?xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x64xf32>):
    %zero = dhlo.constant dense<0.0> : tensor<f32>
    %r = dhlo.reverse %a, dims = [1] : tensor<?x64xf32>
    %t = dhlo.reduce(%r init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
    lmhlo_disc.yield %t : tensor<?xf32>
  }
  lmhlo_disc.fusion ins(%x, %s : memref<?x64xf32>, memref<1xf32>) outs(%z : memref<?xf32>) {kind = "row", row_dims = 1 : i64} {
  ^bb0(%a: tensor<?x64xf32>, %b: tensor<1xf32>):
    %zero = dhlo.constant dense<0.0> : tensor<f32>
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %n = tensor.dim %a, %c0 : tensor<?x64xf32>
    %shape = tensor.from_elements %n, %c64 : tensor<2xindex>
    %scalar = dhlo.reshape %b : (tensor<1xf32>) -> tensor<f32>
    %full = dhlo.dynamic_broadcast_in_dim %scalar, %shape, dims = [] : (tensor<f32>, tensor<2xindex>) -> tensor<?x64xf32>
    %m = dhlo.multiply %a, %full : tensor<?x64xf32>
    %t = dhlo.reduce(%m init: %zero) applies dhlo.add across dimensions = [1] : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
    lmhlo_disc.yield %t : tensor<?xf32>
  }
  return
}
