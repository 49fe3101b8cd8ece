"""Rounding and conversion: the numeric contract of docs/numerics.md, written down once for every op."""

from __future__ import annotations

import numpy as np

from .types import bits, kind


def wide(x: np.ndarray) -> np.ndarray:
    """A float array in f64, a complex one in complex128: what functions are computed in."""
    return x.astype(np.complex128 if kind(x.dtype) == "c" else np.float64)


def round_to(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """f64 (or longdouble, or complex128) to a narrower type with one rounding, to nearest even."""
    x = np.asarray(x)
    if dtype.itemsize >= 4 or dtype == np.float16 and x.dtype != np.longdouble or kind(dtype) == "c":
        return x.astype(dtype)
    return to_odd(x).astype(dtype)


def to_odd(x: np.ndarray) -> np.ndarray:
    """f32 whose last bit is set where it is not exact, so that a second rounding is right."""
    near = np.asarray(x.astype(np.float32))
    even = (near.view(np.int32) & 1) == 0
    inexact = (near.astype(x.dtype) != x) & ~np.isnan(x)
    towards = np.where(near.astype(x.dtype) < x, np.float32(np.inf), np.float32(-np.inf))
    return np.where(inexact & even, np.nextafter(near, towards), near).astype(np.float32)


def integer(x: np.ndarray) -> np.ndarray:
    """An array whose integers numpy computes with: 2 and 4 bits become 8."""
    if bits(x.dtype) in (2, 4):
        return x.astype(np.int8 if kind(x.dtype) == "i" else np.uint8)
    return x


def unsigned(x: np.ndarray) -> np.ndarray:
    """The bits of an integer array, zero above its width."""
    width = bits(x.dtype)
    x = np.asarray(integer(x))
    raw = x.view(f"u{x.dtype.itemsize}")
    return raw & raw.dtype.type((1 << width) - 1)


def convert(x: np.ndarray, to: np.dtype) -> np.ndarray:
    """`convert` of StableHLO: saturating float to integer, wrapping integer to integer, one rounding to floats."""
    source, target = kind(x.dtype), kind(to)
    if source == "c" and target != "c":
        x, source = x.real, "f"
    if x.dtype == to:
        return x.copy()
    if target == "b":
        return np.asarray(x != x.dtype.type(0)) if source != "f" else np.asarray(wide(x) != 0)
    if target == "c":
        return x.astype(to) if source == "c" else (wide(x) if source == "f" else x).astype(to)
    if target == "f":
        return round_to(wide(x) if source == "f" else integer(x).astype(np.longdouble), to)
    if source == "f":
        return saturate(wide(x), to)
    return integer(x).astype(to)


def saturate(x: np.ndarray, to: np.dtype) -> np.ndarray:
    """f64 to integer: truncates, saturates, NaN is 0."""
    width, signed = bits(to), kind(to) == "i"
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    whole = np.trunc(np.where(np.isnan(x), 0.0, x))
    inside = (whole > low) & (whole < float(high))
    exact = np.where(inside, whole, 0.0).astype(np.int64 if signed else np.uint64)
    clipped = np.where(whole >= float(high), np.array(high, exact.dtype), np.array(low, exact.dtype))
    return np.where(inside, exact, clipped).astype(to)


def same_bits(x: np.ndarray) -> np.ndarray:
    """The integers of the same bits."""
    return np.ascontiguousarray(x).reshape(x.shape).view(f"i{x.dtype.itemsize}")


def total_order(x: np.ndarray) -> np.ndarray:
    """Integers that are ordered as IEEE 754 orders floats: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN."""
    raw = same_bits(x)
    return np.where(raw < 0, raw ^ np.iinfo(raw.dtype).max, raw)


def less(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x < y; complex numbers by (re, im)."""
    if kind(x.dtype) == "c":
        return (x.real < y.real) | ((x.real == y.real) & (x.imag < y.imag))
    if kind(x.dtype) == "f":
        return np.asarray(wide(x) < wide(y))
    return np.asarray(integer(x) < integer(y))


def maximum(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """NaN wins, -0 < +0; of i1: or; complex by (re, im)."""
    if kind(x.dtype) in "fc":
        nan_x, nan_y = np.isnan(wide(x)), np.isnan(wide(y))
        take_y = (nan_y | less(x, y)) & ~nan_x
        if kind(x.dtype) == "f":
            zeros = (wide(x) == 0) & (wide(y) == 0)
            take_y = np.where(zeros, np.signbit(wide(x)), take_y)
        return np.where(take_y, y, x)
    return np.where(less(x, y), y, x)


def minimum(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if kind(x.dtype) in "fc":
        nan_x, nan_y = np.isnan(wide(x)), np.isnan(wide(y))
        take_y = (nan_y | less(y, x)) & ~nan_x
        if kind(x.dtype) == "f":
            zeros = (wide(x) == 0) & (wide(y) == 0)
            take_y = np.where(zeros, np.signbit(wide(y)), take_y)
        return np.where(take_y, y, x)
    return np.where(less(y, x), y, x)
