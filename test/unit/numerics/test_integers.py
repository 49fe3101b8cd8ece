"""Integer ops wrap, never trap, and follow the signedness of their type."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np
import pytest
from programs import DTYPES, LENGTHS, run_all

INTS = ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"]


def truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def power(x: int, y: int, width: int) -> int:
    if y >= 0:
        return pow(x, y, 1 << width)
    return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)


# op: value of two integers at a width; the result is wrapped afterwards. Shift amounts are unsigned.
BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda x, y, w: x + y,
    "subtract": lambda x, y, w: x - y,
    "multiply": lambda x, y, w: x * y,
    "divide": lambda x, y, w: truncated(x, y) if y else -1,
    "remainder": lambda x, y, w: x - y * truncated(x, y) if y else x,
    "maximum": lambda x, y, w: max(x, y),
    "minimum": lambda x, y, w: min(x, y),
    "and": lambda x, y, w: operator.and_(x, y),
    "or": lambda x, y, w: operator.or_(x, y),
    "xor": lambda x, y, w: operator.xor(x, y),
    "power": power,
    "shift_left": lambda x, y, w: x << (y % 2**w) if y % 2**w < w else 0,
    "shift_right_logical": lambda x, y, w: (x % 2**w) >> (y % 2**w) if y % 2**w < w else 0,
    "shift_right_arithmetic": lambda x, y, w: signed(x, w) >> min(y % 2**w, w - 1),
}
UNARY: dict[str, Callable[[int, int], int]] = {
    "negate": lambda x, w: -x,
    "not": lambda x, w: ~x,
    "popcnt": lambda x, w: (x % 2**w).bit_count(),
    "count_leading_zeros": lambda x, w: w - (x % 2**w).bit_length(),
}


def signed(x: int, width: int) -> int:
    x %= 2**width
    return x - 2**width if x >= 2 ** (width - 1) else x


def wrap(values: list[int], dtype: type) -> np.ndarray:
    info = np.iinfo(dtype)
    return np.array([v % 2**info.bits if info.min == 0 else signed(v, info.bits) for v in values], dtype=dtype)


def pairs(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of 8-bit values; else edges with edges, and random values of all sizes."""
    info = np.iinfo(dtype)
    if info.bits == 8:
        v = np.arange(info.min, info.max + 1).astype(dtype)
        return np.repeat(v, 256), np.tile(v, 256)
    edges = wrap(
        [0, 1, 2, 3, 7, info.bits - 1, info.bits, info.max, info.max - 1, info.min, info.min + 1, -1, -2, -7], dtype
    )
    rng = np.random.default_rng(0)
    big = rng.integers(info.min, info.max, 1000, dtype=dtype, endpoint=True)
    small = wrap([int(v) >> int(s) for v, s in zip(big, rng.integers(0, info.bits, 1000), strict=True)], dtype)
    n = len(edges)
    return np.concatenate([np.repeat(edges, n), big]), np.concatenate([np.tile(edges, n), rng.permutation(small)])


@pytest.mark.parametrize("dtype", INTS)
def test_binary(dtype: str) -> None:
    numpy_type = DTYPES[dtype]
    x, y = pairs(numpy_type)
    width = np.iinfo(numpy_type).bits
    for (name, fn), got in zip(BINARY.items(), run_all([f"stablehlo.{n}" for n in BINARY], dtype, x, y), strict=True):
        want = wrap([fn(int(a), int(b), width) for a, b in zip(x, y, strict=True)], numpy_type)
        bad = np.flatnonzero(got != want)
        assert bad.size == 0, f"{name} of {x[bad[0]]}, {y[bad[0]]}: {got[bad[0]]}, not {want[bad[0]]}"


@pytest.mark.parametrize("dtype", INTS)
def test_unary(dtype: str) -> None:
    numpy_type = DTYPES[dtype]
    x = np.unique(pairs(numpy_type)[0])
    for (name, fn), got in zip(UNARY.items(), run_all([f"stablehlo.{n}" for n in UNARY], dtype, x), strict=True):
        want = wrap([fn(int(a), np.iinfo(numpy_type).bits) for a in x], numpy_type)
        assert (got == want).all(), name


@pytest.mark.parametrize("dtype", ["i8", "ui8", "i32", "ui32", "i64"])
def test_division_at_odd_lengths(dtype: str) -> None:
    """A zero divisor or MIN / -1 in the tail of a loop traps as little as in its body."""
    numpy_type = DTYPES[dtype]
    minimum = np.iinfo(numpy_type).min
    for length in LENGTHS:
        x = np.full(length, minimum if minimum else 5, numpy_type)
        for divisor in (0, -1):
            y = wrap([divisor] * length, numpy_type)
            quotient, remainder = run_all(["stablehlo.divide", "stablehlo.remainder"], dtype, x, y)
            want = BINARY["divide"](int(x[0]), int(y[0]), np.iinfo(numpy_type).bits)
            assert (quotient == wrap([want], numpy_type)).all()
            assert (remainder == (x if divisor == 0 else x % y)).all()
