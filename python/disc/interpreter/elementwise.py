"""Arithmetic, element by element (StableHLO specification: abs, add, ..., xor)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .core import Call, op
from .numerics import convert, integer, less, maximum, minimum, round_to, total_order, wide
from .types import kind


def wrap(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return np.asarray(x).astype(dtype)


def arithmetic(c: Call, function: Callable, *xs: np.ndarray) -> np.ndarray:
    """`function` on floats in f64, rounded once; on integers in their own width."""
    dtype = c.dtype()
    if kind(dtype) in "fc":
        return round_to(function(*[wide(x) for x in xs]), dtype)
    return wrap(function(*[integer(x) for x in xs]), dtype)


@op("dhlo.add", elementwise=True)
def add(c: Call, x, y):
    return x | y if x.dtype == bool else arithmetic(c, np.add, x, y)


@op("dhlo.subtract", elementwise=True)
def subtract(c: Call, x, y):
    return arithmetic(c, np.subtract, x, y)


@op("dhlo.multiply", elementwise=True)
def multiply(c: Call, x, y):
    return x & y if x.dtype == bool else arithmetic(c, np.multiply, x, y)


def quotient(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(truncated quotient, remainder with x's sign); x / 0 is all ones, x rem 0 is x, MIN / -1 is MIN."""
    zero, minus = y == 0, (y == -1) if x.dtype.kind == "i" else np.zeros(y.shape, bool)
    safe = np.where(zero | minus, 1, y).astype(x.dtype)
    rem = np.fmod(x, safe)
    quo = (x - rem) // safe
    quo = np.where(zero, np.array(-1).astype(x.dtype), np.where(minus, -x, quo))
    return quo.astype(x.dtype), np.where(zero, x, np.where(minus, 0, rem)).astype(x.dtype)


@op("dhlo.divide", elementwise=True)
def divide(c: Call, x, y):
    if kind(x.dtype) in "fc":
        return arithmetic(c, np.divide, x, y)
    return wrap(quotient(integer(x), integer(y))[0], c.dtype())


@op("dhlo.remainder", elementwise=True)
def remainder(c: Call, x, y):
    if kind(x.dtype) == "c":
        return arithmetic(c, lambda a, b: a - b * _truncated(a / b), x, y)
    if kind(x.dtype) == "f":
        return arithmetic(c, np.fmod, x, y)
    return wrap(quotient(integer(x), integer(y))[1], c.dtype())


def _truncated(z: np.ndarray) -> np.ndarray:
    return np.trunc(z.real) + 1j * np.trunc(z.imag)


@op("dhlo.maximum", elementwise=True)
def maximum_(c: Call, x, y):
    return maximum(x, y).astype(c.dtype())


@op("dhlo.minimum", elementwise=True)
def minimum_(c: Call, x, y):
    return minimum(x, y).astype(c.dtype())


@op("dhlo.clamp", elementwise=True)
def clamp(c: Call, low, x, high):
    return minimum(maximum(x, low), high).astype(c.dtype())


@op("dhlo.negate", elementwise=True)
def negate(c: Call, x):
    return arithmetic(c, np.negative, x)


@op("dhlo.abs", elementwise=True)
def abs_(c: Call, x):
    if kind(x.dtype) == "c":
        return np.hypot(wide(x).real, wide(x).imag).astype(c.dtype())
    return arithmetic(c, np.abs, x)


@op("dhlo.sign", elementwise=True)
def sign(c: Call, x):
    if kind(x.dtype) == "f":
        return arithmetic(c, lambda a: np.where(np.isnan(a) | (a == 0), a, np.sign(a)), x)
    if kind(x.dtype) == "c":
        z = wide(x)
        return np.where(z == 0, 0, z / np.hypot(z.real, z.imag)).astype(c.dtype())
    return arithmetic(c, np.sign, x)


@op("dhlo.square", elementwise=True)
def square(c: Call, x):
    return arithmetic(c, lambda a: a * a, x)


@op("dhlo.floor", elementwise=True)
def floor(c: Call, x):
    return arithmetic(c, np.floor, x)


@op("dhlo.ceil", elementwise=True)
def ceil(c: Call, x):
    return arithmetic(c, np.ceil, x)


@op("dhlo.round_nearest_even", elementwise=True)
def round_nearest_even(c: Call, x):
    return arithmetic(c, np.rint, x)


@op("dhlo.round_nearest_afz", elementwise=True)
def round_nearest_afz(c: Call, x):
    def away(a):
        size = np.abs(a)
        whole = np.floor(size)
        return np.copysign(np.where(size - whole >= 0.5, whole + 1, whole), a)

    return arithmetic(c, away, x)


# Comparison, selection, conversion.


def compare_by(direction: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if kind(x.dtype) != "c":
        x, y = (wide(x), wide(y)) if kind(x.dtype) == "f" else (integer(x), integer(y))
    if direction in ("EQ", "NE"):
        return np.asarray((x == y) if direction == "EQ" else (x != y))
    strict = less(x, y) if direction in ("LT", "LE") else less(y, x)
    return np.asarray(strict | (x == y) if direction in ("LE", "GE") else strict)


@op("dhlo.compare", elementwise=True)
def compare(c: Call, x, y):
    if c.word("compare_type") == "TOTALORDER":
        x, y = total_order(x), total_order(y)
    return compare_by(c.word("comparison_direction"), x, y)


@op("dhlo.select", elementwise=True)
def select(c: Call, pred, x, y):
    return np.where(pred, x, y).astype(c.dtype())


@op("dhlo.convert", elementwise=True)
def convert_(c: Call, x):
    return convert(x, c.dtype())


@op("dhlo.is_finite", elementwise=True)
def is_finite(_: Call, x):
    return np.isfinite(wide(x))


@op("dhlo.is_inf", "dhlo.is_pos_inf", "dhlo.is_neg_inf", elementwise=True)
def is_inf(c: Call, x):
    a = wide(x)
    return {"dhlo.is_inf": np.isinf(a), "dhlo.is_pos_inf": a == np.inf, "dhlo.is_neg_inf": a == -np.inf}[c.name]


@op("dhlo.next_after", elementwise=True)
def next_after(c: Call, x, y):
    """The neighbour of x on the way to y, in x's own format."""
    a, b, one = wide(x), wide(y), total_order(x).astype(np.int64)
    key = np.where(a < b, one + 1, one - 1)
    key = np.where((a == 0) & (a < b), 1, np.where((a == 0) & (a > b), -2, key))
    raw = np.where(key < 0, key ^ np.iinfo(f"i{x.dtype.itemsize}").max, key)
    moved = raw.astype(f"i{x.dtype.itemsize}").view(x.dtype)
    result = np.where(np.isnan(a) | np.isnan(b), np.array(np.nan).astype(x.dtype), np.where(a == b, y, moved))
    return result.astype(c.dtype())
