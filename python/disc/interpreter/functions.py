"""Elementary functions: f64 (complex128) and one rounding (StableHLO specification: exponential, log, power, ...)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .core import Call, op
from .elementwise import arithmetic
from .numerics import integer
from .types import kind


def _parts(re: np.ndarray, im: np.ndarray) -> np.ndarray:
    """re + i im without the products that make NaN of infinities."""
    out = np.empty(np.broadcast_shapes(np.shape(re), np.shape(im)), np.complex128)
    out.real, out.imag = re, im
    return out


def _rsqrt(x):
    return 1.0 / np.sqrt(x)


def _cbrt(x):
    return np.exp(np.log(x) / 3.0) * (x != 0) if np.iscomplexobj(x) else np.cbrt(x)


def _logistic(x):
    if np.iscomplexobj(x):
        return 1.0 / (1.0 + np.exp(-x))
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e / (1.0 + e), 1.0 / (1.0 + e))


def _expm1(x):
    if not np.iscomplexobj(x):
        return np.expm1(x)
    # Re: expm1(a) cos b - 2 sin^2(b / 2)
    a, b = x.real, x.imag
    return _parts(np.expm1(a) * np.cos(b) - 2.0 * np.sin(b / 2) ** 2, np.exp(a) * np.sin(b))


def _log1p(x):
    if not np.iscomplexobj(x):
        return np.log1p(x)
    a, b = x.real, x.imag
    near = 0.5 * np.log1p(a * (2.0 + a) + b * b)
    far = np.log(np.hypot(1.0 + a, b))
    return _parts(np.where(np.hypot(a, b) < 0.5, near, far), np.arctan2(b, 1.0 + a))


def _atan2_complex(y, x):
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


_UNARY: dict[str, Callable] = {
    "exponential": np.exp,
    "exponential_minus_one": _expm1,
    "log": np.log,
    "log_plus_one": _log1p,
    "logistic": _logistic,
    "sqrt": np.sqrt,
    "rsqrt": _rsqrt,
    "cbrt": _cbrt,
    "sine": np.sin,
    "cosine": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
}


def _unary(name: str, function: Callable) -> None:
    @op(f"dhlo.{name}", elementwise=True)
    def unary(c: Call, x):
        return arithmetic(c, function, x)


for _name, _function in _UNARY.items():
    _unary(_name, _function)


@op("dhlo.atan2", elementwise=True)
def atan2(c: Call, y, x):
    return arithmetic(c, _atan2_complex if kind(x.dtype) == "c" else np.arctan2, y, x)


@op("dhlo.power", elementwise=True)
def power(c: Call, x, y):
    """C's pow; integers wrap, a negative exponent leaves 1 for base 1, +-1 for base -1, else 0."""
    if kind(x.dtype) == "c":
        return arithmetic(c, _complex_power, x, y)
    if kind(x.dtype) == "f":
        return arithmetic(c, np.power, x, y)
    base, exponent = integer(x), integer(y).astype(object)
    result, square = np.ones(np.broadcast(x, y).shape, base.dtype), base.copy()
    for n in range(64):
        odd = np.asarray((exponent >> n) & 1 == 1, dtype=bool)
        result = np.where(odd, result * square, result).astype(base.dtype)
        square = square * square
    if kind(x.dtype) == "i":
        even = np.asarray(exponent & 1 == 0, dtype=bool)
        small = np.where(base == 1, 1, np.where(base == -1, np.where(even, 1, -1), 0))
        result = np.where(integer(y) < 0, small, result)
    return result.astype(c.dtype())


def _complex_power(x, y):
    result = np.exp(y * np.log(x))
    return np.where(y == 0, 1.0, np.where((x == 0) & (y.real > 0), 0.0, result))


# Complex numbers.


@op("dhlo.complex", elementwise=True)
def complex_(c: Call, re, im):
    return _parts(re, im).astype(c.dtype())


@op("dhlo.real", elementwise=True)
def real(c: Call, x):
    return np.real(x).astype(c.dtype()) if kind(x.dtype) == "c" else x


@op("dhlo.imag", elementwise=True)
def imag(c: Call, x):
    return np.imag(x).astype(c.dtype()) if kind(x.dtype) == "c" else np.zeros_like(x)


@op("dhlo.conj", elementwise=True)
def conj(_: Call, x):
    return np.conj(x) if kind(x.dtype) == "c" else x


@op("dhlo._asin_acos_kernel", elementwise=True)
def asin_acos_kernel(c: Call, z):
    """sqrt(1 - z^2) + i z as asin and acos of CHLO need it."""
    raise c.fail("no interpretation: write it as dhlo.asin or dhlo.acos")


# Real special functions of the C library.


def each(function: Callable[..., float], *xs: np.ndarray) -> np.ndarray:
    """A function of Python floats, element by element."""
    shape = np.broadcast_shapes(*[x.shape for x in xs])
    flat = [np.broadcast_to(x, shape).ravel() for x in xs]
    return np.array([function(*map(float, row)) for row in zip(*flat)], np.float64).reshape(shape)


@op("dhlo.erf", elementwise=True)
def erf(c: Call, x):
    return arithmetic(c, lambda a: each(math.erf, a), x)


@op("dhlo.erfc", elementwise=True)
def erfc(c: Call, x):
    return arithmetic(c, lambda a: each(math.erfc, a), x)
