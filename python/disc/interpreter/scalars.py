"""MLIR's arith, math, index and complex dialects, on scalars and on tensors.

Signless integers are numpy's signed ones; ops that read them as unsigned say so.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .bitwise import shift
from .core import Call, CheckFailed, op
from .elementwise import arithmetic, compare_by
from .functions import each
from .numerics import convert, integer, maximum, minimum, same_bits, unsigned, wide
from .types import bits, kind


def _integers(*names: str) -> Callable:
    """An op on two signed arrays, computed in their own width."""

    def register(function: Callable) -> Callable:
        @op(*names, elementwise=True)
        def binary(c: Call, x, y):
            if x.dtype == bool:
                # i1 as the signed number of one bit: 0 or -1.
                x, y = -x.astype(np.int8), -y.astype(np.int8)
                return np.asarray(function(x, y) & 1 != 0)
            return np.asarray(function(integer(x), integer(y))).astype(c.dtype())

        return function

    return register


def _unsigned(*names: str) -> Callable:
    def register(function: Callable) -> Callable:
        @op(*names, elementwise=True)
        def binary(c: Call, x, y):
            if x.dtype == bool:
                return np.asarray(function(x.astype(np.uint8), y.astype(np.uint8)) & 1 != 0)
            return np.asarray(function(unsigned(x), unsigned(y))).astype(c.dtype())

        return function

    return register


for _name, _function in {"addi": np.add, "subi": np.subtract, "muli": np.multiply}.items():
    _integers(f"arith.{_name}", f"index.{_name[:-1]}")(_function)
for _name, _function in {"andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor}.items():
    _integers(f"arith.{_name}", f"index.{_name[:-1]}")(_function)
_integers("arith.maxsi", "index.maxs")(np.maximum)
_integers("arith.minsi", "index.mins")(np.minimum)
_unsigned("arith.maxui", "index.maxu")(np.maximum)
_unsigned("arith.minui", "index.minu")(np.minimum)


def _divided(c: Call, x: np.ndarray, y: np.ndarray, how: str) -> np.ndarray:
    """Division on Python's integers: by zero is an error here."""
    if np.any(np.asarray(y) == 0):
        raise c.fail("division by zero", CheckFailed)
    functions = {
        "div": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
        "rem": lambda a, b: int(math.copysign(1, a)) * (abs(a) % abs(b)),
        "floor": lambda a, b: a // b,
        "ceil": lambda a, b: -(-a // b),
    }
    shape = np.broadcast_shapes(x.shape, y.shape)
    pairs = zip(np.broadcast_to(x, shape).ravel(), np.broadcast_to(y, shape).ravel())
    width = bits(c.dtype())
    out = [functions[how](int(a), int(b)) & ((1 << width) - 1) for a, b in pairs]
    return np.array(out, np.uint64).astype(c.dtype()).reshape(shape)


for _name, _how in {"div": "div", "rem": "rem", "floordiv": "floor", "ceildiv": "ceil"}.items():
    for _sign, _read in (("s", integer), ("u", unsigned)):
        if (_name, _sign) != ("floordiv", "u"):

            @op(f"arith.{_name}{_sign}i", f"index.{_name}{_sign}", elementwise=True)
            def division(c: Call, x, y, how=_how, read=_read):
                return _divided(c, read(x), read(y), how)


for _name, _how in {"shl": "shl", "shrs": "sra", "shru": "srl"}.items():

    @op(f"arith.{_name}i", f"index.{_name}", elementwise=True)
    def shifted(_: Call, x, y, how=_how):
        return shift(x, y, how)


_PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]


@op("arith.cmpi", "index.cmp", elementwise=True)
def cmpi(c: Call, x, y):
    attr = str(c.attr("predicate") or c.attr("pred"))
    word = _PREDICATES[int(attr.split(" ")[0])] if attr[0].isdigit() else c.word("pred")
    if word[0] == "u":
        x, y, word = unsigned(x), unsigned(y), word[1:]
    elif word[0] == "s":
        x, y, word = (-x.astype(np.int8), -y.astype(np.int8), word[1:]) if x.dtype == bool else (x, y, word[1:])
    return compare_by(word.upper(), x, y)


_FLOAT = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()


@op("arith.cmpf", elementwise=True)
def cmpf(c: Call, x, y):
    word = _FLOAT[int(str(c.attr("predicate")).split(" ")[0])]
    nan = np.isnan(wide(x)) | np.isnan(wide(y))
    if word in ("false", "true"):
        return np.full(nan.shape, word == "true")
    if word in ("ord", "uno"):
        return np.asarray(~nan if word == "ord" else nan)
    result = compare_by(word[1:].upper(), x, y)
    return np.asarray(result | nan if word[0] == "u" else result & ~nan)


