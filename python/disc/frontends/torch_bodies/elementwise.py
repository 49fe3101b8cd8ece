"""Elementwise ops that torch-mlir computes by a formula that rounds."""

from __future__ import annotations

from . import body
from .selection import common_sizes, expand
from .text import Body, Type, Value


def as_tensor(b: Body, value: Value | float | int, element: str) -> Value:
    """A tensor, a number, or a scalar that the model computes, as a tensor of `element`."""
    if not isinstance(value, Value):
        return b.constant(value, element)
    if value.type.dims is not None:
        return b.convert(value, element)
    if value.element in ("i64", "index"):
        return b.convert(b.tensor(value), element)
    v = b.fresh(Type((), value.element))
    b.line(f"{v.name} = tensor.from_elements {value.name} : {v.type}")
    return b.convert(v, element)


@body("aten.fmod.Tensor", "aten.fmod.Scalar")
def fmod(b: Body, x: Value, y: Value | float | int) -> Value:
    x, y = (as_tensor(b, v, b.results[0].element) for v in (x, y))
    sizes = common_sizes(b, [x, y])
    return b.map("remainder", expand(b, x, sizes), expand(b, y, sizes))


@body("aten.floor_divide", "aten.floor_divide.Scalar")
def floor_divide(b: Body, x: Value, y: Value | int) -> Value:
    """Of integers; the quotient of the least one and -1 is the least one."""
    x, y = (as_tensor(b, v, b.results[0].element) for v in (x, y))
    sizes = common_sizes(b, [x, y])
    x, y = expand(b, x, sizes), expand(b, y, sizes)
    quotient, rest, zero = b.map("divide", x, y), b.map("remainder", x, y), b.like(0, x)
    below = b.map("xor", b.compare("LT", rest, zero), b.compare("LT", y, zero))
    below = b.map("and", below, b.compare("NE", rest, zero))
    return b.map("select", below, b.map("subtract", quotient, b.like(1, quotient)), quotient)
