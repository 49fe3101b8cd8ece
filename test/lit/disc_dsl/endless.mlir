// RUN: not disc-opt --load-pass %S/Inputs/endless.py --python=%python --endless %s 2>&1 | filecheck %s

// CHECK: error: `endless` found no fixed point: its patterns undo each other; most often it created `dhlo.m{{(ax|in)}}imum`
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = dhlo.maximum %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
}
