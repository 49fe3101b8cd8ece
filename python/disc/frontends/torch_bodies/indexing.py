"""Indexing by tensors of positions, negative ones and masks included; a position out of range is an error."""

from __future__ import annotations

from . import body
from .selection import SCATTER, common_sizes, coordinates, expand
from .text import Body, Size, Type, Value


class _Positions:
    """What `x[indices]` reads.

    dims:    the dimensions of `x` that are indexed
    starts:  i64 [common shape of the indices..., len(dims)], none negative
    windows: the dimensions of the result that are whole dimensions of `x`
    sizes:   the sizes of the result
    """

    def __init__(self, b: Body, x: Value, indices: list[Value | None]) -> None:
        columns: list[Value | None] = []
        for index in indices:
            if index is not None and index.element == "i1":
                columns += coordinates(b, index)
            else:
                columns.append(index)
        columns += [None] * (x.rank - len(columns))
        self.dims = [d for d, column in enumerate(columns) if column is not None]
        chosen = [b.convert(c, "i64") for c in columns if c is not None]
        common = common_sizes(b, chosen)
        last = len(common)
        parts = []
        for d, column in zip(self.dims, chosen):
            size = b.dim(x, d)
            column = _in_range(b, column, size, d)
            parts.append(b.reshape(expand(b, column, common), [*common, 1]))
        self.starts = b.concatenate(parts, last) if len(parts) > 1 else parts[0]
        # The indexed dimensions stand where the first of them was, or in front if others come between.
        adjacent = self.dims == list(range(self.dims[0], self.dims[-1] + 1))
        before = self.dims[0] if adjacent else 0
        kept = [d for d in range(x.rank) if d not in self.dims]
        self.windows = [i if i < before else i + last for i in range(len(kept))]
        rest = [b.dim(x, d) for d in kept]
        self.sizes: list[Size] = [*rest[:before], *common, *rest[before:]]
        self.vector = last


def _in_range(b: Body, index: Value, size: Size, d: int, wrap: bool = True) -> Value:
    """`index`, negative ones counted from the end where they `wrap`; checked against the dimension's size.

    One maximum over all of them tells: as an unsigned number a negative one is the largest. Flipping the sign's bit makes
    the order of unsigned numbers that of signed ones.
    """
    if wrap:
        extent = b.fill(b.tensor(size, index.element), b.sizes(index))
        index = b.map("select", b.compare("LT", index, b.like(0, index)), b.map("add", index, extent), index)
    sizes = b.sizes(index)
    if 0 in sizes:
        return index
    least = -(2**63)
    largest = b.convert(index, "i64")
    largest = b.map("xor", largest, b.like(least, largest))
    if index.rank:
        largest = b.reduce("maximum", largest, least, list(range(index.rank)))
    found, bound = b.arith("xori", b.scalar(largest), least), b.index(size)
    holds = b.test("ult", found, bound)
    for count in sizes:
        if isinstance(count, Value):
            holds = b.either(holds, b.test("eq", count, 0))
    told: Size = found
    if wrap:
        told = b.choose(b.test("slt", found, 0), b.arith("subi", found, bound), found)
    b.check(holds, f"index out of range of dimension {d}: found {{0}}, the size is {{1}}", [told, bound])
    return index


@body("aten.index.Tensor", "aten.index.Tensor_hacked_twin", "aten._unsafe_index.Tensor")
def index(b: Body, x: Value, indices: list[Value | None]) -> Value:
    at = _Positions(b, x, indices)
    listed, windows = ", ".join(map(str, at.dims)), ", ".join(map(str, at.windows))
    attributes = (
        f"dimension_numbers = #stablehlo.gather<offset_dims = [{windows}], collapsed_slice_dims = [{listed}], "
        f"start_index_map = [{listed}], index_vector_dim = {at.vector}>"
    )
    slices = b.shape([1 if d in at.dims else b.dim(x, d) for d in range(x.rank)])
    type = Type(tuple(s if isinstance(s, int) else None for s in at.sizes), x.element)
    return b.op("stablehlo.dynamic_gather", [x, at.starts, slices], type, attributes)


