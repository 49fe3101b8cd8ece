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


# Ops that torch-mlir lowers well as they are; decomposing them hides structure (a linear layer is one dot).
_KEPT = (
    aten.linear.default,
    aten.matmul.default,
    aten.gelu.default,
    aten.silu.default,
    aten.embedding.default,
    aten.softmax.int,
    aten._softmax.default,
)


def table() -> dict[Any, Callable]:
    """The decomposition table for `ExportedProgram.run_decompositions`."""
    decompositions = torch.export.default_decompositions()
    for op in _KEPT:
        decompositions.pop(op, None)
    decompositions[aten.native_layer_norm.default] = native_layer_norm
    decompositions[aten.layer_norm.default] = layer_norm
    return decompositions
