"""Decompositions applied before torch-mlir, where its own lose speed or accuracy.

torch-mlir computes layer norm's variance in f64 and the mean twice; here it stays in the input's type (f32 for
narrower ones) with one pass for the mean and one for the variance.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

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


def _wide(x: Any) -> Any:
    return x.to(torch.float32) if x is not None and x.dtype in (torch.float16, torch.bfloat16) else x


def _by_channel(x: torch.Tensor, scale: Any, shift: Any) -> torch.Tensor:
    """x * scale + shift with a number for each channel, dimension 1."""
    shape = [1, x.shape[1], *[1] * (x.dim() - 2)]
    y = x * scale.reshape(shape)
    return y if shift is None else y + shift.reshape(shape)


def batch_norm_of_stored(x, weight, bias, mean, variance, momentum, eps):
    """(y, nothing, nothing) with stored mean and variance, which is one product and one sum an element."""
    weight, bias, mean, variance = map(_wide, (weight, bias, mean, variance))
    scale = torch.rsqrt(variance + eps)
    scale = scale if weight is None else scale * weight
    shift = -mean * scale if bias is None else bias - mean * scale
    return _by_channel(_wide(x), scale, shift).to(x.dtype), x.new_empty([0]), x.new_empty([0])


def batch_norm_of_batch(x, weight, bias, training, momentum, eps):
    """(y, mean, rstd) with the batch's own mean and variance."""
    variance, mean = var_mean(_wide(x), [d for d in range(x.dim()) if d != 1], correction=0)
    rstd = torch.rsqrt(variance + eps)
    y = _by_channel(_wide(x) - mean.reshape([1, -1, *[1] * (x.dim() - 2)]), rstd, None)
    y = y if weight is None else _by_channel(y, _wide(weight), _wide(bias))
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
    return floor_divide(x, y) if rounding_mode == "floor" else NotImplemented


def nonzero_numpy(x: torch.Tensor) -> list[torch.Tensor]:
    found = aten.nonzero(x)
    return [found.select(1, d) for d in range(x.dim())] if x.dim() else [found[:, 0]]


def _first(x: torch.Tensor, best: torch.Tensor, dim: int) -> torch.Tensor:
    """The first position along `dim` that holds what `best` holds; NaN counts as equal to NaN."""
    length = x.shape[dim]
    shape = [1] * x.dim()
    shape[dim] = length
    position = torch.arange(length, dtype=torch.int64).view(shape)
    hit = (x == best) | ((x != x) & (best != best)) if x.is_floating_point() else x == best
    return torch.where(hit, position, length).amin(dim, keepdim=True)


def _arg(reduce: Callable, x: torch.Tensor, dim: int | None, keepdim: bool) -> torch.Tensor:
    flat = x.reshape(-1) if dim is None or x.dim() == 0 else x
    at = 0 if dim is None or x.dim() == 0 else dim % x.dim()
    index = _first(flat, reduce(flat, at, True), at)
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
    index = _first(x, best, at)
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


def unfold(x: torch.Tensor, dimension: int, size: int, step: int) -> torch.Tensor:
    """Windows of `size` elements, which become the last dimension."""
    if not x.dim():
        return NotImplemented
    at = dimension % x.dim()
    starts = torch.arange((x.shape[at] - size) // step + 1) * step
    index = starts.reshape(-1, 1) + torch.arange(size).reshape(1, -1)
    return x.movedim(at, -1)[..., index].movedim(-2, at)


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


def adaptive_avg_pool(x: torch.Tensor, output_size: list[int]) -> torch.Tensor:
    """Output k of n is the mean of inputs floor(k * size / n) to ceil((k + 1) * size / n)."""
    wide = _wide(x)
    for back, n in enumerate(reversed(output_size), 1):
        size = x.shape[-back]
        at, k = torch.arange(size).reshape(1, -1), torch.arange(n).reshape(-1, 1)
        low, high = k * size // n, ((k + 1) * size + n - 1) // n
        across = wide.movedim(-back, -1).unsqueeze(-2)
        total = torch.where((at >= low) & (at < high), across, 0.0).sum(-1)
        wide = (total / (high - low).reshape(-1)).movedim(-1, -back)
    return wide.to(x.dtype)


def _nearest(op: Any) -> Callable:
    """Resizing by a factor takes the input at floor(k * (1 / factor)), in f32 as torch does; to sizes is torch's."""
    otherwise = torch._decomp.get_decompositions([op])[op]

    def resize(x: torch.Tensor, output_size: list[int] | None, factors: list[float] | None) -> torch.Tensor:
        ratios = [float(factor).as_integer_ratio() for factor in factors or ()]
        if factors is None or max(below for _, below in ratios) > 2**20:  # then size * factor is no exact integer ratio
            return otherwise(x, output_size, factors)
        for dim, (factor, (above, below)) in enumerate(zip(factors, ratios), 2):
            size = x.shape[dim]
            at = (torch.arange(size * above // below, dtype=torch.float32) * (1.0 / factor)).to(torch.int64)
            x = x.index_select(dim, torch.clamp_max(at, size - 1))
        return x

    return resize


_NEAREST = (aten.upsample_nearest1d.vec, aten.upsample_nearest2d.vec, aten.upsample_nearest3d.vec)

# Written with indices by torch itself.
_RESIZED = (
    aten.upsample_linear1d.vec,
    aten.upsample_bilinear2d.vec,
    aten.upsample_trilinear3d.vec,
    aten.upsample_bicubic2d.vec,
)


def own() -> dict[Any, Callable]:
    """Decompositions of ours, beside and instead of torch's."""
    decompositions = dict(torch._decomp.get_decompositions(_RESIZED))
    decompositions.update({op: _nearest(op) for op in _NEAREST})
    for op in (aten.adaptive_avg_pool1d, aten._adaptive_avg_pool2d, aten._adaptive_avg_pool3d):
        decompositions[op.default] = adaptive_avg_pool
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
    decompositions[aten.unfold.default] = unfold
    decompositions[aten.max.dim], decompositions[aten.min.dim] = max_dim, min_dim
    return decompositions
