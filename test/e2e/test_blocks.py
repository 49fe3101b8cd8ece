"""Functions of several blocks: cf.br, cf.cond_br and cf.switch on tensors whose sizes only a call tells."""

import numpy as np

import disc

LOOP = """
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %k = tensor.extract %n[] : tensor<i32>
  cf.br ^head(%x, %c0 : tensor<?xf32>, i32)
^head(%v: tensor<?xf32>, %i: i32):
  %more = arith.cmpi slt, %i, %k : i32
  cf.cond_br %more, ^body, ^done
^body:
  %w = stablehlo.concatenate %v, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%w, %j : tensor<?xf32>, i32)
^done:
  %r = stablehlo.add %v, %v : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""

ALTERNATIVES = """
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = func.call @choose(%x, %n) : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  %s = stablehlo.add %r, %x : tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}
func.func private @choose(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %k = tensor.extract %n[] : tensor<i32>
  cf.switch %k : i32, [default: ^other, 0: ^end(%x : tensor<?xf32>), 1: ^negate]
^negate:
  %v = stablehlo.negate %x : tensor<?xf32>
  cf.br ^end(%v : tensor<?xf32>)
^other:
  %w = stablehlo.multiply %x, %x : tensor<?xf32>
  cf.br ^end(%w : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}
"""


RETURNS = """
func.func @main(%x: tensor<?xcomplex<f32>>, %n: tensor<i32>) -> tensor<?xcomplex<f32>> {
  %k = tensor.extract %n[] : tensor<i32>
  cf.switch %k : i32, [default: ^other, 0: ^same, 1: ^twice]
^same:
  return %x : tensor<?xcomplex<f32>>
^nowhere:
  cf.br ^other
^twice:
  %v = stablehlo.concatenate %x, %x, dim = 0
      : (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return %v : tensor<?xcomplex<f32>>
^other:
  %w = stablehlo.negate %x : tensor<?xcomplex<f32>>
  return %w : tensor<?xcomplex<f32>>
}
"""

# From ^a to ^b and back, with two ways in: a loop without a head.
IRREDUCIBLE = """
func.func @main(%x: tensor<?xi32>, %n: tensor<i32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %k = tensor.extract %n[] : tensor<i32>
  %even = arith.cmpi eq, %k, %c0 : i32
  cf.cond_br %even, ^a(%x, %c0 : tensor<?xi32>, i32), ^b(%x, %c0 : tensor<?xi32>, i32)
^a(%u: tensor<?xi32>, %i: i32):
  %v = stablehlo.add %u, %u : tensor<?xi32>
  cf.br ^b(%v, %i : tensor<?xi32>, i32)
^b(%w: tensor<?xi32>, %j: i32):
  %y = stablehlo.subtract %w, %x : tensor<?xi32>
  %m = arith.addi %j, %c1 : i32
  %more = arith.cmpi slt, %m, %k : i32
  cf.cond_br %more, ^a(%y, %m : tensor<?xi32>, i32), ^end
^end:
  return %y : tensor<?xi32>
}
"""

ENDLESS = """
func.func @main(%x: tensor<?xf32>, %n: tensor<i1>) -> tensor<?xf32> {
  %p = tensor.extract %n[] : tensor<i1>
  cf.cond_br %p, ^loop, ^end
^loop:
  cf.br ^loop
^end:
  return %x : tensor<?xf32>
}
"""


def test_several_returns_and_a_block_that_nothing_reaches():
    model = disc.compile(RETURNS)
    x = np.arange(3).astype("c8") + 2j
    for k, want in ((0, x), (1, np.tile(x, 2)), (-1, -x)):
        np.testing.assert_array_equal(model(x.astype("c8"), np.int32(k)), want)


def test_a_loop_with_two_ways_in():
    model = disc.compile(IRREDUCIBLE)
    x = np.arange(4, dtype="i4")
    for k in range(5):
        want = 2 * x if k == 0 else x  # the way in by ^a doubles first
        for step in range(max(k, 1)):
            want = (2 * want if step else want) - x
        np.testing.assert_array_equal(model(x, np.int32(k)), want)


def test_a_loop_without_an_end_compiles():
    x = np.arange(4, dtype="f4")
    np.testing.assert_array_equal(disc.compile(ENDLESS)(x, np.bool_(False)), x)


def test_loop_over_tensors_that_grow():
    model = disc.compile(LOOP)
    for size in (0, 1, 5):
        for trips in (0, 1, 4):
            x = np.arange(size, dtype="f4")
            np.testing.assert_array_equal(model(x, np.int32(trips)), 2 * np.tile(x, trips + 1))
    assert model.statistics()["live_bytes"] == 0


def test_alternatives_in_a_called_function():
    model = disc.compile(ALTERNATIVES)
    x = np.arange(5, dtype="f4")
    for k, want in ((0, x), (1, -x), (7, x * x)):
        chosen, total = model(x, np.int32(k))
        np.testing.assert_array_equal(chosen, want)
        np.testing.assert_array_equal(total, want + x)