@body("aten.index_put", "aten.index_put.hacked_twin", "aten._unsafe_index_put", "aten._index_put_impl")
def index_put(
    b: Body, x: Value, indices: list[Value | None], values: Value, accumulate: bool = False, unsafe: bool = False
) -> Value:
    at = _Positions(b, x, indices)
    updates = b.convert(expand(b, values, at.sizes), x.element)
    attributes = SCATTER.format(
        windows=", ".join(map(str, at.windows)), inserted=", ".join(map(str, at.dims)), vector=at.vector
    )
    t = Type((), x.element)
    region = f'{{\n  ^bb0(%l: {t}, %r: {t}):\n    "stablehlo.return"(%r) : ({t}) -> ()\n  }}'
    if accumulate:
        region = b.region("add", x.element)
    return b.op("stablehlo.scatter", [x, at.starts, updates], x.type, attributes, region)


@body("disc.in_range")
def in_range(b: Body, index: Value, x: Value, dim: int, op: str) -> Value:
    """`index`, which `op` reads or writes along `dim` of `x`."""
    b.op_name = op
    d = dim % x.rank if x.rank else 0
    return _in_range(b, index, b.dim(x, d) if x.rank else 1, d, wrap=False)


@body("disc.slice")
def slice(b: Body, x: Value, dim: int, start: Size | None, end: Size | None, step: int = 1) -> Value:
    """`x[start:end:step]` along `dim` by Python's rules."""
    dim %= x.rank
    size = b.dim(x, dim)
    first = _bound(b, 0 if start is None else start, size)
    limit = b.arith("maxsi", first, _bound(b, size if end is None else end, size))
    starts: list[Size] = [0] * x.rank
    limits, steps, dims = b.sizes(x), [1] * x.rank, list(x.type.dims or ())
    starts[dim], limits[dim], steps[dim] = first, limit, step
    static = isinstance(first, int) and isinstance(limit, int)
    dims[dim] = -((first - limit) // step) if static else None
    return b.slice(x, starts, limits, steps, dims)


@body("disc.prefix")
def prefix(b: Body, x: Value, dim: int, end: Size) -> Value:
    """The first `end` elements along `dim`, which has that many."""
    limits: list[Size] = [b.index(end) if d == dim % x.rank else size for d, size in enumerate(b.sizes(x))]
    dims = [None if d == dim % x.rank else size for d, size in enumerate(x.type.dims or ())]
    return b.slice(x, [0] * x.rank, limits, [1] * x.rank, dims)


@body("aten.slice_scatter")
def slice_scatter(
    b: Body, x: Value, values: Value, dim: int = 0, start: Size | None = None, end: Size | None = None, step: int = 1
) -> Value:
    """`x` with `values` at `x[start:end:step]` along `dim`."""
    dim %= x.rank
    size, count = b.dim(x, dim), b.dim(values, dim)
    before = b.arith("minsi", _bound(b, 0 if start is None else start, size), size)
    covered = b.arith("maxsi", b.arith("addi", b.arith("muli", b.arith("subi", count, 1), step), 1), 0)
    after = b.arith("subi", b.arith("subi", size, before), covered)
    low: list[Size] = [0] * x.rank
    high, between = list(low), list(low)
    low[dim], high[dim], between[dim] = before, after, step - 1
    dims = x.type.dims or ()
    inside = b.pad(b.like(True, values, "i1"), b.constant(False, "i1"), low, high, dims, between)
    padded = b.pad(values, b.constant(0, x.element), low, high, dims, between)
    return b.map("select", inside, padded, x)


def _bound(b: Body, at: Size, size: Size) -> Size:
    if isinstance(at, int):
        at = at if at >= 0 else b.arith("addi", size, at)
        if isinstance(at, int) and at >= 2**62:
            return size
    else:
        at = b.index(at)
        negative, v = b.fresh(Type(None, "i1")), b.fresh(Type(None, "index"))
        b.line(f"{negative.name} = arith.cmpi slt, {at.name}, {b.index(0).name} : index")
        back = b.index(b.arith("addi", at, size))
        b.line(f"{v.name} = arith.select {negative.name}, {back.name}, {at.name} : index")
        at = v
    return b.arith("maxsi", b.arith("minsi", at, size), 0)
