"""Pieces that several decompositions are made of."""

from __future__ import annotations

from typing import Any

import torch


def wide(x: Any) -> Any:
    """`x`, or in f32 where its type is narrower."""
    return x.to(torch.float32) if x is not None and x.dtype in (torch.float16, torch.bfloat16) else x


def first_of(x: torch.Tensor, best: torch.Tensor, dim: int) -> torch.Tensor:
    """The first position along `dim` that holds what `best` holds; NaN counts as equal to NaN."""
    length = x.shape[dim]
    shape = [1] * x.dim()
    shape[dim] = length
    position = torch.arange(length, dtype=torch.int64).view(shape)
    hit = (x == best) | ((x != x) & (best != best)) if x.is_floating_point() else x == best
    return torch.where(hit, position, length).amin(dim, keepdim=True)
