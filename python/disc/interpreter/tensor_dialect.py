"""MLIR's tensor dialect, and bufferization's ops on tensors."""

from __future__ import annotations

import numpy as np

from .core import Call, op
from .shapes import pad, reshape, sizes

_DYNAMIC = -(1 << 63)


def mixed(c: Call, name: str, dynamic) -> list[int]:
    """`static_<name>` with the dynamic ones taken from `dynamic`, an iterator."""
    return [int(next(dynamic)) if v == _DYNAMIC else v for v in c.ints(f"static_{name}")]


def boxes(c: Call, operands) -> tuple[list[int], list[int], list[int]]:
    """(offsets, sizes, strides) of a slicing op."""
    dynamic = iter(operands)
    return mixed(c, "offsets", dynamic), mixed(c, "sizes", dynamic), mixed(c, "strides", dynamic)


def _box(offsets, counts, strides) -> tuple[slice, ...]:
    return tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s in zip(offsets, counts, strides))


@op("tensor.dim", "memref.dim")
def dim(c: Call, x, index):
    if not 0 <= int(index) < x.ndim:
        raise c.fail(f"no dimension {int(index)} in rank {x.ndim}")
    return np.array(x.shape[int(index)], np.int64)


@op("tensor.rank", "memref.rank")
def rank(_: Call, x):
    return np.array(x.ndim, np.int64)


@op("tensor.from_elements")
def from_elements(c: Call, *xs):
    return np.array([x[()] for x in xs], c.dtype()).reshape(c.types[0].shape)


@op("tensor.extract", elementwise=False)
def extract(c: Call, x, *at):
    at = tuple(int(i) for i in at)
    if any(not 0 <= i < n for i, n in zip(at, x.shape, strict=True)):
        raise c.fail(f"{list(at)} is outside of shape {list(x.shape)}")
    return x[at]


@op("tensor.insert")
def insert(_: Call, value, x, *at):
    out = x.copy()
    out[tuple(int(i) for i in at)] = value
    return out


@op("tensor.cast", "memref.cast")
def cast(_: Call, x):
    return x


@op("tensor.bitcast")
def bitcast(c: Call, x):
    return np.ascontiguousarray(x).view(c.dtype())


@op("tensor.empty", "bufferization.alloc_tensor")
def empty(c: Call, *known):
    """Elements nobody should read: recognizable ones."""
    if c.name == "bufferization.alloc_tensor" and c.attr("operandSegmentSizes") and c.ints("operandSegmentSizes")[1]:
        return known[c.ints("operandSegmentSizes")[0]].copy()
    return unwritten(c.shape(*[int(k) for k in known]), c.dtype())


def unwritten(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array of bytes 0xA5: values that no program computes."""
    out = np.empty(shape, dtype)
    if dtype == bool:
        out[...] = True
    else:
        out.reshape(-1).view(np.uint8)[...] = 0xA5
    return out


@op("tensor.splat")
def splat(c: Call, value, *known):
    return np.full(c.shape(*[int(k) for k in known]), value, c.dtype())


@op("tensor.generate")
def generate(c: Call, *known):
    out = np.empty(c.shape(*[int(k) for k in known]), c.dtype())
    for at in np.ndindex(out.shape):
        out[at] = c.region(0, *[np.array(i, np.int64) for i in at])[0]
    return out


@op("tensor.reshape")
def reshape_(c: Call, x, shape):
    return reshape(c, x, sizes(c, shape))


@op("tensor.collapse_shape")
def collapse_shape(c: Call, x):
    groups = [list(g) for g in c.attr("reassociation")]
    return x.reshape([int(np.prod([x.shape[int(d)] for d in g], dtype=np.int64)) for g in groups])


@op("tensor.expand_shape")
def expand_shape(c: Call, x, *known):
    return reshape(c, x, tuple(mixed(c, "output_shape", iter(known))))


@op("tensor.extract_slice")
def extract_slice(c: Call, x, *operands):
    part = x[_box(*boxes(c, operands))]
    shape = iter(part.shape)
    # Dimensions of size 1 may be dropped.
    kept = []
    for wanted in c.types[0].shape:
        size = next(shape)
        while wanted is not None and size != wanted and size == 1:
            size = next(shape)
        kept.append(size)
    return part.reshape(kept)


@op("tensor.insert_slice", "tensor.parallel_insert_slice")
def insert_slice(c: Call, x, into, *operands):
    offsets, counts, strides = boxes(c, operands)
    out = into.copy()
    out[_box(offsets, counts, strides)] = x.reshape(counts)
    return out


@op("tensor.concat")
def concat(c: Call, *xs):
    return np.concatenate(xs, c.value("dim"))


@op("tensor.pad")
def pad_(c: Call, x, *operands):
    dynamic = iter(operands)
    low, high = mixed(c, "low", dynamic), mixed(c, "high", dynamic)
    if not all(type_.shape == () or type_.dtype == np.int64 for type_ in c.blocks()[0].types):
        raise c.fail("no interpretation of this region")
    zero = c.region(0, *[np.zeros((), np.int64)] * x.ndim)[0]
    return pad(c, x, zero, low, high, [0] * x.ndim)


@op("bufferization.materialize_in_destination")
def materialize_in_destination(_: Call, x, into):
    return x


@op("bufferization.to_tensor", "bufferization.to_buffer", "bufferization.clone")
def to_tensor(c: Call, x):
    return x.copy() if c.name.endswith("clone") else x


@op("bufferization.dealloc_tensor")
def dealloc_tensor(*_):
    return []
