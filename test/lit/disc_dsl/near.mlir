// Near misses: what the pattern wanted, what is there.
// RUN: disc-opt --explain %S/Inputs/near.py:times_two --python=%python %s | filecheck %s --check-prefix=TWO
// RUN: disc-opt --explain %S/Inputs/near.py:join_two --python=%python %s | filecheck %s --check-prefix=JOIN
// RUN: disc-opt --explain %S/Inputs/near.py:less --python=%python %s | filecheck %s --check-prefix=LESS
// RUN: disc-opt --explain %root/examples/my_pass.py:add_tanh --python=%python %s | filecheck %s --check-prefix=NONE
// RUN: disc-opt --explain %root/examples/my_pass.py:times_one --python=%python %s --disc-graph-algebra | filecheck %s --check-prefix=AFTER

// NONE: `add_tanh`: there is no `dhlo.tanh` here, which is its root; `--to=<phase>` runs the compiler up to a phase first

// The order that fits is reported, not the one as written.
// TWO: near.mlir:[[#]]:8: `dhlo.multiply`: 2 of 2 steps of `times_two`: matches
// TWO: near.mlir:[[#]]:8: `dhlo.multiply`: 1 of 2 steps of `times_two`
// TWO-NEXT: stopped at {{.*}}near.py:12: `splat(two, 2)`: not so: the value is a constant{{.*}}
// TWO-NEXT: `two` is `dhlo.constant` at {{.*}}near.mlir:[[#]]:12, tensor<2xf32>
// AFTER: `dhlo.multiply`: 1 of 3 steps of `times_one`
func.func @two(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %two = dhlo.constant dense<2.0> : tensor<2xf32>
  %three = dhlo.constant dense<3.0> : tensor<2xf32>
  %a = dhlo.multiply %two, %x : tensor<2xf32>
  %b = dhlo.multiply %x, %three : tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// JOIN: `dhlo.abs`: 2 of 4 steps of `join_two`
// JOIN-NEXT: stopped at {{.*}}near.py:22: `one_use(inner)`: not so: the op's results have exactly one use in all
// JOIN-NEXT: `inner` is `dhlo.concatenate` at {{.*}} (2 uses)
// JOIN: `dhlo.abs`: 1 of 4 steps of `join_two`
// JOIN-NEXT: stopped at {{.*}}near.py:20: `inner`, an op `dhlo.concatenate`: it has 3 operands here, 2 in the pattern
// JOIN: `dhlo.abs`: 1 of 4 steps of `join_two`
// JOIN-NEXT: stopped at {{.*}}near.py:20: `inner`, an op `dhlo.concatenate`: its `dimension` is 0 : i64 here, 1 : i64 in the pattern
// JOIN: `dhlo.abs`: 1 of 4 steps of `join_two`
// JOIN-NEXT: stopped at {{.*}}near.py:20: `inner`, an op `dhlo.concatenate`: there is a block argument, tensor<2x2xf32>
func.func @join(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x6xf32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %c = dhlo.concatenate %a, %b, %a, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
  %d = dhlo.concatenate %a, %b, dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %e = dhlo.concatenate %a, %b, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %r = dhlo.abs %c : tensor<2x6xf32>
  %s = dhlo.abs %d : tensor<4x2xf32>
  %t = dhlo.abs %a : tensor<2x2xf32>
  %u = dhlo.abs %e : tensor<2x4xf32>
  return %r, %s, %t, %u, %e : tensor<2x6xf32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// LESS: `dhlo.not`: 2 of 3 steps of `less`
// LESS-NEXT: stopped at {{.*}}near.py:30: `is_attr(comparison_direction, "#dhlo<comparison_direction LT>")`: not so: the attribute is spelled so
// LESS-NEXT: `comparison_direction` is #dhlo<comparison_direction GT>
func.func @less(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
  %t = dhlo.compare GT, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %r = dhlo.not %t : tensor<2xi1>
  return %r : tensor<2xi1>
}