@op("arith.select", elementwise=True)
def select(c: Call, pred, x, y):
    if c.types[0].text.startswith("memref"):
        return x if pred else y
    return np.where(pred, x, y).astype(c.dtype()) if c.dtype() is not None else [x if pred else y]


# Floats: each op in f64 and one rounding, which is what its own type gives.
_FLOATS: dict[str, Callable] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.copysign": np.copysign,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
    "math.sqrt": np.sqrt,
    "math.rsqrt": lambda x: 1.0 / np.sqrt(x),
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log10": np.log10,
    "math.log1p": np.log1p,
    "math.powf": np.power,
    "math.cbrt": np.cbrt,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.tan": np.tan,
    "math.asin": np.arcsin,
    "math.acos": np.arccos,
    "math.atan": np.arctan,
    "math.atan2": np.arctan2,
    "math.sinh": np.sinh,
    "math.cosh": np.cosh,
    "math.tanh": np.tanh,
    "math.asinh": np.arcsinh,
    "math.acosh": np.arccosh,
    "math.atanh": np.arctanh,
    "math.erf": lambda x: each(math.erf, x),
    "math.erfc": lambda x: each(math.erfc, x),
    "arith.maxnumf": np.fmax,
    "arith.minnumf": np.fmin,
}


def _float(name: str, function: Callable) -> None:
    @op(name, elementwise=True)
    def float_op(c: Call, *xs):
        return arithmetic(c, function, *xs)


for _name, _function in _FLOATS.items():
    _float(_name, _function)


@op("math.fma", elementwise=True)
def fma(c: Call, x, y, z):
    """One rounding: exact in f64 for narrower types but for the sum, in longdouble else."""
    product = x.astype(np.longdouble) * y.astype(np.longdouble) if c.dtype() != np.float64 else None
    if product is not None:
        return (product + z.astype(np.longdouble)).astype(c.dtype())
    return each(_fma, x, y, z)


def _fma(x: float, y: float, z: float) -> float:
    from fractions import Fraction

    if not all(map(math.isfinite, (x, y, z))) or x == 0 or y == 0:
        return x * y + z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return x * y + z
    try:
        return float(exact)
    except OverflowError:
        return math.copysign(math.inf, exact)


@op("arith.maximumf", elementwise=True)
def maximumf(c: Call, x, y):
    return maximum(x, y).astype(c.dtype())


@op("arith.minimumf", elementwise=True)
def minimumf(c: Call, x, y):
    return minimum(x, y).astype(c.dtype())


@op("math.absi", elementwise=True)
def absi(c: Call, x):
    return np.abs(integer(x)).astype(c.dtype())


@op("math.ctpop", elementwise=True)
def ctpop(c: Call, x):
    return np.bitwise_count(unsigned(x)).astype(c.dtype())


@op("math.ctlz", "math.cttz", elementwise=True)
def ctlz(c: Call, x):
    raw, width = unsigned(x), bits(x.dtype)
    if c.name == "math.ctlz":
        zeros = [(raw >> n) == 0 for n in range(width)]
    else:
        zeros = [(raw & ((1 << n) - 1)) == 0 for n in range(1, width + 1)]
    return sum(z.astype(np.int8) for z in zeros).astype(c.dtype())


@op("arith.index_cast", "arith.extsi", "arith.trunci", "arith.sitofp", "index.casts", elementwise=True)
def signed_cast(c: Call, x):
    if x.dtype == bool:
        x = -x.astype(np.int8)
    if c.dtype() == bool:
        return np.asarray(integer(x) & 1 != 0)
    return convert(x, c.dtype())


@op("arith.index_castui", "arith.extui", "arith.uitofp", "index.castu", elementwise=True)
def unsigned_cast(c: Call, x):
    return convert(x.astype(np.uint8) if x.dtype == bool else unsigned(x), c.dtype())


@op("arith.extf", "arith.truncf", elementwise=True)
def float_cast(c: Call, x):
    return convert(x, c.dtype())


@op("arith.fptosi", "arith.fptoui", elementwise=True)
def float_to_int(c: Call, x):
    """Out of range is undefined; here it saturates."""
    dtype = c.dtype()
    return convert(x, np.dtype(f"u{dtype.name}") if c.name.endswith("ui") else dtype).astype(dtype)


@op("arith.bitcast", elementwise=True)
def bitcast(c: Call, x):
    return x.astype(c.dtype()) if kind(x.dtype) == kind(c.dtype()) else same_bits(x).view(c.dtype())


@op("index.constant", elementwise=True)
def index_constant(c: Call):
    return np.array(c.value("value"), np.int64)


@op("index.bool.constant", elementwise=True)
def bool_constant(c: Call):
    return np.array(c.value("value"))
