"""Branches between the blocks of a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .core import Call

BRANCHES = {"cf.br", "cf.cond_br", "cf.switch"}


def successor(c: Call, operands: Sequence[Any]) -> tuple[Any, Sequence[Any]]:
    """The block that a branch goes to, and the values of that block's arguments."""
    if c.name == "cf.br":
        return c.op.successors[0], operands
    sizes, which = c.ints("operandSegmentSizes")[1:], 0
    if c.name == "cf.cond_br":
        which = 0 if operands[0] else 1
    else:
        sizes = sizes[:1] + c.ints("case_operand_segments")
        cases, flag = c.ints("case_values"), int(operands[0])
        which = cases.index(flag) + 1 if flag in cases else 0
    start = 1 + sum(sizes[:which])
    return c.op.successors[which], operands[start : start + sizes[which]]
