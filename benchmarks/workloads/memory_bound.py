"""W1 to W3: what one pass over memory can do."""

from __future__ import annotations

from typing import Any, Callable

import torch
import torch.nn.functional as F
from torch import nn

from .base import Workload, random, shapes

SEQUENCES = [(2, 128), (4, 64), (1, 37), (3, 200), (1, 384), (8, 96), (2, 257), (1, 512), (3, 77), (1, 333), (4, 300)]


class Softmax(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(x, -1)


class W1(Workload):
    name, title = "W1", "softmax over the last dimension of [B,12,S,S]"
    memory_bound = True
    dynamic_dims = [{0: "B", 2: "S", 3: "S"}]
    trace = shapes("BS", [*SEQUENCES, (5, 512), (2, 7)])

    def make_model(self) -> nn.Module:
        return Softmax()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        return (random(generator, sizes["B"], 12, sizes["S"], sizes["S"]),)

    @staticmethod
    def jax_fn(model: Any) -> Callable:
        import jax

        return lambda x: jax.nn.softmax(x, axis=-1)


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(768)
        self.bias = nn.Parameter(torch.randn(768))
        nn.init.normal_(self.norm.weight, 1.0, 0.1)
        nn.init.normal_(self.norm.bias, 0.0, 0.1)

    def forward(self, x: torch.Tensor, r: torch.Tensor) -> torch.Tensor:
        h = x + r
        return F.gelu(self.norm(h) + self.bias) + h


class W2(Workload):
    name, title = "W2", "residual, layer norm, GELU, residual on [B,S,768]"
    memory_bound = True
    dynamic_dims = [{0: "B", 1: "S"}] * 2
    trace = shapes("BS", [*SEQUENCES, (16, 512), (2, 7)])

    def make_model(self) -> nn.Module:
        return Residual()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        return tuple(random(generator, sizes["B"], sizes["S"], 768) for _ in range(2))

    @staticmethod
    def jax_fn(model: Any) -> Callable:
        import jax
        import jax.numpy as jnp

        weight, bias, c = (jnp.asarray(p.detach().numpy()) for p in (model.norm.weight, model.norm.bias, model.bias))

        def f(x: Any, r: Any) -> Any:
            h = x + r
            mean = h.mean(-1, keepdims=True)
            variance = ((h - mean) ** 2).mean(-1, keepdims=True)
            n = (h - mean) * jax.lax.rsqrt(variance + 1e-5) * weight + bias
            return jax.nn.gelu(n + c, approximate=False) + h

        return f


class Chain(nn.Module):
    """Twelve elementwise ops."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        c = torch.sigmoid(x * 1.5 + y) * x
        e = torch.tanh(c - y)
        h = torch.rsqrt(torch.abs(e) + 0.1)
        return torch.relu(torch.clamp(h, max=2.0) * e)


class W3(Workload):
    name, title = "W3", "chain of 12 elementwise ops on two [N,M]"
    memory_bound = True
    dynamic_dims = [{0: "N", 1: "M"}] * 2
    trace = shapes(
        "NM",
        [
            *[(64, 1000), (128, 768), (1, 777), (37, 513), (200, 1024), (333, 333), (7, 4096), (512, 768)],
            *[(1024, 1024), (100, 3000), (3, 50000), (2048, 3072), (5, 5)],
        ],
    )

    def make_model(self) -> nn.Module:
        return Chain()

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        return tuple(random(generator, sizes["N"], sizes["M"]) for _ in range(2))

    @staticmethod
    def jax_fn(model: Any) -> Callable:
        import jax
        import jax.numpy as jnp

        def f(x: Any, y: Any) -> Any:
            e = jnp.tanh(jax.nn.sigmoid(x * 1.5 + y) * x - y)
            return jax.nn.relu(jnp.minimum(jax.lax.rsqrt(jnp.abs(e) + 0.1), 2.0) * e)

        return f
