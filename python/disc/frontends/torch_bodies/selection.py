"""Ops whose sizes depend on data: nonzero, masked_select, repeat_interleave."""

from __future__ import annotations

from typing import Any

from . import body
from .scans import cumulative_sum
from .text import Body, Size, Type, Value

SCATTER = (
    "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [{windows}], "
    "inserted_window_dims = [{inserted}], scatter_dims_to_operand_dims = [{inserted}], index_vector_dim = {vector}>"
)


def scatter(b: Body, x: Value, index: Value, updates: Value, how: str) -> Value:
    """`x` with `updates` at `index`, all of rank 1; how: "set" or an op. What is out of range is dropped."""
    t = Type((), x.element)
    if how == "set":
        region = f'{{\n  ^bb0(%l: {t}, %r: {t}):\n    "stablehlo.return"(%r) : ({t}) -> ()\n  }}'
    else:
        region = b.region(how, x.element)
    attributes = SCATTER.format(windows="", inserted=0, vector=1)
    return b.op("stablehlo.scatter", [x, index, updates], x.type, attributes, region)


def positions(b: Body, x: Value) -> tuple[Value, Size]:
    """Flat positions of the elements of `x` that are not zero, and their number."""
    x = b.flat(x)
    mask = b.compare("NE", x, b.like(0, x)) if x.element != "i1" else x
    length = b.dim(x, 0)
    ones = b.convert(mask, "i64")
    count = b.scalar(b.reduce("add", ones, 0, [0]))
    before = b.map("subtract", cumulative_sum(b, ones, 0), ones)
    target = b.map("select", mask, before, b.fill(b.tensor(length), [length]))
    empty = b.fill(b.constant(0, "i64"), [count])
    return scatter(b, empty, target, b.iota([length], 0), "set"), count


def coordinates(b: Body, x: Value) -> list[Value]:
    """One i64 tensor a dimension of `x`: where its elements that are not zero are."""
    flat, count = positions(b, x)
    columns: list[Value] = []
    for d in reversed(range(x.rank)):
        size = b.fill(b.tensor(b.dim(x, d)), [count])
        columns.insert(0, b.map("remainder", flat, size) if d else flat)
        flat = b.map("divide", flat, size) if d else flat
    return columns


@body("aten.nonzero")
def nonzero(b: Body, x: Value) -> Value:
    if not x.rank:
        _, count = positions(b, b.reshape(x, [1]))
        return b.fill(b.constant(0, "i64"), [count, 0])
    columns = coordinates(b, x)
    count = b.dim(columns[0], 0)
    return b.concatenate([b.reshape(column, [count, 1]) for column in columns], 1)


def take_flat(b: Body, x: Value, flat: Value) -> Value:
    """Elements of `x`, seen as flat, at the positions `flat`."""
    attributes = (
        "dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>"
    )
    return b.op("stablehlo.gather", [b.flat(x), flat], Type(flat.type.dims, x.element), attributes)


@body("aten.masked_select")
def masked_select(b: Body, x: Value, mask: Value) -> Value:
    sizes = common_sizes(b, [x, mask])
    flat, _ = positions(b, expand(b, mask, sizes))
    return take_flat(b, expand(b, x, sizes), flat)


@body("aten.repeat_interleave.Tensor")
def repeat_interleave(b: Body, repeats: Value, output_size: Any = None) -> Value:
    """Index i, repeats[i] times: ones at the ends of the runs, summed up."""
    element = repeats.element
    ends = cumulative_sum(b, b.convert(repeats, "i64"), 0)
    total = b.scalar(b.reduce("add", b.convert(repeats, "i64"), 0, [0]))
    starts = scatter(b, b.fill(b.constant(0, "i64"), [total]), ends, b.like(1, ends), "add")
    return b.convert(cumulative_sum(b, starts, 0), element)


def common_sizes(b: Body, xs: list[Value]) -> list[Size]:
    """What the shapes of `xs` broadcast to; unknown sizes may be 1 at run time."""
    rank = max(x.rank for x in xs)
    sizes: list[Size] = [1] * rank
    for x in xs:
        for d, size in enumerate(b.sizes(x), rank - x.rank):
            sizes[d] = _common(b, sizes[d], size)
    return sizes


def _common(b: Body, a: Size, c: Size) -> Size:
    if a == c or c == 1:
        return a
    if a == 1 or isinstance(c, int):
        return c
    if isinstance(a, int):
        return a
    one, same, v = b.index(1), b.fresh(Type(None, "i1")), b.fresh(Type(None, "index"))
    b.line(f"{same.name} = arith.cmpi eq, {b.index(a).name}, {one.name} : index")
    b.line(f"{v.name} = arith.select {same.name}, {b.index(c).name}, {b.index(a).name} : index")
    return v


def expand(b: Body, x: Value, sizes: list[Size]) -> Value:
    if x.rank == len(sizes) and b.sizes(x) == sizes:
        return x
    return b.broadcast(x, sizes, range(len(sizes) - x.rank, len(sizes)))
