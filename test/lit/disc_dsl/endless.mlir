// A pass without an end names the patterns that go round, and where it happens.
// RUN: not disc-opt --load-pass %S/Inputs/endless.py --python=%python --endless %s 2>&1 | filecheck %s
// RUN: not disc-opt --load-pass %S/Inputs/grows.py --python=%python --grows %s 2>&1 | filecheck %s --check-prefix=GROWS

// CHECK: endless.mlir:9:8: error: `endless` found no fixed point: `{{there|back}}` ({{.*}}endless.py:{{7|15}}) and `{{there|back}}` ({{.*}}endless.py:{{7|15}}) undo each other; let one of them require
// GROWS: endless.mlir:9:8: error: `grows` found no fixed point: `wrap` ({{.*}}grows.py:7) applies to what it makes; let it require

func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = dhlo.maximum %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}
