"""cholesky and triangular_solve against numpy, with dynamic batches and sizes, 0 and 1 included."""

from __future__ import annotations

from itertools import product
from typing import Any

import disc
import numpy as np
import pytest
from disc.errors import ExecutionError
from programs import DTYPES

TYPES = ["f16", "f32", "f64", "complex<f32>", "complex<f64>"]
# Relative to the largest element.
TOLERANCE = {"f16": 1e-3, "f32": 1e-6, "f64": 1e-13, "complex<f32>": 1e-6, "complex<f64>": 1e-13}


def random_array(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    x = random.standard_normal(shape)
    return x + 1j * random.standard_normal(shape) if "complex" in dtype else x


def close(got: Any, want: Any, dtype: str) -> None:
    assert got.shape == want.shape and got.dtype == DTYPES[dtype]
    if want.size:
        assert np.abs(got - want).max() <= TOLERANCE[dtype] * max(1, np.abs(want).max())


def cholesky(dtype: str, lower: bool) -> Any:
    tensor = f"tensor<?x?x?x{dtype}>"
    return disc.compile(f"""func.func @main(%a: {tensor}) -> {tensor} {{
      %r = stablehlo.cholesky %a, lower = {str(lower).lower()} : {tensor}
      return %r : {tensor}
    }}""")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("lower", [True, False])
def test_cholesky(dtype: str, lower: bool) -> None:
    program = cholesky(dtype, lower)
    for batch, n in [(0, 3), (2, 0), (1, 1), (3, 1), (2, 2), (1, 3), (5, 4), (2, 17), (1, 64), (300, 5)]:
        x = random_array((batch, n, n), dtype, n)
        a = (x @ x.conj().swapaxes(1, 2) + n * np.eye(n)).astype(DTYPES[dtype])
        wide = a.astype(np.complex128 if "complex" in dtype else np.float64)
        # Only one triangle is read.
        given = np.where(np.tri(n, dtype=bool) if lower else np.tri(n, dtype=bool).T, a, DTYPES[dtype](np.nan))
        factor = np.linalg.cholesky(wide)
        close(program(given), factor if lower else factor.conj().swapaxes(1, 2), dtype)


@pytest.mark.parametrize("dtype", ["f32", "complex<f64>"])
def test_cholesky_of_what_is_not_positive_definite(dtype: str) -> None:
    good = np.array([[4, 2], [2, 3]])
    a = np.array([good, [[1, 2], [2, 1]], [[0, 0], [0, 0]], [[np.nan, 0], [0, 1]]]).astype(DTYPES[dtype])
    got = cholesky(dtype, True)(a)
    np.testing.assert_allclose(got[0], np.linalg.cholesky(good), rtol=1e-6)
    assert np.isnan(got[1:]).all()


def test_cholesky_needs_square_matrices() -> None:
    with pytest.raises(ExecutionError, match="`cholesky` at .*: dimension 2 of `a` is 3, expected 2 .dimension 1"):
        cholesky("f32", True)(np.ones((1, 2, 3), np.float32))


def solve(dtype: str, left: bool, lower: bool, unit: bool, transpose: str) -> Any:
    tensor = f"tensor<?x?x?x{dtype}>"
    flags = f"left_side = {left}, lower = {lower}, unit_diagonal = {unit}".lower()
    return disc.compile(f"""func.func @main(%a: {tensor}, %b: {tensor}) -> {tensor} {{
      %r = "stablehlo.triangular_solve"(%a, %b) {{{flags}, transpose_a = #stablehlo<transpose {transpose}>}}
        : ({tensor}, {tensor}) -> {tensor}
      return %r : {tensor}
    }}""")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("transpose", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_triangular_solve(dtype: str, transpose: str) -> None:
    for left, lower, unit in product([True, False], repeat=3):
        program = solve(dtype, left, lower, unit, transpose)
        for batch, n, m in [(0, 3, 2), (2, 0, 3), (2, 3, 0), (1, 1, 1), (3, 4, 1), (2, 5, 7), (1, 33, 20), (400, 3, 2)]:
            a = (random_array((batch, n, n), dtype, n) / (n + 1) + 2 * np.eye(n)).astype(DTYPES[dtype])
            b = random_array((batch, n, m) if left else (batch, m, n), dtype, m).astype(DTYPES[dtype])
            wide = a.astype(np.complex128 if "complex" in dtype else np.float64)
            triangle = np.tri(n, dtype=bool) if lower else np.tri(n, dtype=bool).T
            full = np.where(triangle, wide, 0)
            if unit:
                triangle = triangle & ~np.eye(n, dtype=bool)
                full = np.where(np.eye(n, dtype=bool), 1, full)
            if transpose != "NO_TRANSPOSE":
                full = full.swapaxes(1, 2)
            if transpose == "ADJOINT":
                full = full.conj()
            if left:
                want = np.linalg.solve(full, b.astype(wide.dtype))
            else:
                want = np.linalg.solve(full.swapaxes(1, 2), b.astype(wide.dtype).swapaxes(1, 2)).swapaxes(1, 2)
            # What the flags leave out is not read.
            close(program(np.where(triangle, a, DTYPES[dtype](np.nan)), b), want, dtype)


def test_a_zero_on_the_diagonal_divides() -> None:
    program = solve("f32", True, True, False, "NO_TRANSPOSE")
    got = program(np.array([[[0, 0], [1, 1]]], np.float32), np.array([[[1], [1]]], np.float32))
    np.testing.assert_array_equal(got, [[[np.inf], [-np.inf]]])


def test_sizes_that_do_not_fit() -> None:
    program = solve("f32", True, True, False, "NO_TRANSPOSE")
    with pytest.raises(ExecutionError, match="`triangular_solve` at .*: dimension 1 of `b` is 3, expected 2"):
        program(np.ones((1, 2, 2), np.float32), np.ones((1, 3, 2), np.float32))
    with pytest.raises(ExecutionError, match="dimension 0 of `b` is 1, expected 2"):
        program(np.ones((2, 2, 2), np.float32), np.ones((1, 2, 2), np.float32))
