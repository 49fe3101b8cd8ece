"""Decompositions of ops on windows of images: pooling, padding, resizing."""

from __future__ import annotations

from typing import Any, Callable

import torch

from .torch_elements import first_of, wide

aten = torch.ops.aten
_COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd


def unfold(x: torch.Tensor, dimension: int, size: int, step: int) -> torch.Tensor:
    """Windows of `size` elements, which become the last dimension."""
    if not x.dim():
        return NotImplemented
    at = dimension % x.dim()
    starts = torch.arange((x.shape[at] - size) // step + 1) * step
    index = starts.reshape(-1, 1) + torch.arange(size).reshape(1, -1)
    return x.movedim(at, -1)[..., index].movedim(-2, at)


def adaptive_avg_pool(x: torch.Tensor, output_size: list[int]) -> torch.Tensor:
    """Output k of n is the mean of inputs floor(k * size / n) to ceil((k + 1) * size / n)."""
    mean = wide(x)
    for back, n in enumerate(reversed(output_size), 1):
        size = x.shape[-back]
        at, k = torch.arange(size).reshape(1, -1), torch.arange(n).reshape(-1, 1)
        low, high = k * size // n, ((k + 1) * size + n - 1) // n
        across = mean.movedim(-back, -1).unsqueeze(-2)
        total = torch.where((at >= low) & (at < high), across, 0.0).sum(-1)
        mean = (total / (high - low).reshape(-1)).movedim(-1, -back)
    return mean.to(x.dtype)


def adaptive_max_pool(x: torch.Tensor, output_size: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    """The maxima over the windows of `adaptive_avg_pool`, and their flat positions in the image."""
    lowest = float("-inf") if x.is_floating_point() else torch.iinfo(x.dtype).min
    best, flat = x, None
    stride = 1
    for back, n in enumerate(reversed(output_size), 1):
        size = x.shape[-back]
        at, k = torch.arange(size).reshape(1, -1), torch.arange(n).reshape(-1, 1)
        inside = (at >= k * size // n) & (at < ((k + 1) * size + n - 1) // n)
        across = torch.where(inside, best.movedim(-back, -1).unsqueeze(-2), lowest)
        best = across.amax(-1, keepdim=True)
        position = first_of(torch.where(inside, across, lowest), best, -1)
        if flat is None:
            flat = position.squeeze(-1).movedim(-1, -back)
        else:
            before = flat.movedim(-back, -1).unsqueeze(-2).expand(across.shape)
            flat = (torch.gather(before, -1, position).squeeze(-1) + position.squeeze(-1) * stride).movedim(-1, -back)
        best = best.squeeze(-1).movedim(-1, -back)
        stride = stride * size
    return best, flat


def reflection_pad(x: torch.Tensor, padding: list[int]) -> torch.Tensor:
    """Mirrored at the border elements; `padding` has (before, after) of the last dimension first."""
    for back in range(1, len(padding) // 2 + 1):
        before, after = padding[2 * back - 2 : 2 * back]
        last = x.shape[-back] - 1
        at = torch.arange(x.shape[-back] + before + after) - before
        x = x.index_select(x.dim() - back, (at.abs() - last).abs() * -1 + last)
    return x


def pad_circular(x: torch.Tensor, pad: list[int]) -> torch.Tensor:
    """Continued with the elements of the other end."""
    for back in range(1, len(pad) // 2 + 1):
        dim, size = x.dim() - back, x.shape[-back]
        at = torch.arange(size + pad[2 * back - 2] + pad[2 * back - 1]) - pad[2 * back - 2]
        x = x.index_select(dim, torch.where(at < 0, at + size, torch.where(at >= size, at - size, at)))
    return x


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


def _linear(op: Any) -> Callable:
    """Between corners that stay where they are, by ratios of sizes that may be unknown; else torch's."""
    otherwise = torch._decomp.decomposition_table.get(op) or op.py_kernels[_COMPOSITE]

    def resize(x: torch.Tensor, output_size: list[int] | None, align_corners: bool, factors: list[float] | None):
        if not align_corners or factors and not all(float(factor).is_integer() for factor in factors):
            return otherwise(x, output_size, align_corners, factors)
        kind, x = x.dtype, wide(x)
        for dim in range(2, x.dim()):
            size = x.shape[dim]
            made = output_size[dim - 2] if output_size else size * int(factors[dim - 2])
            ratio = torch.ones((), dtype=x.dtype) * (size - 1) / torch.clamp_min(torch.ones(()) * (made - 1), 1.0)
            at = torch.arange(made, dtype=x.dtype) * ratio
            low = torch.clamp_max(torch.floor(at).to(torch.int64), size - 1)
            high = torch.clamp_max(low + 1, size - 1)
            part = (at - low).reshape([-1] + [1] * (x.dim() - dim - 1))
            x = x.index_select(dim, low) * (1 - part) + x.index_select(dim, high) * part
        return x.to(kind)

    return resize


_NEAREST = (aten.upsample_nearest1d.vec, aten.upsample_nearest2d.vec, aten.upsample_nearest3d.vec)
_LINEAR = (aten.upsample_linear1d.vec, aten.upsample_bilinear2d.vec, aten.upsample_trilinear3d.vec)


def windows() -> dict[Any, Callable]:
    """The decompositions of this file."""
    table = dict(torch._decomp.get_decompositions([aten.upsample_bicubic2d.vec]))  # with indices, by torch itself
    table.update({op: _nearest(op) for op in _NEAREST})
    table.update({op: _linear(op) for op in _LINEAR})
    for op in (aten.adaptive_avg_pool1d, aten._adaptive_avg_pool2d, aten._adaptive_avg_pool3d):
        table[op.default] = adaptive_avg_pool
    for op in (aten.adaptive_max_pool2d, aten.adaptive_max_pool3d):
        table[op.default] = adaptive_max_pool
    for op in (aten.reflection_pad1d, aten.reflection_pad2d, aten.reflection_pad3d):
        table[op.default] = reflection_pad
    table[aten._pad_circular.default] = pad_circular
    table[aten.unfold.default] = unfold
    return table
