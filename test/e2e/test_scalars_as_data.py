"""Scalars that sizes are computed from, and that wrap, saturate or are booleans as the numeric contract says."""

import numpy as np
import pytest

import disc

COUNT = """
func.func @main(%x: tensor<{type}>) -> tensor<?xi32> {{
{body}
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}}
"""
THREE_OR_FIVE = """
  %a = stablehlo.constant dense<3> : tensor<i32>
  %b = stablehlo.constant dense<5> : tensor<i32>
  %n = stablehlo.select %c, %a, %b : tensor<i1>, tensor<i32>"""

# name: type of the argument, body, values and the counts they give
CASES = {
    "a sum that wraps is less": ("i32", """
  %one = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.add %x, %one : tensor<i32>
  %c = stablehlo.compare GT, %y, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>""" + THREE_OR_FIVE,
        [(np.int32(7), 3), (np.int32(2**31 - 1), 5)]),
    "narrowing loses bits": ("i64", """
  %t = stablehlo.convert %x : (tensor<i64>) -> tensor<i8>
  %y = stablehlo.convert %t : (tensor<i8>) -> tensor<i64>
  %c = stablehlo.compare EQ, %y, %x : (tensor<i64>, tensor<i64>) -> tensor<i1>""" + THREE_OR_FIVE,
        [(np.int64(100), 3), (np.int64(300), 5)]),
    "a sum of bytes wraps": ("i8", """
  %h = stablehlo.constant dense<100> : tensor<i8>
  %z = stablehlo.constant dense<0> : tensor<i8>
  %y = stablehlo.add %x, %h : tensor<i8>
  %m = stablehlo.maximum %y, %z : tensor<i8>
  %n = stablehlo.convert %m : (tensor<i8>) -> tensor<i32>""",
        [(np.int8(5), 105), (np.int8(100), 0)]),
    "booleans are clamped": ("i1", """
  %low = stablehlo.constant dense<false> : tensor<i1>
  %high = stablehlo.constant dense<true> : tensor<i1>
  %c = stablehlo.clamp %low, %x, %high : tensor<i1>""" + THREE_OR_FIVE,
        [(np.bool_(True), 3), (np.bool_(False), 5)]),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CASES))
def test_counts(name: str):
    kind, body, values = CASES[name]
    model = disc.compile(COUNT.format(type=kind, body=body))
    for value, count in values:
        np.testing.assert_array_equal(model(np.asarray(value)), np.arange(count))


NARROW_SIZE = """
func.func @main(%x: tensor<?xf32>) -> tensor<i1> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %t = stablehlo.convert %n : (tensor<i32>) -> tensor<i8>
  %u = stablehlo.convert %t : (tensor<i8>) -> tensor<i32>
  %c = stablehlo.compare EQ, %u, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %c : tensor<i1>
}
"""


def test_a_size_does_not_fit_a_byte():
    model = disc.compile(NARROW_SIZE)
    assert [bool(model(np.zeros(n, np.float32))) for n in (0, 100, 300)] == [True, True, False]


@pytest.mark.parametrize(("size", "good", "bad"), [("2*s+1", 7, 8), ("3*s-1", 5, 6), ("s+1", 1, 0)])
def test_a_size_that_alone_tells_its_symbol(size: str, good: int, bad: int):
    model = disc.compile(
        f'func.func @main(%x: tensor<?xf32> {{disc.dims = ["{size}"]}}) -> tensor<?xf32> {{\n'
        "  %r = stablehlo.add %x, %x : tensor<?xf32>\n  return %r : tensor<?xf32>\n}"
    )
    np.testing.assert_array_equal(model(np.ones(good, np.float32)), np.full(good, 2))
    with pytest.raises(disc.ExecutionError, match="dimension 0"):
        model(np.ones(bad, np.float32))


WINDOW = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %i = stablehlo.constant dense<1.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_windows_of_nothing_but_padding():
    """Padding is made of initial values, and one more starts each sum."""
    model = disc.compile(WINDOW)
    np.testing.assert_array_equal(model(np.zeros(0, np.float32)), [3, 3])
    np.testing.assert_array_equal(model(np.float32([5])), [7, 7, 3])
