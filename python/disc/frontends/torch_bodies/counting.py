"""Ops that count equal elements: bincount and unique, whose sizes depend on data."""

from __future__ import annotations

from . import body
from .scans import cumulative_sum
from .selection import positions, scatter, take_flat
from .sorting import sorted_with_positions
from .text import Body, Size, Value


def _counts(b: Body, x: Value, size: Size, weights: Value) -> Value:
    return scatter(b, b.fill(b.constant(0, weights.element), [size]), x, weights, "add")


@body("aten.bincount")
def bincount(b: Body, x: Value, weights: Value | None = None, minlength: Size = 0) -> Value:
    x = b.convert(x, "i64")
    b.check_size(b.scalar(b.reduce("minimum", x, 0, [0])), 0, "bincount of a negative number")
    size = b.arith("maxsi", b.arith("addi", b.scalar(b.reduce("maximum", x, -1, [0])), 1), minlength)
    element = b.results[0].element
    return _counts(b, x, size, b.like(1, x, element) if weights is None else b.convert(weights, element))


@body("aten._unique2")
def unique(
    b: Body, x: Value, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
) -> list[Value]:
    """(values in order, where each element of `x` is among them, how often each occurs), empty where not asked for."""
    flat = b.flat(x)
    length = b.dim(flat, 0)
    ordered, order = sorted_with_positions(b, flat, 0)
    at = b.iota([length], 0)
    before = take_flat(b, ordered, b.map("maximum", b.map("subtract", at, b.like(1, at)), b.like(0, at)))
    first = b.map("or", b.compare("EQ", at, b.like(0, at)), b.compare("NE", ordered, before))
    starts, count = positions(b, first)
    run = b.map("subtract", cumulative_sum(b, b.convert(first, "i64"), 0), b.like(1, at))
    nothing = b.fill(b.constant(0, "i64"), [0])
    inverse = b.reshape(scatter(b, at, order, run, "set"), b.sizes(x)) if return_inverse else nothing
    counts = _counts(b, run, count, b.like(1, run)) if return_counts else nothing
    return [take_flat(b, ordered, starts), inverse, counts]
