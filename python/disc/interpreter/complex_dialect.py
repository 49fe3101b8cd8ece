"""MLIR's complex dialect."""

from __future__ import annotations

import numpy as np

from .core import Call, op
from .elementwise import arithmetic


@op("complex.create", elementwise=True)
def create(c: Call, re, im):
    out = np.empty(np.broadcast_shapes(re.shape, im.shape), c.dtype())
    out.real, out.imag = re, im
    return out


@op("complex.constant", elementwise=True)
def constant(c: Call):
    re, im = (part.value for part in c.attr("value"))
    return np.array(complex(re, im), c.dtype())


@op("complex.re", elementwise=True)
def re(c: Call, x):
    return np.real(x).astype(c.dtype())


@op("complex.im", elementwise=True)
def im(c: Call, x):
    return np.imag(x).astype(c.dtype())


@op("complex.eq", "complex.neq", elementwise=True)
def eq(c: Call, x, y):
    return np.asarray((x == y) if c.name == "complex.eq" else (x != y))


@op("complex.abs", elementwise=True)
def abs_(c: Call, x):
    return np.hypot(x.real, x.imag).astype(c.dtype())


_FUNCTIONS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative}
_FUNCTIONS |= {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tanh": np.tanh}
_FUNCTIONS["conj"] = np.conj


def _register(name: str, function) -> None:
    @op(f"complex.{name}", elementwise=True)
    def function_(c: Call, *xs):
        return arithmetic(c, function, *xs)


for _name, _function in _FUNCTIONS.items():
    _register(_name, _function)
