"""Quantized types (StableHLO specification: quantized types, uniform_quantize, uniform_dequantize).

An op on quantized tensors is the op on what they express, quantized again.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .core import WRAP, Call, op
from .numerics import convert, round_to, wide
from .types import DTYPES, Type, bits, element_dtype, kind, type_of

# Ops that take quantized tensors as they are.
_PLAIN = {"uniform_quantize", "uniform_dequantize", "constant", "tuple", "get_tuple_element", "bitcast_convert"}


@dataclass(frozen=True)
class Quantization:
    """axis: the dimension along which scales differ, or None."""

    storage: np.dtype
    expressed: np.dtype
    axis: int | None
    scales: tuple[float, ...]
    zeros: tuple[int, ...]
    low: int
    high: int

    def _along(self, values: tuple, rank: int) -> np.ndarray:
        array = np.array(values, np.float64)
        return array.reshape([-1 if d == self.axis else 1 for d in range(rank)]) if self.axis is not None else array[0]

    def quantize(self, x: np.ndarray) -> np.ndarray:
        """clamp(x / scale + zero point), rounded to nearest even; steps in the expressed type."""
        scales = self._along(self.scales, x.ndim).astype(self.expressed)
        zeros = self._along(self.zeros, x.ndim).astype(self.expressed)
        scaled = round_to(wide(round_to(wide(x), self.expressed)) / wide(scales), self.expressed)
        shifted = round_to(wide(scaled) + wide(zeros), self.expressed)
        return convert(np.rint(np.clip(wide(shifted), self.low, self.high)), self.storage)

    def dequantize(self, x: np.ndarray) -> np.ndarray:
        """(x - zero point) * scale"""
        shifted = x.astype(np.int64) - self._along(self.zeros, x.ndim).astype(np.int64)
        scales = self._along(self.scales, x.ndim).astype(self.expressed)
        return round_to(shifted * wide(scales), self.expressed)


@functools.cache
def quantization(element: str) -> Quantization | None:
    """`!quant.uniform<i8<-128:127>:f32:1, {0.1:0, 0.2:1}>`; None for other element types."""
    match = re.fullmatch(r"!quant\.uniform<(\w+)(?:<(-?\d+):(-?\d+)>)?:(\w+)(?::(\d+))?, ?(.*)>", element)
    if match is None:
        return None
    storage, low, high, expressed, axis, parameters = match.groups()
    pairs = [p.partition(":") for p in parameters.strip("{}").replace(" ", "").split(",")]
    dtype = element_dtype(storage)
    width, signed = bits(dtype), kind(dtype) == "i"
    return Quantization(
        dtype,
        DTYPES[expressed],
        int(axis) if axis else None,
        tuple(float(scale) for scale, _, _ in pairs),
        tuple(int(zero or 0) for _, _, zero in pairs),
        int(low) if low else (-(1 << width - 1) if signed else 0),
        int(high) if high else ((1 << width - 1) - 1 if signed else (1 << width) - 1),
    )


def _of(type_: Type) -> Quantization | None:
    return quantization(type_.element) if "!quant" in type_.element else None


def _combining(function: Callable, call: Call) -> Callable:
    """A reduction, whose operands and initial values are brought to the types that its region combines."""
    arguments = call.op.regions[0].blocks[0].arguments
    count = len(call.operand_types) // 2
    wanted = 2 * [_of(type_of(argument.type)) for argument in list(arguments)[:count]]
    given = [_of(t) for t in call.operand_types]
    if given == wanted or None in given or None in wanted:
        return function

    def run(c: Call, *xs: np.ndarray):
        return function(c, *[w.quantize(g.dequantize(x)) for x, g, w in zip(xs, given, wanted, strict=True)])

    return run


def expressing(function: Callable, call: Call) -> Callable:
    """`function` around which quantized operands and results are converted, where the op has some."""
    dialect, _, mnemonic = call.name.partition(".")
    if dialect == "dhlo" and mnemonic in ("reduce", "reduce_window"):
        return _combining(function, call)
    operands, results = [_of(t) for t in call.operand_types], [_of(t) for t in call.types]
    plain = dialect != "dhlo" or mnemonic in _PLAIN or len(call.op.regions)
    if plain or not any(operands + results):
        return function
    call.expressed = [q and q.expressed for q in results]

    def run(c: Call, *xs: np.ndarray):
        made = function(c, *[q.dequantize(x) if q else x for q, x in zip(operands, xs, strict=True)])
        made = made if isinstance(made, list) else [made]
        return [q.quantize(np.asarray(y)) if q else y for q, y in zip(results, made, strict=True)]

    return run


@op("dhlo.uniform_quantize", elementwise=True)
def uniform_quantize(c: Call, x):
    source, target = _of(c.operand_types[0]), _of(c.types[0])
    return target.quantize(source.dequantize(x) if source else x)


@op("dhlo.uniform_dequantize", elementwise=True)
def uniform_dequantize(c: Call, x):
    return _of(c.operand_types[0]).dequantize(x)


WRAP[0] = expressing
