// Options of a pattern pass: constants while it runs.
// RUN: disc-opt --load-pass %S/Inputs/options.py --python=%python --options %s | filecheck %s --check-prefixes=CHECK,DEFAULT
// RUN: disc-opt --load-pass %S/Inputs/options.py --python=%python --options='max-rank=1 number=2.5 exact=true dim=1' %s | filecheck %s --check-prefixes=CHECK,GIVEN
// RUN: disc-opt --load-pass %S/Inputs/options.py --python=%python --pass-pipeline='builtin.module(func.func(options{max-rank=1 number=2.5 exact=true dim=1}))' %s | filecheck %s --check-prefixes=CHECK,GIVEN
// RUN: not disc-opt --load-pass %S/Inputs/options.py --python=%python --options=max-rank=two %s 2>&1 | filecheck %s --check-prefix=WRONG
// RUN: not disc-opt --load-pass %S/Inputs/options.py --python=%python --options=max-rnk=2 %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: disc-opt --load-pass %S/Inputs/options.py --python=%python --help | filecheck %s --check-prefix=HELP

// WRONG: option `max-rank` of `options` takes int, got `two`
// UNKNOWN: `options` takes `dim`, `exact`, `max-rank`, `number`
// HELP: --options{{ +}}-{{ +}}Patterns that read options of the pass
// HELP: --max-rank=<int>{{ +}}- the rank of what is dropped

// CHECK-LABEL: @drop_factor
// DEFAULT: %[[P:.*]] = dhlo.multiply %arg0
// DEFAULT: return %[[P]], %arg1
// GIVEN: %[[P:.*]] = dhlo.multiply %arg1
// GIVEN: return %arg0, %[[P]]
func.func @drop_factor(%x: tensor<2xf32>, %y: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>) {
  %c = dhlo.constant dense<2.5> : tensor<2xf32>
  %d = dhlo.constant dense<1.0> : tensor<2x2xf32>
  %p = dhlo.multiply %x, %c : tensor<2xf32>
  %q = dhlo.multiply %y, %d : tensor<2x2xf32>
  return %p, %q : tensor<2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: @drop_log
// DEFAULT-NEXT: return %arg0
// GIVEN-NEXT: dhlo.log
func.func @drop_log(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = dhlo.log %x : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @along
// DEFAULT: dhlo.concatenate %arg1, %arg0, dim = 0
// DEFAULT: dhlo.concatenate %arg0, %arg1, dim = 1
// GIVEN: dhlo.concatenate %arg0, %arg1, dim = 0
// GIVEN: dhlo.concatenate %arg1, %arg0, dim = 1
func.func @along(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>) {
  %a = dhlo.concatenate %x, %y, dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %b = dhlo.concatenate %x, %y, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return %a, %b : tensor<4x2xf32>, tensor<2x4xf32>
}
