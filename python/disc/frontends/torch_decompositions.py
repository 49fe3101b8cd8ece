"""Decompositions applied before torch-mlir, where its own lose speed or accuracy.

torch-mlir computes layer norm's variance in f64 and the mean twice; here it stays in the input's type (f32 for
narrower ones) with one pass for the mean and one for the variance.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

from .torch_elements import first_of, wide
from .torch_windows import windows

aten = torch.ops.aten


def native_layer_norm(
    x: torch.Tensor, normalized_shape: list[int], weight: Any, bias: Any, eps: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(y, mean, rstd) over the trailing len(normalized_shape) dims."""
    dims = list(range(x.dim() - len(normalized_shape), x.dim()))
    wide = x.to(torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x
    count = 1
    for dim in dims:
        count = count * x.shape[dim]
    mean = wide.sum(dims, keepdim=True) / count
    centred = wide - mean
    variance = (centred * centred).sum(dims, keepdim=True) / count
    rstd = torch.rsqrt(variance + eps)
    y = centred * rstd
    if weight is not None:
        y = y * weight
    if bias is not None:
        y = y + bias
    return y.to(x.dtype), mean, rstd


def layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return native_layer_norm(x, normalized_shape, weight, bias, eps)[0]


def _by_channel(x: torch.Tensor, scale: Any, shift: Any) -> torch.Tensor:
    """x * scale + shift with a number for each channel, dimension 1."""
    shape = [1, x.shape[1], *[1] * (x.dim() - 2)]
    y = x * scale.reshape(shape)
    return y if shift is None else y + shift.reshape(shape)


def batch_norm_of_stored(x, weight, bias, mean, variance, momentum, eps):
    """(y, nothing, nothing) with stored mean and variance, which is one product and one sum an element."""
    weight, bias, mean, variance = map(wide, (weight, bias, mean, variance))
    scale = torch.rsqrt(variance + eps)
    scale = scale if weight is None else scale * weight
    shift = -mean * scale if bias is None else bias - mean * scale
    return _by_channel(wide(x), scale, shift).to(x.dtype), x.new_empty([0]), x.new_empty([0])


def batch_norm_of_batch(x, weight, bias, training, momentum, eps):
    """(y, mean, rstd) with the batch's own mean and variance."""
    variance, mean = var_mean(wide(x), [d for d in range(x.dim()) if d != 1], correction=0)
    rstd = torch.rsqrt(variance + eps)
    y = _by_channel(wide(x) - mean.reshape([1, -1, *[1] * (x.dim() - 2)]), rstd, None)
    y = y if weight is None else _by_channel(y, wide(weight), wide(bias))
    return y.to(x.dtype), mean, rstd


def var_mean(
    x: torch.Tensor, dim: list[int] | None = None, *, correction: float | None = None, keepdim: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    dims = [d % x.dim() for d in dim] if dim and x.dim() else list(range(x.dim()))
    wide = x.to(torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x
    count = 1
    for d in dims:
        count = count * x.shape[d]
    mean = wide.sum(dims, keepdim=True) / count
    centred = wide - mean
    less = 1 if correction is None else correction
    total = (centred * centred).sum(dims, keepdim=True)
    variance = total / torch.clamp_min(torch.full_like(total, 1.0) * count - less, 0)
    kept = [1 if d in dims else size for d, size in enumerate(x.shape) if keepdim or d not in dims]
    return variance.reshape(kept).to(x.dtype), mean.reshape(kept).to(x.dtype)


def var(x: torch.Tensor, dim: list[int] | None = None, **options: Any) -> torch.Tensor:
    return NotImplemented if x.is_complex() else var_mean(x, dim, **options)[0]


def std(x: torch.Tensor, dim: list[int] | None = None, **options: Any) -> torch.Tensor:
    return NotImplemented if x.is_complex() else torch.sqrt(var_mean(x, dim, **options)[0])


def squeeze_dims(x: torch.Tensor, dims: list[int]) -> torch.Tensor:
    gone = {d % x.dim() for d in dims} if x.dim() else set()
    return x.reshape([size for d, size in enumerate(x.shape) if d not in gone or size != 1])


def remainder(x: Any, y: Any) -> torch.Tensor:
    """Python's: the sign of the divisor. Everything is computed in the type of the result."""
    kind = torch.result_type(x, y)
    x = x.to(kind) if isinstance(x, torch.Tensor) else torch.full_like(y, x, dtype=kind)
    y = y.to(kind) if isinstance(y, torch.Tensor) else torch.full_like(x, y)
    rest = torch.fmod(x, y)
    return torch.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def floor_divide(x: Any, y: Any) -> torch.Tensor:
    """The quotient that goes with `remainder`: floor(x / y) is wrong where x / y is rounded up to an integer."""
    kind = torch.result_type(x, y)
    if not kind.is_floating_point:
        return NotImplemented
    x = x.to(kind) if isinstance(x, torch.Tensor) else torch.full_like(y, x, dtype=kind)
    y = y.to(kind) if isinstance(y, torch.Tensor) else torch.full_like(x, y)
    rest = torch.fmod(x, y)
    exact = (x - rest) / y
    exact = torch.where((rest != 0) & ((rest < 0) != (y < 0)), exact - 1, exact)
    floor = torch.floor(exact)
    floor = torch.where(exact - floor > 0.5, floor + 1, floor)
    plain = x / y
    floor = torch.where(exact != 0, floor, plain * 0.0)
    return torch.where(y == 0, plain, floor)


def div_mode(x: Any, y: Any, rounding_mode: str | None = None) -> torch.Tensor:
    if rounding_mode != "floor":
        return NotImplemented
    return floor_divide(x, y) if torch.result_type(x, y).is_floating_point else aten.floor_divide(x, y)


def nonzero_numpy(x: torch.Tensor) -> list[torch.Tensor]:
    found = aten.nonzero(x)
    return [found.select(1, d) for d in range(x.dim())] if x.dim() else [found[:, 0]]


def _arg(reduce: Callable, x: torch.Tensor, dim: int | None, keepdim: bool) -> torch.Tensor:
    flat = x.reshape(-1) if dim is None or x.dim() == 0 else x
    at = 0 if dim is None or x.dim() == 0 else dim % x.dim()
    index = first_of(flat, reduce(flat, at, True), at)
    if dim is None or x.dim() == 0:
        return index.reshape([1] * x.dim() if keepdim else [])
    return index if keepdim else index.squeeze(at)


def argmax(x: torch.Tensor, dim: int | None = None, keepdim: bool = False) -> torch.Tensor:
    return _arg(aten.amax, x, dim, keepdim)


def argmin(x: torch.Tensor, dim: int | None = None, keepdim: bool = False) -> torch.Tensor:
    return _arg(aten.amin, x, dim, keepdim)


def _extreme(reduce: Callable, x: torch.Tensor, dim: int, keepdim: bool) -> tuple[torch.Tensor, torch.Tensor]:
    if x.dim() == 0:
        return x.clone(), torch.zeros((), dtype=torch.int64)
    at = dim % x.dim()
    best = reduce(x, at, True)
    index = first_of(x, best, at)
    return (best, index) if keepdim else (best.squeeze(at), index.squeeze(at))


def max_dim(x: torch.Tensor, dim: int, keepdim: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    return _extreme(aten.amax, x, dim, keepdim)


def min_dim(x: torch.Tensor, dim: int, keepdim: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    return _extreme(aten.amin, x, dim, keepdim)


def _any_or_all(over: Callable) -> Callable:
    def reduce(x: torch.Tensor, dim: list[int] | None = None, keepdim: bool = False) -> torch.Tensor:
        dims = sorted({d % x.dim() for d in dim} if dim else range(x.dim()), reverse=True)
        for d in dims:
            x = over(x, d, keepdim)
        return x if dims else x != 0

    return reduce


def median_dim(x: torch.Tensor, dim: int, keepdim: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
    """The lower of two middle elements; NaN where there is one."""
    if not x.dim():
        return x.clone(), torch.zeros((), dtype=torch.int64)
    at = dim % x.dim()
    values, order = torch.sort(x, stable=True, dim=at)
    middle = (x.shape[at] - 1) // 2
    best, index = values.narrow(at, middle, 1), order.narrow(at, middle, 1)
    if x.is_floating_point():
        last = values.narrow(at, x.shape[at] - 1, 1)  # NaN is sorted last
        wrong = last != last
        best, index = torch.where(wrong, last, best), torch.where(wrong, first_of(x, last, at), index)
    return (best, index) if keepdim else (best.squeeze(at), index.squeeze(at))


def median(x: torch.Tensor) -> torch.Tensor:
    return median_dim(x.reshape(-1), 0)[0]


def searchsorted(ordered, values, *, out_int32=False, right=False, side=None, sorter=None):
    """How many elements lie before each value, or up to it; NaN is greater than all."""
    if sorter is not None:
        ordered = torch.gather(ordered, -1, sorter)
    one, many = values.unsqueeze(-1), ordered.unsqueeze(-2)
    before = ~(many > one) if right or side == "right" else ~(many >= one)
    return before.sum(-1, dtype=torch.int64).to(torch.int32 if out_int32 else torch.int64)


def cdist(x1: torch.Tensor, x2: torch.Tensor, p: float = 2.0, compute_mode: Any = None) -> torch.Tensor:
    """Distances of the rows of `x1` and those of `x2` in the p-norm, from their differences."""
    apart = (x1.unsqueeze(-2) - x2.unsqueeze(-3)).abs()
    if p == 0:
        return (apart != 0).to(apart.dtype).sum(-1)
    if p == 1:
        return apart.sum(-1)
    if p == 2:
        return torch.sqrt((apart * apart).sum(-1))
    return apart.amax(-1) if p == float("inf") else (apart**p).sum(-1) ** (1 / p)


def diagonal(x: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> torch.Tensor:
    """The elements where position dim2 - position dim1 is `offset`, as the last dimension."""
    x = x.movedim((dim1, dim2), (-2, -1))
    row, column = max(-offset, 0), max(offset, 0)
    length = torch.sym_max(torch.sym_min(x.shape[-2] - row, x.shape[-1] - column), 0)
    at = torch.arange(length)
    return x[..., at + row, at + column]


# Ops that torch-mlir lowers well as they are; decomposing them hides structure (a linear layer is one dot).
KEPT = (
    aten.linear.default,
    aten.matmul.default,
    aten.gelu.default,
    aten.silu.default,
    aten.embedding.default,
    aten.softmax.int,
    aten._softmax.default,
    # These have bodies of ours (torch_bodies).
    aten.avg_pool1d.default,
    aten.max_pool1d.default,
)


def own() -> dict[Any, Callable]:
    """Decompositions of ours, beside and instead of torch's."""
    decompositions = windows()
    decompositions[aten.native_layer_norm.default] = native_layer_norm
    decompositions[aten.layer_norm.default] = layer_norm
    decompositions[aten._native_batch_norm_legit_no_training.default] = batch_norm_of_stored
    decompositions[aten._native_batch_norm_legit.no_stats] = batch_norm_of_batch
    decompositions[aten.var.correction], decompositions[aten.std.correction] = var, std
    decompositions[aten.var_mean.correction] = var_mean
    decompositions[aten.squeeze.dims] = squeeze_dims
    decompositions[aten.floor_divide.default] = decompositions[aten.floor_divide.Scalar] = floor_divide
    decompositions[aten.div.Tensor_mode] = decompositions[aten.div.Scalar_mode] = div_mode
    decompositions[aten.nonzero_numpy.default] = nonzero_numpy
    for overload in (aten.remainder.Tensor, aten.remainder.Scalar, aten.remainder.Scalar_Tensor):
        decompositions[overload] = remainder
    decompositions[aten.argmax.default], decompositions[aten.argmin.default] = argmax, argmin
    decompositions[aten.any.dims] = _any_or_all(aten.any.dim)
    decompositions[aten.all.dims] = _any_or_all(aten.all.dim)
    decompositions[aten.max.dim], decompositions[aten.min.dim] = max_dim, min_dim
    decompositions[aten.median.dim], decompositions[aten.median.default] = median_dim, median
    decompositions[aten.searchsorted.Tensor] = searchsorted
    decompositions[aten._cdist_forward.default] = cdist
    decompositions[aten.diagonal.default] = diagonal
    return decompositions
