"""x86 processors without fused multiply-add give the bits of those that have it."""

from __future__ import annotations

import functools
import platform
from pathlib import Path
from typing import Any

import disc
import numpy as np
import pytest
from programs import float_samples, program_text, same_bits
from test_functions import CHLO, UNARY

WITHOUT, WITH = "x86-64", "haswell"
FLAGS = Path("/proc/cpuinfo").read_text().split()
pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64" or "fma" not in FLAGS,
    reason="compares two kinds of x86 code: this processor runs one",
)

SOFTMAX = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<?x?xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  %wide = stablehlo.dynamic_broadcast_in_dim %sum, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %y = stablehlo.divide %e, %wide : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""


@functools.cache
def compiled(text: str, cpu: str) -> Any:
    return disc.compile(text, options=[f"--target-cpu={cpu}"])


@pytest.mark.parametrize("dtype", ["f32", "f16"])
def test_functions(dtype: str) -> None:
    names = [f"stablehlo.{name}" for name in UNARY] + [f"chlo.{name}" for name in CHLO]
    text = program_text(tuple(f'"{name}"(%args)' for name in names), (dtype,), (dtype,) * len(names))
    x = float_samples({"f32": np.float32, "f16": np.float16}[dtype], 1 << 12)
    for name, got, want in zip(names, compiled(text, WITHOUT)(x), compiled(text, WITH)(x), strict=True):
        same = same_bits(got, want)
        assert same.all(), f"{name} of {x[~same][0]!r}: {got[~same][0]!r}, not {want[~same][0]!r}"


def test_rows_divided_by_a_number() -> None:
    x = np.random.default_rng(0).uniform(-30, 30, (50, 333)).astype(np.float32)
    assert same_bits(compiled(SOFTMAX, WITHOUT)(x), compiled(SOFTMAX, WITH)(x)).all()
