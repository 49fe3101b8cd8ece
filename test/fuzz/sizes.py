"""Sizes of fuzzed programs: numbers, symbols, and expressions of them."""

from __future__ import annotations

from typing import Mapping, Union

Dim = Union[int, str, tuple]

_EVALUATE = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "ceildiv": lambda x, y: -(-x // y),
    "dilate": lambda x, interior: x + interior * max(x - 1, 0),
}


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


def dilate(x: Dim, interior: int) -> Dim:
    if interior == 0:
        return x
    return x + interior * max(x - 1, 0) if isinstance(x, int) else ("dilate", x, interior)
