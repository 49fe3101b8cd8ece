"""Scans along a dimension: log2(n) steps, each of which combines every element with one further back."""

from __future__ import annotations

from typing import Any, Callable, Sequence

from . import body
from .text import Body, Value, is_float, lowest, highest

Combine = Callable[[Sequence[Value], Sequence[Value]], Sequence[Value]]


def scan(b: Body, xs: Sequence[Value], dim: int, neutral: Sequence[float | int], combine: Combine) -> list[Value]:
    """combine: (values further back, values further on) -> values; neutral: what stands before the first element."""
    sizes = b.sizes(xs[0])
    rank = len(sizes)
    fills = [b.constant(value, x.element) for value, x in zip(neutral, xs)]
    length, one = b.tensor(sizes[dim]), b.constant(1, "i64")

    def step(values: list[Value]) -> list[Value]:
        shift = b.scalar(values[0])
        low, high = [0] * rank, [0] * rank
        low[dim], high[dim] = shift, b.arith("subi", 0, shift)
        back = [b.pad(v, fill, low, high, v.type.dims) for v, fill in zip(values[1:], fills)]
        return [b.map("add", values[0], values[0]), *combine(back, values[1:])]

    return b.loop([one, *xs], lambda values: b.compare("LT", values[0], length), step)[1:]


def cumulative_sum(b: Body, x: Value, dim: int) -> Value:
    return scan(b, [x], dim, [0], lambda back, now: [b.map("add", back[0], now[0])])[0]


def _wide(b: Body, x: Value) -> Value:
    """f16 and bf16 accumulate in f32 and round once."""
    return b.convert(x, "f32") if x.element in ("f16", "bf16") else x


def _simple(b: Body, x: Value, dim: int, neutral: float | int, combine: Callable[[Value, Value], Value]) -> Value:
    element = b.results[0].element
    x = _wide(b, b.convert(x, element))
    if x.rank:
        x = scan(b, [x], dim % x.rank, [neutral], lambda back, now: [combine(back[0], now[0])])[0]
    return b.convert(x, element)


@body("aten.cumsum")
def cumsum(b: Body, x: Value, dim: int, dtype: Any = None) -> Value:
    return _simple(b, x, dim, 0, lambda p, q: b.map("add", p, q))


@body("aten.cumprod")
def cumprod(b: Body, x: Value, dim: int, dtype: Any = None) -> Value:
    return _simple(b, x, dim, 1, lambda p, q: b.map("multiply", p, q))


@body("aten.logcumsumexp")
def logcumsumexp(b: Body, x: Value, dim: int) -> Value:
    def combine(p: Value, q: Value) -> Value:
        low, high = b.map("minimum", p, q), b.map("maximum", p, q)
        finite = b.compare("LT", b.map("abs", high), b.like(float("inf"), high))
        gap = b.map("subtract", low, high)
        sum = b.map("add", high, b.map("log_plus_one", b.map("exponential", gap)))
        return b.map("select", finite, sum, high)

    return _simple(b, x, dim, float("-inf"), combine)


def _extreme(b: Body, x: Value, dim: int, least: bool) -> list[Value]:
    """The last of equal elements wins, NaN wins over numbers, as torch has it."""
    if not x.rank:
        return [x, b.constant(0, "i64")]
    index = b.iota(b.sizes(x), dim % x.rank)

    def combine(back: Sequence[Value], now: Sequence[Value]) -> list[Value]:
        wins = b.compare("LE" if least else "GE", now[0], back[0])
        if is_float(x.element):
            wins = b.map("or", wins, b.compare("NE", now[0], now[0]))
            wins = b.map("and", wins, b.map("or", b.compare("EQ", back[0], back[0]), b.compare("NE", now[0], now[0])))
        return [b.map("select", wins, now[0], back[0]), b.map("select", wins, now[1], back[1])]

    neutral = highest(x.element) if least else lowest(x.element)
    return scan(b, [x, index], dim % x.rank, [neutral, 0], combine)


@body("aten.cummax")
def cummax(b: Body, x: Value, dim: int) -> list[Value]:
    return _extreme(b, x, dim, least=False)


@body("aten.cummin")
def cummin(b: Body, x: Value, dim: int) -> list[Value]:
    return _extreme(b, x, dim, least=True)
