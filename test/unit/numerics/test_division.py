"""Rows divided by a number of the row, which takes no division instruction, give the bits of a division."""

from __future__ import annotations

import disc
import numpy as np
import pytest
from programs import SPECIAL, same_bits

TEXT = """
func.func @main(%x: tensor<?x?xf32> {disc.dims = ["n", "m"]}, %d: tensor<?x?xf32> {disc.dims = ["n", "m"]}) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %q = "chlo.broadcast_divide"(%x, %s) {broadcast_dimensions = array<i64: 0>}
      : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %q : tensor<?x?xf32>
}
"""
EDGES = [2.0**24, 2.0**-24, np.nextafter(np.float32(2.0**24), np.float32(np.inf)), 2.0**-25, 2.0**-126, 2.0**-149, 2.0**127]


def quotients(model: disc.Compiled, x: np.ndarray, divisors: np.ndarray) -> None:
    """Compares x[i, j] / divisors[i]."""
    d = np.zeros_like(x)
    if x.shape[1]:
        d[:, 0] = divisors  # the sum of a row is its divisor, but for -0
    with np.errstate(all="ignore"):
        want = x / (d.sum(axis=1, keepdims=True, dtype=np.float32) + np.float32(0))
    assert same_bits(model(x, d), want).all()


@pytest.fixture(scope="module")
def model() -> disc.Compiled:
    return disc.compile(TEXT)


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (1, 1), (5, 1), (4, 16), (9, 17), (7, 64), (6, 100), (3, 513), (5, 3000)])
def test_random_bits(model: disc.Compiled, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(shape[0] * 10000 + shape[1])
    for _ in range(20):
        x = rng.integers(0, 1 << 32, shape, dtype=np.uint32).view(np.float32)
        quotients(model, x, rng.integers(0, 1 << 32, shape[0], dtype=np.uint32).view(np.float32))


def test_divisors_near_one(model: disc.Compiled) -> None:
    """Every dividend is within the range of the fast way; with 2^22 of them a quotient that is not rounded correctly would show. Zeros are
    within it too, with either sign, also where all around them are."""
    rng = np.random.default_rng(7)
    shape = (1 << 12, 1 << 10)
    x = rng.uniform(0.5, 4, shape).astype(np.float32) * rng.choice([-1, 1], shape).astype(np.float32)
    divisors = rng.uniform(0.5, 100, len(x)).astype(np.float32)
    quotients(model, x, divisors)
    x[:, 100:300] *= 0
    x[rng.random(shape) < 0.1] *= 0
    quotients(model, x, divisors)
    quotients(model, x, -divisors)


def test_limits_of_the_range(model: disc.Compiled) -> None:
    numbers = np.array(SPECIAL + EDGES + [-x for x in EDGES], np.float32)
    scales = np.array([0, 2.0**-149, 2.0**-126, 2.0**-101, 2.0**-100, 2.0**-76, 2.0**-52, 2.0**103, 2.0**104, 2.0**127], np.float32)
    x = np.concatenate([numbers, scales, -scales, scales * np.float32(1.1)])
    divisors = np.concatenate([numbers, numbers * np.float32(1.3)])
    quotients(model, np.tile(x, (len(divisors), 1)), divisors)
