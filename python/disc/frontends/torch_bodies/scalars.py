"""Sizes that the model computes: minimum and maximum of sizes, checks of what it assumes."""

from __future__ import annotations

from . import body
from .text import Body, Size, Type, Value


def _as(b: Body, size: Size, element: str) -> Value:
    value = b.index(size)
    v = b.fresh(Type(None, element))
    b.line(f"{v.name} = arith.index_cast {value.name} : index to {element}")
    return v


@body("disc.sym_max")
def sym_max(b: Body, x: Size, y: Size) -> Value:
    return _as(b, b.arith("maxsi", x, y), "i64")


@body("disc.sym_min")
def sym_min(b: Body, x: Size, y: Size) -> Value:
    return _as(b, b.arith("minsi", x, y), "i64")


@body("aten._assert_scalar")
def assert_scalar(b: Body, holds: Size | bool, message: str) -> None:
    if isinstance(holds, (bool, int)):
        if holds:
            return
        holds = b.index(0)
    if holds.element != "i1":
        zero, v = b.index(0), b.fresh(Type(None, "i1"))
        b.line(f"{v.name} = arith.cmpi ne, {b.index(holds).name}, {zero.name} : index")
        holds = v
    b.check(holds, message)


@body("aten.fmod.int")
def modulo(b: Body, x: Size, y: Size) -> Value:
    """Python's `%` on sizes, which torch.export writes under this name."""
    quotient = b.arith("floordivsi", b.index(x), b.index(y))
    return _as(b, b.arith("subi", b.index(x), b.arith("muli", quotient, b.index(y))), "i64")
