"""Maxima and minima, with the least and the greatest value of the element type, signed or not."""

from __future__ import annotations

from . import body
from .text import Body, Value, highest, lowest


def _reduce(b: Body, x: Value, dims: list[int] | int | None, keepdim: bool, least: bool) -> Value:
    dims = [dims] if isinstance(dims, int) else dims
    at = sorted({d % x.rank for d in dims}) if dims and x.rank else list(range(x.rank))
    if not at:
        return x
    init = highest(x.element) if least else lowest(x.element)
    result = b.reduce("minimum" if least else "maximum", x, init, at)
    if keepdim:
        result = b.reshape(result, [1 if d in at else b.dim(x, d) for d in range(x.rank)])
    return result


@body("aten.amax", "aten.max")
def amax(b: Body, x: Value, dims: list[int] | None = None, keepdim: bool = False) -> Value:
    return _reduce(b, x, dims, keepdim, least=False)


@body("aten.amin", "aten.min")
def amin(b: Body, x: Value, dims: list[int] | None = None, keepdim: bool = False) -> Value:
    return _reduce(b, x, dims, keepdim, least=True)


@body("disc.not_empty")
def not_empty(b: Body, x: Value, dims: list[int]) -> Value:
    """`x`, which is to have a maximum over `dims` (all if none are listed)."""
    at = sorted({d % x.rank for d in dims}) if dims and x.rank else range(x.rank)
    b.check_size(b.product([b.dim(x, d) for d in at]), 1, "maximum or minimum over a dimension without elements")
    return x
