// The ops that came nearest to a pattern, and the step that stopped them.
// RUN: disc-opt --explain %root/examples/my_pass.py:add_tanh --python=%python %s | filecheck %s
// RUN: not disc-opt --explain %root/examples/my_pass.py:add_tan --python=%python %s 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: my_pass.py:1:1: error: no pattern `add_tan`; the file has `times_one`, `add_tanh`

// CHECK: explain.mlir:[[#]]:8: `dhlo.tanh`: 4 of 4 steps of `add_tanh`: matches
func.func @fires(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = dhlo.add %x, %y : tensor<?xf32>
  %r = dhlo.tanh %s : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK: explain.mlir:[[#]]:8: `dhlo.tanh`: 2 of 4 steps of `add_tanh`
// CHECK-NEXT: stopped at {{.*}}my_pass.py:22: `one_use(total)`: not so: the op's results have exactly one use in all
func.func @shared(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = dhlo.add %x, %y : tensor<?xf32>
  %r = dhlo.tanh %s : tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// CHECK: explain.mlir:[[#]]:8: `dhlo.tanh`: 1 of 4 steps of `add_tanh`
// CHECK-NEXT: stopped at {{.*}}my_pass.py:20: `total`, an op `dhlo.add`: there is `dhlo.subtract` at {{.*}}explain.mlir:[[#]]:8
func.func @other(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = dhlo.subtract %x, %y : tensor<?xf32>
  %r = dhlo.tanh %s : tensor<?xf32>
  return %r : tensor<?xf32>
}
