// RUN: disc-opt %s --split-input-file --disc-cpu-fusion-to-kernels --canonicalize --cse | filecheck %s

// Only the accumulating add may be reassociated.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for %[[I:.*]] = %
// CHECK: %[[S:.*]] = scf.for %[[J:.*]] = %c0 to %{{.*}} iter_args(%[[A:.*]] = %cst)
// CHECK: %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: %[[M:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK: arith.addf %[[A]], %[[M]] fastmath<reassoc> : f32
// CHECK: memref.store %[[S]], %{{.*}}[%[[I]]]
func.func @sum(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xf32>):
    %z = dhlo.constant dense<0.0> : tensor<f32>
    %0 = dhlo.add %a, %a : tensor<?x?xf32>
    %1 = dhlo.reduce(%0 init: %z) applies dhlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    lmhlo_disc.yield %1 : tensor<?xf32>
  }
  return
}

// -----

// bf16 accumulates in f32 and is rounded once, after the loop.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32)
// CHECK: arith.addf %[[A]], %{{.*}} fastmath<reassoc> : f32
// CHECK-NEXT: scf.yield
func.func @narrow(%x: memref<?x?xbf16>, %y: memref<?xbf16>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xbf16>) outs(%y : memref<?xbf16>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xbf16>):
    %z = dhlo.constant dense<0.0> : tensor<bf16>
    %1 = dhlo.reduce(%a init: %z) applies dhlo.add across dimensions = [1] : (tensor<?x?xbf16>, tensor<bf16>) -> tensor<?xbf16>
    lmhlo_disc.yield %1 : tensor<?xbf16>
  }
  return
}

// -----

// Any region, any number of results.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: %{{.*}}:2 = scf.for {{.*}} iter_args(%[[V:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}) -> (f32, i64)
// CHECK: arith.cmpf
// CHECK: arith.select
// CHECK: arith.select
// CHECK: scf.yield %{{.*}}, %{{.*}} : f32, i64
func.func @argmax(%x: memref<?x?xf32>, %y: memref<?xi64>) {
  lmhlo_disc.fusion ins(%x : memref<?x?xf32>) outs(%y : memref<?xi64>) {kind = "loop"} {
  ^bb0(%a: tensor<?x?xf32>):
    %low = dhlo.constant dense<0xFF800000> : tensor<f32>
    %zero = dhlo.constant dense<0> : tensor<i64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d0 = tensor.dim %a, %c0 : tensor<?x?xf32>
    %d1 = tensor.dim %a, %c1 : tensor<?x?xf32>
    %s = tensor.from_elements %d0, %d1 : tensor<2xindex>
    %i = dhlo.dynamic_iota %s, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi64>
    %r:2 = dhlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi64>, tensor<f32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi64>)
      reducer(%v0: tensor<f32>, %v1: tensor<f32>) (%k0: tensor<i64>, %k1: tensor<i64>) {
        %g = dhlo.compare GE, %v0, %v1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = dhlo.select %g, %v0, %v1 : tensor<i1>, tensor<f32>
        %k = dhlo.select %g, %k0, %k1 : tensor<i1>, tensor<i64>
        dhlo.return %v, %k : tensor<f32>, tensor<i64>
      }
    lmhlo_disc.yield %r#1 : tensor<?xi64>
  }
  return
}

// -----

// A small window has no loop; for a maximum, the nearest element stands for one of the padding.
// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for
// CHECK-NOT: scf.
// CHECK-COUNT-2: arith.maximumf
// CHECK-NOT: scf.for
func.func @pool(%x: memref<8xf32>, %y: memref<8xf32>) {
  lmhlo_disc.fusion ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<8xf32>):
    %low = dhlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "dhlo.reduce_window"(%a, %low) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %m = dhlo.maximum %p, %q : tensor<f32>
      dhlo.return %m : tensor<f32>
    }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    lmhlo_disc.yield %0 : tensor<8xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func private @kernel_loop_0
// CHECK: scf.for {{.*}} = %c0 to %c5 {{.*}} iter_args(%[[A:.*]] = %cst)
// CHECK: %[[P:.*]] = arith.mulf
// CHECK: arith.addf %[[A]], %[[P]] fastmath<reassoc>
func.func @dot(%x: memref<3x5xf32>, %w: memref<5x7xf32>, %y: memref<3x7xf32>) {
  lmhlo_disc.fusion ins(%x, %w : memref<3x5xf32>, memref<5x7xf32>) outs(%y : memref<3x7xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>):
    %0 = dhlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
    lmhlo_disc.yield %0 : tensor<3x7xf32>
  }
  return
}
