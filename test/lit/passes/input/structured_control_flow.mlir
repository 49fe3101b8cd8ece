// RUN: disc-opt --pass-pipeline='builtin.module(func.func(disc-input-structured-control-flow))' %s | filecheck %s

// CHECK-LABEL: @alternative
// CHECK: %[[V:.*]] = scf.if %arg1 -> (tensor<?xf32>)
// CHECK: dhlo.negate %arg0
// CHECK: dhlo.add %[[V]], %[[V]]
func.func @alternative(%x: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  cf.cond_br %p, ^a(%x : tensor<?xf32>), ^b(%x : tensor<?xf32>)
^a(%u: tensor<?xf32>):
  %v = dhlo.negate %u : tensor<?xf32>
  cf.br ^b(%v : tensor<?xf32>)
^b(%w: tensor<?xf32>):
  %r = dhlo.add %w, %w : tensor<?xf32>
  return %r : tensor<?xf32>
}

// What nobody reads is a tensor without elements, and no poison.
// CHECK-LABEL: @loop
// CHECK: %[[C:.*]] = dhlo.constant dense<0.000000e+00> : tensor<0xf32>
// CHECK: tensor.cast %[[C]] : tensor<0xf32> to tensor<?xf32>
// CHECK-NOT: ub.poison : tensor
// CHECK: scf.while
// CHECK-NOT: {{[^s]}}cf.
func.func @loop(%x: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%x, %c0 : tensor<?xf32>, i32)
^head(%v: tensor<?xf32>, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^done
^body:
  %w = dhlo.concatenate %v, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%w, %j : tensor<?xf32>, i32)
^done:
  %r = dhlo.add %v, %v : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @one_block
// CHECK-NEXT: dhlo.negate
// CHECK-NEXT: return
func.func @one_block(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = dhlo.negate %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
