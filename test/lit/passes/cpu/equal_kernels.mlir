// RUN: disc-opt %s --disc-cpu-fusion-to-kernels | filecheck %s

// CHECK-LABEL: func.func @layers
// CHECK: lmhlo_disc.launch @kernel_loop_0(%{{.*}}, %{{.*}})
// CHECK: lmhlo_disc.launch @kernel_loop_0(%{{.*}}, %{{.*}})
// CHECK: lmhlo_disc.launch @kernel_loop_2(%{{.*}}, %{{.*}})
// CHECK-COUNT-2: func.func private
// CHECK-NOT: func.func private
func.func @layers(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>) {
  lmhlo_disc.fusion ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %0 = dhlo.negate %a : tensor<?xf32>
    lmhlo_disc.yield %0 : tensor<?xf32>
  }
  lmhlo_disc.fusion ins(%y : memref<?xf32>) outs(%z : memref<?xf32>) {kind = "loop"} {
  ^bb0(%b: tensor<?xf32>):
    %0 = dhlo.negate %b : tensor<?xf32>
    lmhlo_disc.yield %0 : tensor<?xf32>
  }
  lmhlo_disc.fusion ins(%z : memref<?xf32>) outs(%y : memref<?xf32>) {kind = "loop"} {
  ^bb0(%a: tensor<?xf32>):
    %0 = dhlo.add %a, %a : tensor<?xf32>
    lmhlo_disc.yield %0 : tensor<?xf32>
  }
  return
}
