// How often each pattern was tried and matched, of passes that are built in and of a user's.
// RUN: disc-opt --disc-pattern-stats --disc-graph-algebra %s -o /dev/null 2>&1 | filecheck %s
// RUN: disc-opt --disc-pattern-stats --load-pass %root/examples/my_pass.py --python=%python --my-pass %s -o /dev/null 2>&1 | filecheck %s --check-prefix=USER

// CHECK: pass{{ +}}pattern{{ +}}matched{{ +}}tried{{ +}}ms  where
// CHECK: disc-graph-algebra  add_negative_zero {{ +}}0 {{ +}}{{[1-9]}} {{.*}}passes/graph/algebra.py:[[#]]
// CHECK: disc-graph-algebra  multiply_one {{ +}}0 {{ +}}0 {{.*}}passes/graph/algebra.py:[[#]]
// USER: my-pass  add_tanh {{ +}}1 {{ +}}{{[0-9]+}} {{.*}}my_pass.py:17
// USER: my-pass  times_one {{ +}}0 {{ +}}0 {{.*}}my_pass.py:8
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = dhlo.negate %x : tensor<2xf32>
  %b = dhlo.negate %a : tensor<2xf32>
  %c = dhlo.negate %b : tensor<2xf32>
  %d = dhlo.negate %c : tensor<2xf32>
  %s = dhlo.add %d, %x : tensor<2xf32>
  %t = dhlo.tanh %s : tensor<2xf32>
  %r = dhlo.abs %t : tensor<2xf32>
  return %r : tensor<2xf32>
}
