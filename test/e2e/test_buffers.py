"""Buffers across loops, branches, views and outputs: right values, and no memory left behind."""

import numpy as np
import pytest

import disc
from disc.errors import ExecutionError

LOOP = """
func.func @main(%x: tensor<?xf32> {disc.name = "x"}, %n: tensor<i32>) -> (tensor<?xf32>, tensor<i32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %t = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %u = stablehlo.add %t, %x : tensor<?xf32>
      stablehlo.return %j, %u : tensor<i32>, tensor<?xf32>
    }
  %c = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = "stablehlo.if"(%c) ({
      stablehlo.return %x : tensor<?xf32>
    }, {
      %m = stablehlo.multiply %r#1, %r#1 : tensor<?xf32>
      stablehlo.return %m : tensor<?xf32>
    }) : (tensor<i1>) -> tensor<?xf32>
  return %r#1, %r#0, %q : tensor<?xf32>, tensor<i32>, tensor<?xf32>
}
"""

ALIASES = """
func.func @main(%x: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3xui8>) {
  %flat = stablehlo.reshape %x : (tensor<4x?xf32>) -> tensor<?xf32>
  %y = stablehlo.add %flat, %flat : tensor<?xf32>
  %c = stablehlo.constant dense<[1, 2, 255]> : tensor<3xui8>
  return %x, %y, %y, %c : tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3xui8>
}
"""

PAIRS = """
func.func @main(%x: tensor<?xf32>, %n: tensor<1xindex>) -> tensor<?x2xf32> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %rows = tensor.extract %n[%c0] : tensor<1xindex>
  %shape = tensor.from_elements %rows, %c2 : tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
"""


@pytest.mark.parametrize("turns", [0, 1, 2, 7])
def test_loop_and_branch(turns):
    program = disc.compile(LOOP)
    x = np.arange(5, dtype=np.float32)
    total, count, chosen = program(x, np.array(turns, np.int32))
    expected = x * (turns + 1)
    np.testing.assert_array_equal(total, expected)
    assert count == turns
    np.testing.assert_array_equal(chosen, x if turns > 1 else expected * expected)
    np.testing.assert_array_equal(x, np.arange(5, dtype=np.float32))


def test_a_long_loop_needs_no_more_memory_than_a_short_one():
    program = disc.compile(LOOP)
    x = np.ones(10_000, np.float32)
    program(x, np.array(10, np.int32))
    short = program.statistics()
    program(x, np.array(1000, np.int32))
    long = program.statistics()
    assert long["peak_bytes"] == short["peak_bytes"]
    assert long["live_bytes"] <= short["live_bytes"]


def test_inputs_views_and_constants_as_outputs():
    program = disc.compile(ALIASES)
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    same, first, second, constant = program(x)
    np.testing.assert_array_equal(same, x)
    np.testing.assert_array_equal(first, 2 * x.reshape(-1))
    np.testing.assert_array_equal(second, first)
    assert constant.tolist() == [1, 2, 255] and constant.dtype == np.uint8
    same[:] = first[:] = constant[:] = 0
    assert x.sum() == 66 and second.sum() == 132
    assert program(x)[3].tolist() == [1, 2, 255]


def test_a_reshape_that_does_not_fit_fails_with_both_counts():
    program = disc.compile(PAIRS)
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(program(x, np.array([3])), x.reshape(3, 2))
    with pytest.raises(ExecutionError, match="8.*6|6.*8"):
        program(x, np.array([4]))
    np.testing.assert_array_equal(program(x, np.array([3])), x.reshape(3, 2))


FILL = """
func.func @main(%n: tensor<2xi64>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %c, %n, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


@pytest.mark.parametrize("sizes", [[1 << 40, 1 << 40], [1 << 31, 1 << 31], [-1, 3], [-2, -3], [1 << 20, 1 << 20]])
def test_sizes_that_no_memory_holds_fail(sizes):
    program = disc.compile(FILL)
    with pytest.raises(ExecutionError):
        program(np.array(sizes, np.int64))
    assert program(np.array([2, 3], np.int64)).tolist() == [[1] * 3] * 2
