"""Batch normalization (StableHLO specification: batch_norm_inference, batch_norm_training, batch_norm_grad)."""

from __future__ import annotations

import numpy as np

from .core import Call, op
from .numerics import round_to, wide


def _along(c: Call, x: np.ndarray, *vectors: np.ndarray) -> tuple[tuple[int, ...], list[np.ndarray]]:
    """(all dimensions but the feature's, vectors shaped along that one)."""
    feature = c.value("feature_index")
    shape = [-1 if d == feature else 1 for d in range(x.ndim)]
    return tuple(d for d in range(x.ndim) if d != feature), [wide(v).reshape(shape) for v in vectors]


@op("dhlo.batch_norm_inference")
def batch_norm_inference(c: Call, x, scale, offset, mean, variance):
    _, (s, o, m, v) = _along(c, x, scale, offset, mean, variance)
    return round_to(s * (wide(x) - m) / np.sqrt(v + c.value("epsilon")) + o, c.dtype())


@op("dhlo.batch_norm_training")
def batch_norm_training(c: Call, x, scale, offset):
    dims, (s, o) = _along(c, x, scale, offset)
    count = np.float64(x.size // max(scale.size, 1))
    mean = wide(x).sum(dims, keepdims=True) / count
    variance = ((wide(x) - mean) ** 2).sum(dims, keepdims=True) / count
    out = s * (wide(x) - mean) / np.sqrt(variance + c.value("epsilon")) + o
    return [round_to(a, c.dtype()) for a in (out, mean.reshape(-1), variance.reshape(-1))]


@op("dhlo.batch_norm_grad")
def batch_norm_grad(c: Call, x, scale, mean, variance, grad):
    dims, (s, m, v) = _along(c, x, scale, mean, variance)
    count = x.size / max(scale.size, 1)
    g, centred, std = wide(grad), wide(x) - m, np.sqrt(v + c.value("epsilon"))
    grad_offset = g.sum(dims, keepdims=True)
    inner = (g * centred).sum(dims, keepdims=True)
    grad_x = s / std / count * (count * g - grad_offset - centred * inner / (std * std))
    return [round_to(a, c.dtype()) for a in (grad_x, (inner / std).reshape(-1), grad_offset.reshape(-1))]
