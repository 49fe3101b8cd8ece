"""Products (StableHLO specification: dot, dot_general, convolution): floats are summed in f64 and rounded once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .core import Call, op
from .numerics import convert, integer, round_to, wide
from .reductions import padded, positions, windows
from .types import bits, kind


def operand(x: np.ndarray, result: np.dtype) -> np.ndarray:
    """What products are computed in: f64, complex128, or integers of the result's width."""
    if kind(result) == "c":
        return wide(x.astype(result))
    if kind(result) == "f":
        return wide(x)
    if kind(x.dtype) == "f":
        return integer(convert(x, result))
    return integer(x).astype(integer(np.empty(0, result)).dtype if bits(result) > 1 else np.int64)


def rounded(total: np.ndarray, result: np.dtype) -> np.ndarray:
    if kind(result) in "fc":
        return round_to(total, result)
    return np.asarray(total != 0) if result == bool else total.astype(result)


def contract(c: Call, spec: str, *xs: np.ndarray) -> np.ndarray:
    """einsum in the accumulation type; integers wrap."""
    dtype = c.dtype()
    operands = [operand(x, dtype) for x in xs]
    return rounded(np.asarray(np.einsum(spec, *operands, optimize=True)), dtype)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@op("dhlo.dot_general")
def dot_general(c: Call, x, y):
    f = c.fields("dot_dimension_numbers")
    left, letters = list(_LETTERS[: x.ndim]), iter(_LETTERS[x.ndim :])
    batch = dict(zip(f.get("rhs_batching_dimensions", []), f.get("lhs_batching_dimensions", []), strict=True))
    summed = dict(zip(f.get("rhs_contracting_dimensions", []), f.get("lhs_contracting_dimensions", []), strict=True))
    right = [left[(batch | summed)[d]] if d in batch or d in summed else next(letters) for d in range(y.ndim)]
    out = [left[d] for d in f.get("lhs_batching_dimensions", [])]
    out += [left[d] for d in range(x.ndim) if d not in batch.values() and d not in summed.values()]
    out += [right[d] for d in range(y.ndim) if d not in batch and d not in summed]
    return contract(c, f"{''.join(left)},{''.join(right)}->{''.join(out)}", x, y)


@op("dhlo.dot")
def dot(c: Call, x, y):
    left = "ik"[2 - x.ndim :]
    right = "kj"[: y.ndim]
    return contract(c, f"{left},{right}->{left.replace('k', '')}{right.replace('k', '')}", x, y)


@op("dhlo.einsum", "dhlo.unary_einsum")
def einsum(c: Call, *xs):
    return contract(c, c.value("einsum_config").replace(" ", ""), *xs)


@dataclass
class Layout:
    """Names of the dimensions, b(atch), f(eature), i(nput), o(utput) or a spatial one's number, of lhs, rhs and result."""

    lhs: list[str]
    rhs: list[str]
    out: list[str]

    @staticmethod
    def parse(text: str) -> Layout:
        """`[b, 0, f]x[0, i, o]->[b, 0, f]`"""
        inside = text[text.index("<") + 1 : text.rindex(">")]
        return Layout(*(part.strip("[]").replace(" ", "").split(",") for part in inside.replace("->", "x").split("x")))


@dataclass
class Window:
    """An entry for each spatial dimension; padding [spatial, 2]."""

    strides: np.ndarray
    lhs_dilation: np.ndarray
    rhs_dilation: np.ndarray
    reversal: np.ndarray
    padding: np.ndarray


def convolve(
    x: np.ndarray, w: np.ndarray, dtype: np.dtype, layout: Layout, window: Window, groups: int, batch_groups: int
) -> np.ndarray:
    """Sums over the kernel's places; x as [batch, feature, space...], w as [out, in, space...]."""
    space = [str(d) for d in range(x.ndim - 2)]
    x = operand(x, dtype).transpose([layout.lhs.index(d) for d in ("b", "f", *space)])
    w = operand(w, dtype).transpose([layout.rhs.index(d) for d in ("o", "i", *space)])
    for d, reverse in enumerate(window.reversal):
        w = np.flip(w, d + 2) if reverse else w
    amounts = np.array([(0, 0), (0, 0), *window.padding], int)
    x = padded(x, np.zeros((), x.dtype), [1, 1, *window.lhs_dilation], amounts)
    counts = positions(x.shape[2:], w.shape[2:], window.strides, window.rhs_dilation)
    batch, features = x.shape[0] // batch_groups, x.shape[1] // groups
    made = w.shape[0] // (groups * batch_groups)
    out = np.zeros((batch, w.shape[0], *counts), x.dtype)
    steps, spread = (1, 1, *window.strides), (1, 1, *window.rhs_dilation)
    for g in range(groups * batch_groups):
        xs = x[g % batch_groups * batch :][:batch] if batch_groups > 1 else x[:, g * features : (g + 1) * features]
        ws = w[g * made : (g + 1) * made]
        for at in np.ndindex(*w.shape[2:]):
            part = windows(xs, (batch, xs.shape[1], *counts), (0, 0, *at), steps, spread)
            kernel = ws[(slice(None), slice(None), *at)]
            out[:, g * made : (g + 1) * made] += np.einsum("bi...,oi->bo...", part, kernel, optimize=True)
    names = ["b", "f", *space]
    return rounded(out.transpose([names.index(d) for d in layout.out]), dtype)


def convolution(c: Call, x: np.ndarray, w: np.ndarray, padding: np.ndarray) -> np.ndarray:
    rank = x.ndim - 2
    names = ("window_strides", "lhs_dilation", "rhs_dilation")
    numbers = [np.array(c.ints(name, [1] * rank)) for name in names]
    window = Window(*numbers, np.array(c.ints("window_reversal")), padding)
    layout = Layout.parse(str(c.attr("dimension_numbers")))
    return convolve(x, w, c.dtype(), layout, window, c.value("feature_group_count"), c.value("batch_group_count"))


@op("dhlo.convolution")
def convolution_(c: Call, x, w):
    rank = x.ndim - 2
    return convolution(c, x, w, np.array(c.ints("padding", [0] * 2 * rank)).reshape(rank, 2))


@op("dhlo.dynamic_conv")
def dynamic_conv(c: Call, x, w, padding):
    return convolution(c, x, w, padding.astype(int))
