"""MLIR's vector dialect, and the ops of the llvm dialect that kernels of vectors use. A vector is an array of its lanes."""

from __future__ import annotations

import re
from functools import reduce

import numpy as np

from .core import Call, op
from .numerics import maximum, minimum


@op("vector.broadcast")
def broadcast(c: Call, x):
    return np.full(c.shape(), x, c.dtype())


@op("vector.extract")
def extract(c: Call, x):
    return x[tuple(c.ints("static_position"))]


@op("vector.shuffle")
def shuffle(c: Call, x, y):
    return np.concatenate([x, y])[c.ints("mask")]


_KINDS = {
    "add": np.add,
    "mul": np.multiply,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "minsi": np.minimum,
    "maxsi": np.maximum,
    "minui": lambda x, y: x if x.view(f"u{x.itemsize}") < y.view(f"u{y.itemsize}") else y,
    "maxui": lambda x, y: x if x.view(f"u{x.itemsize}") > y.view(f"u{y.itemsize}") else y,
    "minimumf": minimum,
    "maximumf": maximum,
}


@op("vector.reduction")
def reduction(c: Call, x, *start):
    combine = _KINDS[re.search(r"<(\w+)>", str(c.attr("kind"))).group(1)]
    return np.asarray(reduce(combine, [*start, *x]), c.dtype())


def _lanes(c: Call, x: np.ndarray, at, lanes: int, mask: np.ndarray | None = None) -> tuple[np.ndarray, slice]:
    """The buffer as a row of elements, and the place of the lanes that are accessed, which must lie in it."""
    if not x.flags.c_contiguous:
        raise c.fail("the buffer is not contiguous")
    start = sum(int(i) * (s // x.itemsize) for i, s in zip(at, x.strides, strict=True))
    used = lanes if mask is None else max((int(i) + 1 for i in np.flatnonzero(mask)), default=0)
    if used and not 0 <= start <= start + used <= x.size:
        raise c.fail(f"elements {start} to {start + used - 1} are outside of a buffer of {x.size}")
    return x.reshape(-1), slice(start, start + used)


@op("vector.load")
def load(c: Call, x, *at):
    flat, place = _lanes(c, x, at, c.shape()[0])
    return flat[place].copy()


@op("vector.store")
def store(c: Call, value, x, *at):
    flat, place = _lanes(c, x, at, value.size)
    flat[place] = value
    return []


@op("vector.maskedload")
def maskedload(c: Call, x, *operands):
    *at, mask, otherwise = operands
    flat, place = _lanes(c, x, at, mask.size, mask)
    result, used = otherwise.copy(), mask[: place.stop - place.start]
    result[: used.size][used] = flat[place][used]
    return result


@op("vector.maskedstore")
def maskedstore(c: Call, x, *operands):
    *at, mask, value = operands
    flat, place = _lanes(c, x, at, mask.size, mask)
    used = mask[: place.stop - place.start]
    flat[place][used] = value[: used.size][used]
    return []


@op("llvm.intr.ldexp", elementwise=True)
def ldexp(c: Call, x, n):
    return np.ldexp(x, n.astype(np.int32)).astype(c.dtype())


@op("llvm.call_intrinsic")
def call_intrinsic(c: Call, *operands):
    if c.value("intrin") != "llvm.ldexp":
        raise c.fail(f"no interpretation of `{c.value('intrin')}`")
    return ldexp(c, *operands)


@op("llvm.fence")
def fence(_: Call):
    return []


@op("memref.extract_aligned_pointer_as_index")
def aligned_pointer(_: Call, x):
    return np.array(x.ctypes.data, np.int64)
