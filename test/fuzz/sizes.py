"""Sizes of fuzzed programs: numbers, symbols, and expressions of them."""

from __future__ import annotations

from typing import Mapping, Union

Dim = Union[int, str, tuple]

_EVALUATE = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "ceildiv": lambda x, y: -(-x // y),
    "dilate": lambda x, interior: x + interior * max(x - 1, 0),
    "bcast": lambda x, y: y if x == 1 else x,
}
# At run time each is 1 or as large as the symbol that it is named after; the program does not say so.
UNITS = ("a1", "a2", "a3", "b1", "b2")


def evaluate(dim: Dim, sizes: Mapping[str, int]) -> int:
    """The size that `dim` has when its symbols have `sizes`."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, str):
        return sizes[dim]
    return _EVALUATE[dim[0]](*(evaluate(operand, sizes) for operand in dim[1:]))


def add(x: Dim, y: Dim) -> Dim:
    if isinstance(x, int) and isinstance(y, int):
        return x + y
    if 0 in (x, y):
        return y if x == 0 else x
    return ("+", x, y)


def multiply(x: Dim, y: Dim) -> Dim:
    if isinstance(x, int) and isinstance(y, int):
        return x * y
    if 1 in (x, y):
        return y if x == 1 else x
    return ("*", x, y)


def ceildiv(x: Dim, y: int) -> Dim:
    return -(-x // y) if isinstance(x, int) else ("ceildiv", x, y)


def whole(dim: Dim) -> Dim:
    """The size that `dim` is, or is a part of where it may be 1."""
    if isinstance(dim, tuple) and dim[0] == "bcast":
        return whole(dim[1])
    return dim[0] if dim in UNITS else dim


def broadcasts(x: Dim, y: Dim) -> bool:
    """Whether x and y are of one size or 1, at every size of their symbols."""
    return 1 in (x, y) or whole(x) == whole(y)


def bcast(x: Dim, y: Dim) -> Dim:
    """The common size of two that broadcast."""
    if 1 in (x, y):
        return y if x == 1 else x
    if whole(x) in (x, y):
        return whole(x)
    return x if y in parts(x) else ("bcast", x, y)


def parts(dim: Dim) -> set[Dim]:
    """What a common size was made of, and that itself."""
    return {dim}.union(*map(parts, dim[1:])) if isinstance(dim, tuple) and dim[0] == "bcast" else {dim}


def broadcasts_to(x: Dim, y: Dim) -> bool:
    """Whether x is 1 or y, at every size of their symbols."""
    return x == 1 or whole(x) == y or x in parts(y)


def dilate(x: Dim, interior: int) -> Dim:
    if interior == 0:
        return x
    return x + interior * max(x - 1, 0) if isinstance(x, int) else ("dilate", x, interior)
