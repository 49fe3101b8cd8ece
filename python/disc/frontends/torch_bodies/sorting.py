"""Sorts along a dimension, with the positions of the elements; NaN is greater than all numbers, as torch has it."""

from __future__ import annotations

from . import body
from .text import Body, Size, Value, is_float


def _comparator(element: str, descending: bool) -> str:
    """A region on (value, value, position, position): whether the first pair comes first."""
    t, i, p = f"tensor<{element}>", "tensor<i64>", "tensor<i1>"
    kind = "FLOAT" if is_float(element) else "UNSIGNED" if element.startswith("ui") or element == "i1" else "SIGNED"

    def compare(name: str, direction: str, x: str, y: str) -> str:
        return (
            f'    %{name} = "stablehlo.compare"({x}, {y}) {{comparison_direction = #stablehlo<comparison_direction '
            f"{direction}>, compare_type = #stablehlo<comparison_type {kind}>}} : ({t}, {t}) -> {p}\n"
        )

    text = f"{{\n  ^bb0(%l: {t}, %r: {t}, %li: {i}, %ri: {i}):\n"
    text += compare("before", "GT" if descending else "LT", "%l", "%r")
    result = "%before"
    if is_float(element):
        nan, number = ("%l", "%r") if descending else ("%r", "%l")
        text += compare("nan", "NE", nan, nan) + compare("number", "EQ", number, number)
        text += f'    %mixed = "stablehlo.and"(%nan, %number) : ({p}, {p}) -> {p}\n'
        text += f'    %first = "stablehlo.or"(%before, %mixed) : ({p}, {p}) -> {p}\n'
        result = "%first"
    return text + f'    "stablehlo.return"({result}) : ({p}) -> ()\n  }}'


def sorted_with_positions(b: Body, x: Value, dim: int, descending: bool = False) -> list[Value]:
    """`x` in order along `dim`, and where its elements were; equal ones keep their order."""
    if not x.rank:
        return [x, b.constant(0, "i64")]
    dim %= x.rank
    operands = [x, b.iota(b.sizes(x), dim)]
    attributes = f"dimension = {dim} : i64, is_stable = true"
    types = [v.type for v in operands]
    return b.ops("stablehlo.sort", operands, types, attributes, _comparator(x.element, descending))


@body("aten.sort")
def sort(b: Body, x: Value, dim: int = -1, descending: bool = False) -> list[Value]:
    return sorted_with_positions(b, x, dim, descending)


@body("aten.sort.stable")
def sort_stable(b: Body, x: Value, stable: bool | None, dim: int = -1, descending: bool = False) -> list[Value]:
    return sorted_with_positions(b, x, dim, descending)


@body("aten.argsort")
def argsort(b: Body, x: Value, dim: int = -1, descending: bool = False) -> Value:
    return sorted_with_positions(b, x, dim, descending)[1]


@body("aten.topk")
def topk(b: Body, x: Value, k: Size, dim: int = -1, largest: bool = True, sorted: bool = True) -> list[Value]:
    found = sorted_with_positions(b, x, dim, largest)
    if not x.rank:
        return found
    dim %= x.rank
    limits, dims = b.sizes(x), list(x.type.dims or ())
    limits[dim], dims[dim] = k, k if isinstance(k, int) else None
    zeros, ones = [0] * x.rank, [1] * x.rank
    return [b.slice(v, zeros, limits, ones, dims) for v in found]
