"""Pooling: windows over padded input, with the number of windows that torch counts (also in ceil mode)."""

from __future__ import annotations

from typing import Sequence

from . import body
from .text import Body, Size, Type, Value, is_float, lowest


class _Windows:
    """The windows over the trailing dimensions of `x`, as many as `kernel` has entries.

    counts: the number of windows along each of them
    """

    def __init__(
        self,
        b: Body,
        x: Value,
        kernel: list[int],
        stride: list[int],
        padding: list[int],
        dilation: list[int],
        ceil: bool,
    ) -> None:
        n = len(kernel) if len(kernel) > 1 else max(len(kernel), len(stride), len(padding))
        spread = lambda values, default: list(values) * n if len(values) == 1 else list(values) or default
        self.kernel = spread(kernel, [])
        self.stride = spread(stride, self.kernel)
        self.padding, self.dilation = spread(padding, [0] * n), spread(dilation, [1] * n)
        self.first, self.ceil = x.rank - n, ceil
        self.lengths = [b.dim(x, self.first + i) for i in range(n)]
        self.counts: list[Size] = []
        for length, k, s, p, d in zip(self.lengths, self.kernel, self.stride, self.padding, self.dilation):
            room = b.arith("addi", length, 2 * p - d * (k - 1) - 1)
            count = b.arith("addi", b.arith("floordivsi", b.arith("addi", room, s - 1 if ceil else 0), s), 1)
            if ceil:  # the last window starts inside the input or its left padding
                inside = b.arith("addi", b.arith("floordivsi", b.arith("addi", length, p - 1), s), 1)
                count = b.arith("minsi", count, inside)
            self.counts.append(count)

    def padded(self, b: Body, x: Value, fill: Value) -> Value:
        """`x` with exactly the elements that the windows cover."""
        low: list[Size] = [0] * x.rank
        high: list[Size] = [0] * x.rank
        dims = list(x.type.dims or ())
        for i, count in enumerate(self.counts):
            d = self.first + i
            covered = b.arith("muli", count, self.stride[i])
            covered = b.arith("addi", covered, self.dilation[i] * (self.kernel[i] - 1) + 1 - self.stride[i])
            low[d] = self.padding[i]
            high[d] = b.arith("subi", b.arith("subi", covered, self.lengths[i]), self.padding[i])
            dims[d] = covered if isinstance(covered, int) else None
        if all(isinstance(s, int) and s == 0 for s in [*low, *high]):
            return x
        return b.pad(x, fill, low, high, dims)

    def reduce(self, b: Body, xs: Sequence[Value], fills: Sequence[Value], region: str) -> list[Value]:
        ones = [1] * self.first
        pairs = [[0, 0]] * self.first + [[0 if self.ceil else p] * 2 for p in self.padding]
        text = lambda values: ", ".join(map(str, [*ones, *values]))
        attributes = (
            f"window_dimensions = array<i64: {text(self.kernel)}>, window_strides = array<i64: {text(self.stride)}>, "
            f"window_dilations = array<i64: {text(self.dilation)}>, "
            f"base_dilations = array<i64: {text([1] * len(self.kernel))}>, "
            f"padding = dense<{pairs}> : tensor<{len(pairs)}x2xi64>"
        )
        lead = (xs[0].type.dims or ())[: self.first]
        dims = (*lead, *(c if isinstance(c, int) else None for c in self.counts))
        padded = [self.padded(b, x, fill) if self.ceil else x for x, fill in zip(xs, fills)]
        types = [Type(dims, x.element) for x in xs]
        return b.ops("stablehlo.reduce_window", [*padded, *fills], types, attributes, region)


@body("aten.max_pool1d", "aten.max_pool2d", "aten.max_pool3d")
def max_pool(
    b: Body, x: Value, kernel: list[int], stride: list[int], padding: list[int], dilation: list[int], ceil: bool
) -> Value:
    fill = b.constant(lowest(x.element), x.element)
    windows = _Windows(b, x, kernel, stride, padding, dilation, ceil)
    return windows.reduce(b, [x], [fill], b.region("maximum", x.element))[0]


@body("aten.max_pool2d_with_indices", "aten.max_pool3d_with_indices", "aten.max_pool1d_with_indices")
def max_pool_with_indices(
    b: Body, x: Value, kernel: list[int], stride: list[int], padding: list[int], dilation: list[int], ceil: bool
) -> list[Value]:
    """Positions count within the pooled dimensions; NaN wins, then the first of equal elements."""
    windows = _Windows(b, x, kernel, stride, padding, dilation, ceil)
    size = b.product(windows.lengths)
    position = b.reshape(b.iota([size], 0), windows.lengths)
    position = b.broadcast(position, b.sizes(x), range(windows.first, x.rank))
    fills = [b.constant(lowest(x.element), x.element), b.constant(-1, "i64")]
    return windows.reduce(b, [x, position], fills, _first_of_largest(x.element))


