"""MLIR's shape dialect: a shape is a vector of sizes, a size a number, a witness a bool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .core import Call, CheckFailed, op


def _vector(sizes: Sequence[int]) -> np.ndarray:
    return np.array([int(s) for s in sizes], np.int64)


def _size(value: int) -> np.ndarray:
    return np.array(int(value), np.int64)


@op("shape.shape_of")
def shape_of(_: Call, x):
    return _vector(x.shape)


@op("shape.const_shape")
def const_shape(c: Call):
    return _vector(c.ints("shape"))


@op("shape.const_size")
def const_size(c: Call):
    return _size(c.value("value"))


@op("shape.const_witness")
def const_witness(c: Call):
    return np.array(c.value("passing"))


@op("shape.dim")
def dim(c: Call, x, index):
    return _size(x.shape[int(index)])


@op("shape.get_extent")
def get_extent(_: Call, shape, index):
    return _size(shape[int(index)])


@op("shape.rank")
def rank(_: Call, shape):
    return _size(len(shape))


@op("shape.num_elements")
def num_elements(_: Call, shape):
    return _size(np.prod(shape, dtype=np.int64))


@op("shape.broadcast")
def broadcast(c: Call, *shapes):
    try:
        return _vector(np.broadcast_shapes(*[tuple(int(v) for v in s) for s in shapes]))
    except ValueError:
        raise c.fail(f"shapes {[list(map(int, s)) for s in shapes]} do not broadcast", CheckFailed) from None


@op("shape.is_broadcastable", "shape.cstr_broadcastable")
def is_broadcastable(_: Call, *shapes):
    try:
        np.broadcast_shapes(*[tuple(int(v) for v in s) for s in shapes])
        return np.array(True)
    except ValueError:
        return np.array(False)


@op("shape.shape_eq", "shape.cstr_eq")
def shape_eq(_: Call, *shapes):
    return np.array(all(np.array_equal(shapes[0], s) for s in shapes))


@op("shape.cstr_require", "shape.value_of")
def same(_: Call, value):
    return value


@op("shape.assuming_all")
def assuming_all(_: Call, *witnesses):
    return np.array(all(witnesses))


@op("shape.assuming")
def assuming(c: Call, witness):
    if not witness:
        raise c.fail("the sizes do not fit", CheckFailed)
    return c.region(0)


@op("shape.to_extent_tensor", "shape.from_extent_tensor", "shape.value_as_shape")
def to_extent_tensor(_: Call, shape):
    return _vector(shape)


@op("shape.from_extents")
def from_extents(_: Call, *sizes):
    return _vector(sizes)


@op("shape.index_to_size", "shape.size_to_index")
def index_to_size(_: Call, size):
    return _size(size)


@op("shape.concat")
def concat(_: Call, x, y):
    return _vector([*x, *y])


@op("shape.split_at")
def split_at(_: Call, shape, index):
    at = int(index) + (len(shape) if index < 0 else 0)
    return [_vector(shape[:at]), _vector(shape[at:])]


@op("shape.add")
def add(_: Call, x, y):
    return _size(x + y)


@op("shape.mul")
def mul(_: Call, x, y):
    return _size(x * y)


@op("shape.div")
def div(_: Call, x, y):
    return _size(x // y)


@op("shape.max", "shape.any", "shape.meet")
def maximum(_: Call, x, y):
    return np.maximum(x, y)


@op("shape.min")
def minimum(_: Call, x, y):
    return np.minimum(x, y)
