"""Ops that fold or order elements by a region (StableHLO specification: reduce, reduce_window, sort, map, ...)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np

from .core import Call, CheckFailed, op
from .numerics import round_to, wide
from .types import kind, narrow_float

_WIDENED = {"dhlo.add", "dhlo.multiply", "dhlo.maximum", "dhlo.minimum"}


class Reducer:
    """A region that combines accumulators with elements. Sums of floats accumulate in f64; products, maxima and minima
    of f16, bf16 and f8 in f32: rounded once."""

    def __init__(self, c: Call, region: int, like: Sequence[np.ndarray]) -> None:
        self.c, self.region, self.dtypes = c, region, [x.dtype for x in like]
        single = c.blocks()[region].single
        self.sums = single == "dhlo.add" and kind(self.dtypes[0]) in "fc"
        self.widens = single in _WIDENED and narrow_float(self.dtypes[0])

    def start(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Accumulators that hold `arrays`."""
        if self.sums:
            return [wide(x) for x in arrays]
        return [x.astype(np.float32) if self.widens else x.copy() for x in arrays]

    def combine(self, accumulators: Sequence[np.ndarray], xs: Sequence[np.ndarray]) -> list[np.ndarray]:
        if self.sums:
            return [accumulators[0] + wide(xs[0])]
        xs = [np.broadcast_to(x, a.shape).astype(a.dtype) for x, a in zip(xs, accumulators, strict=True)]
        return self.c.map_region(self.region, *accumulators, *xs, widen=self.widens)

    def finish(self, accumulators: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Accumulators in the types of the results."""
        return [round_to(a, d) if a.dtype != d else a for a, d in zip(accumulators, self.dtypes, strict=True)]


@op("dhlo.reduce")
def reduce(c: Call, *operands):
    n = len(c.types)
    xs, inits, dims = operands[:n], operands[n:], c.ints("dimensions")
    if len({x.shape for x in xs}) > 1:
        raise c.fail(f"operands have different sizes: {[list(x.shape) for x in xs]}", CheckFailed)
    kept = [d for d in range(xs[0].ndim) if d not in dims]
    shape = tuple(xs[0].shape[d] for d in kept)
    rows = [x.transpose([*dims, *kept]).reshape(-1, *shape) if x.size else x for x in xs]
    reducer = Reducer(c, 0, xs)
    accumulators = reducer.start([np.broadcast_to(init, shape) for init in inits])
    if not xs[0].size:
        return reducer.finish(accumulators)
    if reducer.sums:
        return reducer.finish([accumulators[0] + wide(rows[0]).sum(0)])
    for k in range(rows[0].shape[0]):
        accumulators = reducer.combine(accumulators, [row[k] for row in rows])
    return reducer.finish(accumulators)


def padded(x: np.ndarray, fill: np.ndarray, dilation: Sequence[int], padding: np.ndarray) -> np.ndarray:
    """x with `dilation - 1` elements between its own and `padding` (low, high) around, also negative."""
    spread = np.full([max(0, (n - 1) * d + 1) if n else 0 for n, d in zip(x.shape, dilation)], fill, x.dtype)
    spread[tuple(slice(None, None, d) for d in dilation)] = x
    out = np.pad(spread, [(max(lo, 0), max(hi, 0)) for lo, hi in padding], constant_values=fill)
    return out[tuple(slice(max(-lo, 0), n - max(-hi, 0)) for (lo, hi), n in zip(padding, out.shape))]


def positions(sizes: Sequence[int], window: Sequence[int], strides: Sequence[int], dilation: Sequence[int]) -> tuple:
    """How often a window fits, in every dimension."""
    spans = [(w - 1) * d + 1 if w else 0 for w, d in zip(window, dilation)]
    return tuple((n - e) // s + 1 if n and n >= e else 0 for n, e, s in zip(sizes, spans, strides))


def windows(x: np.ndarray, counts: Sequence[int], at: Sequence[int], strides, dilation) -> np.ndarray:
    """The element at place `at` of every window."""
    starts = [a * d for a, d in zip(at, dilation)]
    return x[tuple(slice(i, i + (n - 1) * s + 1 if n else i, s) for i, n, s in zip(starts, counts, strides))]


def _window(c: Call, rank: int) -> tuple[list[int], list[int], list[int], np.ndarray]:
    ones = [1] * rank
    padding = np.array(c.ints("padding", [0] * 2 * rank), int).reshape(rank, 2)
    return c.ints("window_strides", ones), c.ints("base_dilations", ones), c.ints("window_dilations", ones), padding


@op("dhlo.reduce_window")
def reduce_window(c: Call, *operands):
    """Padding and holes have the initial value, which is folded too."""
    n = len(c.types)
    xs, inits, size = operands[:n], operands[n:], c.ints("window_dimensions")
    strides, base, dilation, padding = _window(c, xs[0].ndim)
    full = [padded(x, init, base, padding) for x, init in zip(xs, inits, strict=True)]
    counts = positions(full[0].shape, size, strides, dilation)
    reducer = Reducer(c, 0, xs)
    accumulators = reducer.start([np.broadcast_to(init, counts) for init in inits])
    for at in np.ndindex(*size):
        accumulators = reducer.combine(accumulators, [windows(x, counts, at, strides, dilation) for x in full])
    return reducer.finish(accumulators)


def dynamic_reduce_window(c: Call, *operands):
    """A custom call of this name: windows and padding are operands, a function is the reducer."""
    n = len(c.types)
    xs, inits = operands[:n], operands[n : 2 * n]
    size, strides, base, dilation, padding = (np.asarray(o).ravel().tolist() for o in operands[2 * n :])
    reducer = c.attr("called_computations")[0].value
    around = np.array(padding, int).reshape(-1, 2)
    full = [padded(x, init, base, around) for x, init in zip(xs, inits, strict=True)]
    counts = positions(full[0].shape, size, strides, dilation)
    sums = [np.array(np.broadcast_to(init, counts)) for init in inits]
    for at in np.ndindex(*size):
        elements = [windows(x, counts, at, strides, dilation) for x in full]
        for place in np.ndindex(counts):
            results = c.machine.call(reducer, [np.asarray(v[place]) for v in (*sums, *elements)])
            for sum_, result in zip(sums, results, strict=True):
                sum_[place] = result
    return sums


@op("dhlo.select_and_scatter")
def select_and_scatter(c: Call, x, source, init):
    """In every window `select` keeps one element, never padding; there `scatter` combines the source's element."""
    rank = x.ndim
    size = c.ints("window_dimensions", [1] * rank)
    strides, _, _, padding = _window(c, rank)
    reducer = Reducer(c, 1, [x])
    out = reducer.start([np.broadcast_to(init, x.shape)])[0]
    for window in np.ndindex(source.shape):
        best = None
        for at in itertools.product(*[range(w) for w in size]):
            place = tuple(int(p * s + a - lo) for p, s, a, (lo, _) in zip(window, strides, at, padding))
            if any(not 0 <= i < n for i, n in zip(place, x.shape)):
                continue
            if best is None or not c.region(0, x[best].reshape(()), x[place].reshape(()))[0]:
                best = place
        if best is not None:
            value = reducer.combine([np.asarray(out[best])], [np.asarray(source[window])])
            out[best] = value[0]
    return reducer.finish([out])


@op("dhlo.sort")
def sort(c: Call, *xs):
    """Stable. `comparator` says whether its first element comes before its second; each pair is asked once."""
    dim = c.value("dimension", -1) % max(xs[0].ndim, 1)
    moved = [np.moveaxis(x, dim, -1) for x in xs]
    outs = [np.empty_like(m) for m in moved]
    n = moved[0].shape[-1]
    for at in np.ndindex(moved[0].shape[:-1]):
        rows = [m[at] for m in moved]
        pairs = [np.broadcast_to(side, (n, n)) for row in rows for side in (row[:, None], row[None, :])]
        before = c.map_region(0, *pairs)[0] if n else np.zeros((0, 0), bool)
        order = sorted(range(n), key=functools.cmp_to_key(lambda i, j, b=before: int(b[j, i]) - int(b[i, j])))
        for out, row in zip(outs, rows):
            out[at] = row[order]
    return [np.moveaxis(out, -1, dim) for out in outs]


@op("dhlo.map")
def map_(c: Call, *xs):
    return c.map_region(0, *xs)


@op("dhlo.top_k")
def top_k(c: Call, x):
    """The k largest: NaN first, equal ones by position."""
    k, flat = c.value("k"), wide(x) if kind(x.dtype) == "f" else x
    outs = np.empty((*x.shape[:-1], k), x.dtype), np.empty((*x.shape[:-1], k), c.dtype(1))
    for at in np.ndindex(x.shape[:-1]):
        row = flat[at]
        floats = row.dtype.kind == "f"
        key = [(not np.isnan(v), -v) if floats else -int(v) for v in row]
        order = sorted(range(len(row)), key=key.__getitem__)
        outs[0][at], outs[1][at] = x[at][order[:k]], order[:k]
    return list(outs)


@op("dhlo.scan")
def scan(c: Call, *operands):
    """The region maps (one slice of each input, carries) to (one slice of each output, carries)."""
    n_in, n_out = [int(v) for v in c.ints("operandSegmentSizes")][0], [int(v) for v in c.ints("resultSegmentSizes")][0]
    inputs, carries, dim = operands[:n_in], list(operands[n_in:]), c.value("dimension")
    steps = inputs[0].shape[dim] if inputs else 0
    order = range(steps - 1, -1, -1) if c.value("is_reverse", False) else range(steps)
    slices: dict[int, list[np.ndarray]] = {}
    for k in order:
        results = c.region(0, *[np.take(x, k, dim) for x in inputs], *carries)
        slices[k], carries = results[:n_out], list(results[n_out:])
    outs = []
    for i in range(n_out):
        rest = tuple(s for d, s in enumerate(inputs[0].shape) if d != dim)
        parts = [slices[k][i] for k in range(steps)]
        outs.append(np.stack(parts, dim) if parts else np.empty((*rest[:dim], 0, *rest[dim:]), c.dtype(i)))
    return [*outs, *carries]
