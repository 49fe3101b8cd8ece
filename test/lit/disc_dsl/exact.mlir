// What differs is seen, whatever PDL asks first.
// RUN: disc-opt --explain %S/Inputs/near.py:beside --python=%python %s | filecheck %s --check-prefix=BESIDE
// RUN: disc-opt --explain %S/Inputs/near.py:signed --python=%python %s | filecheck %s --check-prefix=SIGNED
// RUN: disc-opt --explain %S/Inputs/near.py:second --python=%python %s | filecheck %s --check-prefix=SECOND
// RUN: disc-opt --explain %S/Inputs/near.py:same_types --python=%python %s | filecheck %s --check-prefix=TYPES

// An attribute counts, whatever else the op has: PDL asks constraints before attributes.
// BESIDE: exact.mlir:[[#]]:8: `dhlo.add`: 2 of 2 steps of `beside`: matches
// BESIDE: exact.mlir:[[#]]:8: `dhlo.add`: 2 of 2 steps of `beside`: matches
// BESIDE: exact.mlir:[[#]]:8: `dhlo.add`: 1 of 2 steps of `beside`
// BESIDE-NEXT: stopped at {{.*}}near.py:39: `inner`, an op `dhlo.concatenate`: its `dimension` is 0 : i64 here, 1 : i64 in the pattern
// BESIDE-NOT: matches
func.func @beside(%a: tensor<2x2xf32>, %x: tensor<4x2xf32>, %y: tensor<2x4xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %c = dhlo.concatenate %a, %a, dim = 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %d = dhlo.concatenate %a, %a, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %r = dhlo.add %x, %c : tensor<4x2xf32>
  %s = dhlo.add %y, %d : tensor<2x4xf32>
  %t = dhlo.add %d, %y : tensor<2x4xf32>
  return %r, %s, %t : tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// SIGNED: exact.mlir:[[#]]:8: `dhlo.multiply`: 2 of 2 steps of `signed`: matches
// SIGNED: exact.mlir:[[#]]:8: `dhlo.multiply`: 1 of 2 steps of `signed`
// SIGNED-NEXT: `size`, an op `dhlo.abs`: its operand 0 is a block argument, tensor<?xf32>; in the pattern it is `x` as operand 1 of `dhlo.multiply` at {{.*}}exact.mlir:[[#]]:8
// SIGNED: exact.mlir:[[#]]:8: `dhlo.multiply`: 1 of 2 steps of `signed`
// SIGNED-NEXT: `size`, an op `dhlo.abs`: its operand 0 is a block argument, tensor<?xf32>; in the pattern it is `x` as operand 0 of `dhlo.multiply` at {{.*}}exact.mlir:[[#]]:8
// SIGNED-NEXT: (operands of `root` swapped)
// SIGNED-NOT: matches
func.func @signed(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = dhlo.abs %x : tensor<?xf32>
  %r = dhlo.multiply %a, %y : tensor<?xf32>
  %s = dhlo.multiply %y, %a : tensor<?xf32>
  %t = dhlo.multiply %x, %a : tensor<?xf32>
  return %r, %s, %t : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// SECOND: exact.mlir:[[#]]:8: `dhlo.convert`: 2 of 2 steps of `second`: matches
// SECOND: exact.mlir:[[#]]:8: `dhlo.convert`: 1 of 2 steps of `second`
// SECOND-NEXT: `top_k`, an op `dhlo.top_k`: its result 0 is used here, result 1 in the pattern
// SECOND-NOT: matches
func.func @second(%x: tensor<4xf32>) -> (tensor<1xi32>, tensor<1xi32>) {
  %v, %i = dhlo.top_k(%x, k = 1) : tensor<4xf32> -> (tensor<1xf32>, tensor<1xi32>)
  %r = dhlo.convert %v : (tensor<1xf32>) -> tensor<1xi32>
  %s = dhlo.convert %i : tensor<1xi32>
  return %r, %s : tensor<1xi32>, tensor<1xi32>
}

// A type that another op binds, and conditions after it.
// TYPES: exact.mlir:[[#]]:8: `dhlo.abs`: 5 of 5 steps of `same_types`: matches
// TYPES: exact.mlir:[[#]]:8: `dhlo.abs`: 3 of 5 steps of `same_types`
// TYPES-NEXT: stopped at {{.*}}near.py:69: `is_float(x)`: not so: the elements are floating-point numbers
// TYPES-NEXT: `x` is a block argument, tensor<?xi32>
func.func @same_types(%x: tensor<?xf64>, %y: tensor<?xf32>, %i: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c = dhlo.convert %x : (tensor<?xf64>) -> tensor<?xf32>
  %d = dhlo.add %c, %y : tensor<?xf32>
  %r = dhlo.abs %d : tensor<?xf32>
  %g = dhlo.convert %i : (tensor<?xi32>) -> tensor<?xf32>
  %h = dhlo.add %g, %y : tensor<?xf32>
  %s = dhlo.abs %h : tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// Types that inferred ones are compatible with, and not equal to.
// TYPES: exact.mlir:[[#]]:8: `dhlo.abs`: 2 of 5 steps of `same_types`
// TYPES-NEXT: `inner`, an op `dhlo.convert`: its operands, attributes or types are not those of the pattern
func.func @other_types(%x: tensor<?xf64>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %c = dhlo.convert %x : (tensor<?xf64>) -> tensor<?xf32>
  %d = dhlo.add %c, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %r = dhlo.abs %d : tensor<?xf32>
  return %r : tensor<?xf32>
}
