"""Ops that make tensors or move elements (StableHLO specification: constant, iota, reshape, pad, ...)."""

from __future__ import annotations

import numpy as np

from .core import Call, CheckFailed, op
from .numerics import convert
from .types import elements


@op("dhlo.constant", "arith.constant", elementwise=True)
def constant(c: Call):
    if "value" not in c.memo:
        if c.types[0].shape is None:
            attr = c.attr("value")
            c.memo["value"] = np.array(getattr(attr, "value", attr)).astype(c.types[0].dtype)
        else:
            c.memo["value"] = elements(c.op, "value").astype(c.types[0].dtype)
    return c.memo["value"].astype(c.dtype())


@op("ub.poison")
def poison(c: Call):
    """A scalar that is carried, but not read."""
    return np.zeros(c.types[0].shape or (), c.dtype())


@op("dhlo.constant_like", elementwise=True)
def constant_like(c: Call, x):
    return np.full(x.shape, c.value("value")).astype(c.dtype())


def iota(shape: tuple[int, ...], dim: int, dtype: np.dtype) -> np.ndarray:
    along = convert(np.arange(shape[dim]), dtype)
    return np.broadcast_to(along.reshape([-1 if i == dim else 1 for i in range(len(shape))]), shape).copy()


@op("dhlo.iota")
def iota_(c: Call):
    return iota(c.shape(), c.value("iota_dimension"), c.dtype())


@op("dhlo.dynamic_iota")
def dynamic_iota(c: Call, shape):
    return iota(sizes(c, shape), c.value("iota_dimension"), c.dtype())


def sizes(c: Call, tensor: np.ndarray) -> tuple[int, ...]:
    """Sizes that a tensor holds; checked."""
    result = tuple(int(v) for v in tensor)
    if any(v < 0 for v in result):
        raise c.fail(f"sizes {list(result)} are negative", CheckFailed)
    return result


def reshape(c: Call, x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if int(np.prod(shape, dtype=np.int64)) != x.size:
        raise c.fail(f"{x.size} elements of shape {list(x.shape)} do not fill {list(shape)}", CheckFailed)
    return x.reshape(shape)


@op("dhlo.reshape")
def reshape_(c: Call, x):
    """At most one dynamic size follows from the count; of several, each is the operand's in the same place."""
    shape = c.types[0].shape
    if shape.count(None) <= 1:
        known = int(np.prod([s for s in shape if s is not None], dtype=np.int64))
        return reshape(c, x, c.shape(*[x.size // known if known else 0] * shape.count(None)))
    dynamic = [size for size, s in zip(x.shape, c.operand_types[0].shape, strict=True) if s is None]
    return reshape(c, x, c.shape(*dynamic))


@op("dhlo.dynamic_reshape")
def dynamic_reshape(c: Call, x, shape):
    return reshape(c, x, sizes(c, shape))


@op("dhlo.broadcast")
def broadcast(c: Call, x):
    return np.broadcast_to(x, (*c.ints("broadcast_sizes"), *x.shape)).copy()


def broadcast_in_dim(c: Call, x: np.ndarray, dims: list[int], shape: tuple[int, ...]) -> np.ndarray:
    """Dimension i of x is dims[i] of the result, or 1 and repeated."""
    for i, dim in enumerate(dims):
        if x.shape[i] not in (1, shape[dim]):
            raise c.fail(f"dimension {i} has size {x.shape[i]}, expected 1 or {shape[dim]}", CheckFailed)
    order = sorted(range(len(dims)), key=dims.__getitem__)
    aligned = [1] * len(shape)
    for i, dim in enumerate(dims):
        aligned[dim] = x.shape[i]
    return np.broadcast_to(x.transpose(order).reshape(aligned), shape).copy()


@op("dhlo.broadcast_in_dim")
def broadcast_in_dim_(c: Call, x):
    dims = c.ints("broadcast_dimensions")
    shape = [s if s is not None else 1 for s in c.types[0].shape]
    for i, dim in enumerate(dims):
        if c.types[0].shape[dim] is None:
            shape[dim] = x.shape[i]
    return broadcast_in_dim(c, x, dims, tuple(shape))


@op("dhlo.dynamic_broadcast_in_dim")
def dynamic_broadcast_in_dim(c: Call, x, shape):
    return broadcast_in_dim(c, x, c.ints("broadcast_dimensions"), sizes(c, shape))


@op("dhlo.transpose")
def transpose(c: Call, x):
    return x.transpose(c.ints("permutation"))


@op("dhlo.reverse")
def reverse(c: Call, x):
    return np.flip(x, c.ints("dimensions"))


@op("dhlo.concatenate")
def concatenate(c: Call, *xs):
    return np.concatenate(xs, c.value("dimension"))


def pad(c: Call, x: np.ndarray, fill: np.ndarray, low: list[int], high: list[int], interior: list[int]) -> np.ndarray:
    """Negative low and high take elements away."""
    spread = [max(n + (n - 1) * i, 0) if n else 0 for n, i in zip(x.shape, interior, strict=True)]
    shape = [n + lo + hi for n, lo, hi in zip(spread, low, high, strict=True)]
    if any(n < 0 for n in shape):
        raise c.fail(f"padding gives negative sizes {shape}", CheckFailed)
    out = np.full(shape, fill, x.dtype)
    if x.size == 0:
        return out
    to, take = [], []
    for n, lo, i, total in zip(x.shape, low, interior, shape):
        kept = [k for k in range(n) if 0 <= lo + k * (i + 1) < total]
        take.append(kept)
        to.append([lo + k * (i + 1) for k in kept])
    out[np.ix_(*to)] = x[np.ix_(*take)]
    return out


@op("dhlo.pad")
def pad_(c: Call, x, fill):
    return pad(c, x, fill, c.ints("edge_padding_low"), c.ints("edge_padding_high"), c.ints("interior_padding"))


@op("dhlo.dynamic_pad")
def dynamic_pad(c: Call, x, fill, low, high, interior):
    return pad(c, x, fill, *[[int(v) for v in a] for a in (low, high, interior)])


@op("dhlo.get_dimension_size")
def get_dimension_size(c: Call, x):
    return np.array(x.shape[c.value("dimension")], c.dtype())


@op("dhlo.set_dimension_size")
def set_dimension_size(c: Call, x, size):
    dim = c.value("dimension")
    if not 0 <= int(size) <= x.shape[dim]:
        raise c.fail(f"size {int(size)} is not within 0 and {x.shape[dim]}", CheckFailed)
    return x[(slice(None),) * dim + (slice(0, int(size)),)]


@op("dhlo.tie_shape")
def tie_shape(c: Call, x, *known):
    expected = c.shape(*[int(k) for k in known])
    if x.shape != expected:
        raise c.fail(f"the tensor has shape {list(x.shape)}, tied to {list(expected)}")
    return x


@op("dhlo.optimization_barrier")
def optimization_barrier(_: Call, *xs):
    return list(xs)
