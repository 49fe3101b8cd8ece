"""Bits: logic, shifts, counts, bitcasts (StableHLO specification: and, shift_left, popcnt, bitcast_convert, ...)."""

from __future__ import annotations

import numpy as np

from .core import Call, op
from .elementwise import wrap
from .numerics import integer, same_bits, unsigned
from .types import bits, kind

@op("dhlo.and", elementwise=True)
def and_(c: Call, x, y):
    return wrap(integer(x) & integer(y), c.dtype())


@op("dhlo.or", elementwise=True)
def or_(c: Call, x, y):
    return wrap(integer(x) | integer(y), c.dtype())


@op("dhlo.xor", elementwise=True)
def xor(c: Call, x, y):
    return wrap(integer(x) ^ integer(y), c.dtype())


@op("dhlo.not", elementwise=True)
def not_(c: Call, x):
    return wrap(~integer(x), c.dtype())


def shift(x: np.ndarray, by: np.ndarray, how: str) -> np.ndarray:
    """Shifts by the width or more, or by a negative amount: 0; `sra`: the sign."""
    width, amount = bits(x.dtype), unsigned(by).astype(np.uint64)
    inside = np.minimum(amount, np.uint64(63))
    out = amount >= width
    if how == "sra":
        signed = integer(x).astype(np.int64)
        if kind(x.dtype) == "u":
            signed = np.where(signed >> (width - 1) & 1, signed - (1 << width) if width < 64 else signed, signed)
        return (signed >> np.where(out, 63, inside).astype(np.int64)).astype(x.dtype)
    raw = unsigned(x).astype(np.uint64)
    raw = raw << inside if how == "shl" else raw >> inside
    return np.where(out, np.uint64(0), raw).astype(x.dtype)


@op("dhlo.shift_left", elementwise=True)
def shift_left(_: Call, x, y):
    return shift(x, y, "shl")


@op("dhlo.shift_right_logical", elementwise=True)
def shift_right_logical(_: Call, x, y):
    return shift(x, y, "srl")


@op("dhlo.shift_right_arithmetic", elementwise=True)
def shift_right_arithmetic(_: Call, x, y):
    return shift(x, y, "sra")


@op("dhlo.popcnt", elementwise=True)
def popcnt(c: Call, x):
    return np.bitwise_count(unsigned(x)).astype(c.dtype())


@op("dhlo.count_leading_zeros", elementwise=True)
def count_leading_zeros(c: Call, x):
    raw, width = unsigned(x), bits(x.dtype)
    return sum(((raw >> n) == 0).astype(np.int8) for n in range(width)).astype(c.dtype())


@op("dhlo.mulhi", elementwise=True)
def mulhi(c: Call, x, y):
    product = integer(x).astype(object) * integer(y).astype(object)
    high = np.asarray(product >> bits(x.dtype), dtype=object)
    return high.astype(np.uint64 if kind(x.dtype) == "u" else np.int64).astype(c.dtype())


@op("dhlo.bitcast_convert")
def bitcast_convert(c: Call, x):
    """Elements of fewer bits are the last dimension, the lowest bits first."""
    dtype, old, new = c.dtype(), bits(x.dtype), bits(c.dtype())
    if old == new:
        return x.astype(dtype) if old < 8 else np.ascontiguousarray(x).reshape(x.shape).view(dtype)
    if old < 8 or new < 8:
        raw = unsigned(x) if kind(x.dtype) in "iu" else same_bits(x).view(f"u{x.dtype.itemsize}")
        if new < old:
            parts = [(raw >> n) & ((1 << new) - 1) for n in range(0, old, new)]
            return np.stack(parts, -1).astype(dtype)
        raw = raw.astype(np.uint64)
        whole = sum(raw[..., n] << np.uint64(n * old) for n in range(new // old))
        return whole.astype(f"u{dtype.itemsize}").view(dtype)
    flat = np.ascontiguousarray(x)
    if new < old:
        return flat.reshape(*x.shape, 1).view(dtype)
    return flat.view(dtype).reshape(x.shape[:-1])


@op("dhlo.reduce_precision", elementwise=True)
def reduce_precision(c: Call, x):
    """Rounds the mantissa's bits to nearest even; what the exponent cannot hold becomes 0 or infinity."""
    exponent, mantissa = c.value("exponent_bits"), c.value("mantissa_bits")
    width, own = bits(x.dtype), {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}.get(x.dtype.name)
    if own is None:
        raise c.fail(f"no interpretation for elements of {x.dtype}")
    raw = np.array([int(v) & ((1 << width) - 1) for v in same_bits(x).ravel()], dtype=object).reshape(x.shape)
    sign_bit, dropped, own_exponent = 1 << (width - 1), own - mantissa, width - 1 - own

    def one(value: int) -> int:
        sign_part, size = value & sign_bit, value & (sign_bit - 1)
        infinity = ((1 << own_exponent) - 1) << own
        if size > infinity:
            return sign_part | (size if mantissa else infinity)
        if dropped > 0:
            size += (1 << (dropped - 1)) - 1 + (size >> dropped & 1)
            size = size >> dropped << dropped
        if exponent < own_exponent and size < infinity:
            bias, small = (1 << (own_exponent - 1)) - 1, (1 << (exponent - 1)) - 1
            if size >> own > bias + small:
                return sign_part | infinity
            if size >> own <= bias - small:
                return sign_part
        return sign_part | min(size, infinity)

    result = np.array([one(v) for v in raw.ravel()], dtype=object).astype(f"u{x.dtype.itemsize}").reshape(x.shape)
    return result.view(x.dtype)
