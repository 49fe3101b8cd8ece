"""Reshapes between equal types whose sizes differ."""

from __future__ import annotations

import disc
import numpy as np
import pytest

SWAPPED = """
func.func @main(%x: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x4xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x4xf32>
  %s = tensor.from_elements %n, %m, %c4 : tensor<3xindex>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x?x4xf32>, tensor<3xindex>) -> tensor<?x?x4xf32>
  return %r : tensor<?x?x4xf32>
}"""
MERGED = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %y = stablehlo.concatenate %x, %x, dim = 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %m2 = arith.muli %m, %c2 : index
  %s = tensor.from_elements %m2, %n : tensor<2xindex>
  %r = stablehlo.dynamic_reshape %y, %s : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %t = stablehlo.tanh %r : tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}"""
SIZES = [(2, 3), (1, 1), (5, 1), (1, 7), (0, 3), (4, 4)]


@pytest.mark.parametrize("last", [False, True])
def test_sizes_that_trade_places(last: bool) -> None:
    text = SWAPPED if last else SWAPPED.replace("return %r", "%t = stablehlo.negate %r : tensor<?x?x4xf32>\n  return %t")
    program = disc.compile(text)
    for m, n in SIZES:
        x = np.random.default_rng(m).standard_normal((m, n, 4)).astype(np.float32)
        np.testing.assert_array_equal(program(x), x.reshape(n, m, 4) * (1 if last else -1))


def test_sizes_that_move_into_another() -> None:
    program = disc.compile(MERGED)
    for m, n in SIZES:
        x = np.random.default_rng(m).standard_normal((m, n)).astype(np.float32)
        expected = np.tanh(np.concatenate([x, x], 1).reshape(2 * m, n))
        np.testing.assert_allclose(program(x), expected, rtol=1e-6, atol=1e-7)
