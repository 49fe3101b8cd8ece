"""CHLO's ops that broadcast their operands: those of elementwise ops after numpy's rule."""

from __future__ import annotations

import numpy as np

from .core import OPS, Call, CheckFailed, op


def _broadcast(c: Call, *xs: np.ndarray) -> list[np.ndarray]:
    """Operands of one shape: `broadcast_dimensions` place the one of lower rank, else its dimensions are the last."""
    rank = max(x.ndim for x in xs)
    dims = c.ints("broadcast_dimensions")
    placed = []
    for x in xs:
        shape = [1] * rank
        where = dims if c.attr("broadcast_dimensions") is not None and x.ndim < rank else range(rank - x.ndim, rank)
        for d, n in zip(where, x.shape, strict=True):
            shape[d] = n
        placed.append(x.reshape(shape))
    try:
        return [x.copy() for x in np.broadcast_arrays(*placed)]
    except ValueError:
        raise c.fail(f"shapes {[list(x.shape) for x in xs]} do not broadcast", CheckFailed) from None


def _register(name: str) -> None:
    function = OPS[f"dhlo.{name}"]

    @op(f"dhlo.broadcast_{name}")
    def broadcast(c: Call, *xs):
        return function(c, *_broadcast(c, *xs))


_NAMES = "add and atan2 compare complex divide maximum minimum multiply next_after or polygamma power remainder select"
for _name in f"{_NAMES} shift_left shift_right_arithmetic shift_right_logical subtract xor zeta".split():
    _register(_name)
