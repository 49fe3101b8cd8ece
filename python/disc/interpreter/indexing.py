"""Parts of tensors at given or computed places (StableHLO specification: slice, gather, scatter, ...)."""

from __future__ import annotations

import numpy as np

from .core import Call, CheckFailed, op
from .reductions import Reducer


def strided(c: Call, x: np.ndarray, start, limit, strides) -> np.ndarray:
    for n, lo, hi, step in zip(x.shape, start, limit, strides, strict=True):
        if not 0 <= lo <= hi <= n or step < 1:
            raise c.fail(f"slice [{lo}:{hi}:{step}] does not fit into size {n}", CheckFailed)
    return x[tuple(slice(int(lo), int(hi), int(s)) for lo, hi, s in zip(start, limit, strides))]


@op("dhlo.slice")
def slice_(c: Call, x):
    return strided(c, x, c.ints("start_indices"), c.ints("limit_indices"), c.ints("strides"))


@op("dhlo.real_dynamic_slice")
def real_dynamic_slice(c: Call, x, start, limit, strides):
    return strided(c, x, start.tolist(), limit.tolist(), strides.tolist())


def clamped(start, sizes, shape) -> list[int]:
    """Starts moved to where the box fits."""
    return [min(max(int(i), 0), n - size) for i, size, n in zip(start, sizes, shape, strict=True)]


@op("dhlo.dynamic_slice")
def dynamic_slice(c: Call, x, *start):
    size = c.ints("slice_sizes")
    return x[tuple(slice(i, i + n) for i, n in zip(clamped(start, size, x.shape), size))]


@op("dhlo.dynamic_update_slice")
def dynamic_update_slice(_: Call, x, update, *start):
    out = x.copy()
    out[tuple(slice(i, i + n) for i, n in zip(clamped(start, update.shape, x.shape), update.shape))] = update
    return out


def _index_vectors(indices: np.ndarray, dim: int) -> np.ndarray:
    """Indices with the vector's dimension last; added where it is implicit."""
    if dim == indices.ndim:
        return indices[..., None]
    return np.moveaxis(indices, dim, -1)


def gather(c: Call, x: np.ndarray, indices: np.ndarray, slice_sizes: list[int]) -> np.ndarray:
    """One slice for each index vector, its start clamped; offset dimensions go where `offset_dims` says."""
    f = c.fields("dimension_numbers")
    offset, collapsed = f.get("offset_dims", []), f.get("collapsed_slice_dims", [])
    batching, index_batching = f.get("operand_batching_dims", []), f.get("start_indices_batching_dims", [])
    vector_dim = f.get("index_vector_dim", 0)
    vectors = _index_vectors(indices, vector_dim)
    batch_shape = vectors.shape[:-1]
    batch_dims = [d for d in range(indices.ndim) if d != vector_dim]
    kept = [d for d in range(x.ndim) if d not in collapsed and d not in batching]
    out = np.empty((*batch_shape, *[slice_sizes[d] for d in kept]), x.dtype)
    for at in np.ndindex(batch_shape):
        start = [0] * x.ndim
        for d, i in zip(f.get("start_index_map", []), vectors[at], strict=True):
            start[d] = int(i)
        for d, i in zip(batching, index_batching, strict=True):
            start[d] = at[batch_dims.index(i)]
        box = tuple(slice(i, i + n) for i, n in zip(clamped(start, slice_sizes, x.shape), slice_sizes))
        out[at] = x[box].reshape(out.shape[len(batch_shape) :])
    # Dimensions now: batch ones, then offset ones.
    rank = out.ndim
    order, batch, inner = [], iter(range(len(batch_shape))), iter(range(len(batch_shape), rank))
    for d in range(rank):
        order.append(next(inner) if d in offset else next(batch))
    return out.transpose(order)


@op("dhlo.gather")
def gather_(c: Call, x, indices):
    return gather(c, x, indices, c.ints("slice_sizes"))


@op("dhlo.dynamic_gather")
def dynamic_gather(c: Call, x, indices, slice_sizes):
    return gather(c, x, indices, [int(v) for v in slice_sizes])


@op("dhlo.torch_index_select")
def torch_index_select(c: Call, x, index):
    dim, batch = c.value("dim"), c.value("batch_dims")
    index = np.clip(index, 0, x.shape[dim] - 1) if x.shape[dim] else index
    shape = (*x.shape[:dim], *index.shape[batch:], *x.shape[dim + 1 :])
    out = np.empty(shape, x.dtype)
    for at in np.ndindex(x.shape[:batch]):
        out[at] = np.take(x[at], index[at], axis=dim - batch)
    return out


@op("dhlo.scatter")
def scatter(c: Call, *operands):
    """Each element of the updates meets the element of the inputs that its indices name; outside ones are dropped."""
    n = len(c.types)
    inputs, indices, updates = operands[:n], operands[n], operands[n + 1 :]
    f = c.fields("scatter_dimension_numbers")
    window, inserted = f.get("update_window_dims", []), f.get("inserted_window_dims", [])
    batching, index_batching = f.get("input_batching_dims", []), f.get("scatter_indices_batching_dims", [])
    vector_dim = f.get("index_vector_dim", 0)
    vectors = _index_vectors(indices, vector_dim)
    batch_dims = [d for d in range(indices.ndim) if d != vector_dim]
    scatter_dims = [d for d in range(updates[0].ndim) if d not in window]
    kept = [d for d in range(inputs[0].ndim) if d not in inserted and d not in batching]
    reducer = Reducer(c, 0, inputs)
    wide = reducer.start(inputs)
    for at in np.ndindex(tuple(updates[0].shape[d] for d in scatter_dims)):
        base = [0] * inputs[0].ndim
        for d, i in zip(f.get("scatter_dims_to_operand_dims", []), vectors[at], strict=True):
            base[d] = int(i)
        for d, i in zip(batching, index_batching, strict=True):
            base[d] = at[batch_dims.index(i)]
        where = tuple(at[scatter_dims.index(d)] if d in scatter_dims else slice(None) for d in range(updates[0].ndim))
        extent = [1] * inputs[0].ndim
        for d, w in zip(kept, window, strict=True):
            extent[d] = updates[0].shape[w]
        low = [max(0, -b) for b in base]
        high = [max(lo, min(e, size - b)) for lo, e, b, size in zip(low, extent, base, inputs[0].shape)]
        box = tuple(slice(b + lo, b + hi) for b, lo, hi in zip(base, low, high))
        part = tuple(slice(lo, hi) for lo, hi in zip(low, high))
        if any(hi <= lo for lo, hi in zip(low, high)):
            continue
        old = [x[box] for x in wide]
        new = [u[where].reshape(extent)[part] for u in updates]
        for x, value in zip(wide, reducer.combine(old, new), strict=True):
            x[box] = value
    return reducer.finish(wide)