def _first_of_largest(element: str) -> str:
    """A region on pairs (value, position); position -1 is padding and loses."""
    t, i, p = f"tensor<{element}>", "tensor<i64>", "tensor<i1>"
    kind = "FLOAT" if is_float(element) else "UNSIGNED" if element.startswith("ui") else "SIGNED"

    def compare(name: str, direction: str, x: str, y: str, type: str, kind: str) -> str:
        return (
            f'    %{name} = "stablehlo.compare"({x}, {y}) {{comparison_direction = #stablehlo<comparison_direction '
            f"{direction}>, compare_type = #stablehlo<comparison_type {kind}>}} : ({type}, {type}) -> {p}\n"
        )

    def combine(name: str, op: str, x: str, y: str) -> str:
        return f'    %{name} = "stablehlo.{op}"(%{x}, %{y}) : ({p}, {p}) -> {p}\n'

    text = f"{{\n  ^bb0(%lv: {t}, %li: {i}, %rv: {t}, %ri: {i}):\n"
    text += '    %none = "stablehlo.constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>\n'
    text += compare("larger", "GT", "%rv", "%lv", t, kind) + compare("ln", "NE", "%lv", "%lv", t, kind)
    text += compare("rn", "NE", "%rv", "%rv", t, kind) + compare("eq", "EQ", "%rv", "%lv", t, kind)
    text += compare("sooner", "LT", "%ri", "%li", i, "SIGNED") + compare("lp", "EQ", "%li", "%none", i, "SIGNED")
    text += compare("rr", "NE", "%ri", "%none", i, "SIGNED")
    text += f'    %lnum = "stablehlo.not"(%ln) : ({p}) -> {p}\n'
    text += combine("a", "and", "rn", "lnum") + combine("b", "or", "larger", "a")  # NaN over number, or larger
    text += combine("c", "and", "rn", "ln") + combine("d", "or", "eq", "c") + combine("e", "and", "d", "sooner")
    text += combine("f", "or", "b", "e") + combine("g", "or", "f", "lp") + combine("wins", "and", "g", "rr")
    text += f'    %v = "stablehlo.select"(%wins, %rv, %lv) : ({p}, {t}, {t}) -> {t}\n'
    text += f'    %i = "stablehlo.select"(%wins, %ri, %li) : ({p}, {i}, {i}) -> {i}\n'
    return text + f'    "stablehlo.return"(%v, %i) : ({t}, {i}) -> ()\n  }}'


@body("aten.avg_pool1d", "aten.avg_pool2d", "aten.avg_pool3d")
def avg_pool(
    b: Body,
    x: Value,
    kernel: list[int],
    stride: list[int],
    padding: list[int],
    ceil: bool = False,
    include_pad: bool = True,
    divisor: int | None = None,
) -> Value:
    """The sum of a window over its elements inside the input, or inside the padding that was asked for."""
    element = x.element
    wide = b.convert(x, "f32") if element in ("f16", "bf16") else x
    windows = _Windows(b, x, kernel, stride, padding, [1], ceil)
    zero = b.constant(0, wide.element)
    total = windows.reduce(b, [wide], [zero], b.region("add", wide.element))[0]
    sizes = b.sizes(total)
    if divisor is not None:
        counted = b.like(divisor, total)
    else:
        counted = b.like(1, total)
        for i, length in enumerate(windows.lengths):
            per_dim = b.convert(_covered(b, windows, i, length, include_pad), wide.element)
            counted = b.map("multiply", counted, b.broadcast(per_dim, sizes, [windows.first + i]))
    return b.convert(b.map("divide", total, counted), element)


def _covered(b: Body, w: _Windows, i: int, length: Size, include_pad: bool) -> Value:
    """The number of elements in each window along pooled dimension `i`, i64."""
    count, k, s, p = w.counts[i], w.kernel[i], w.stride[i], w.padding[i]
    at = lambda value: b.fill(b.tensor(value), [count])
    start = b.map("subtract", b.map("multiply", b.iota([count], 0), at(s)), at(p))
    end = b.map("minimum", b.map("add", start, at(k)), at(b.arith("addi", length, p)))
    if not include_pad:
        start, end = b.map("maximum", start, at(0)), b.map("minimum", end, at(length))
    return b.map("subtract", end, start)
