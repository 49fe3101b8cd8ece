// A user's pass, loaded from its Python file.
// RUN: disc-opt --load-pass %root/examples/my_pass.py --pass-pipeline='builtin.module(func.func(my-pass))' %s | filecheck %s
// RUN: disc-opt --load-pass=%root/examples/my_pass.py --python=%python --my-pass %s | filecheck %s
// RUN: disc-opt --load-pass=%root/examples/my_pass.py --help | filecheck %s --check-prefix=HELP
// RUN: not disc-opt --load-pass=%S/Inputs/misspelt.py --misspelt %s 2>&1 | filecheck %s --check-prefix=MISSPELT
// RUN: not disc-opt --load-pass=%S/Inputs/none.py --none %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not disc-opt --load-pass=%S/Inputs/natives.py --natives %s 2>&1 | filecheck %s --check-prefix=NATIVES
// RUN: not disc-opt --load-pass=%S/Inputs/canonicalize.py --canonicalize %s 2>&1 | filecheck %s --check-prefix=TAKEN
// RUN: not disc-opt --explain=%S/Inputs/natives.py:liked %s 2>&1 | filecheck %s --check-prefix=NATIVES

// NATIVES: natives.py:7:1: error: this compiler has no native `likes`; its C++ function is built with the pass tree
// NATIVES: natives.py:12:1: error: native `rank` is declared as constraint (Value, str) -> bool, this compiler has constraint (Value, int) -> bool
// HELP: --my-pass{{ +}}-{{ +}}Fold x * 1; send add and tanh to one library call
// MISSPELT: misspelt.py:10:12: error: dialect `dhlo` has no op `multipy`; did you mean `multiply`?
// TAKEN: canonicalize.py:1:1: error: `--canonicalize` is another pass's flag already; give the file another name
// NONE: none.py:1:1: error: no such file

// CHECK-LABEL: @times_one
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
// CHECK: return %[[X]]
func.func @times_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = dhlo.constant dense<1.0> : tensor<2xf32>
  %r = dhlo.multiply %one, %x : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @add_tanh
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-NEXT: %[[R:.*]] = dhlo.custom_call @vendor.add_tanh(%[[X]], %[[Y]]) {{{.*}}disc.library
// CHECK-NEXT: return %[[R]]
func.func @add_tanh(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = dhlo.add %x, %y : tensor<?xf32>
  %r = dhlo.tanh %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// The sum has another use.
// CHECK-LABEL: @add_tanh_not_shared
// CHECK: dhlo.tanh
func.func @add_tanh_not_shared(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = dhlo.add %x, %y : tensor<?xf32>
  %r = dhlo.tanh %s : tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}
