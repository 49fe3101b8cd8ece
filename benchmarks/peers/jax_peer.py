"""JAX: XLA compiles for each shape. Workloads that are written in jax.numpy only."""

from __future__ import annotations

from typing import Any

from .base import Peer, Runner, Setup


def build(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    import jax
    import torch

    f = jax.jit(model.jax_fn(model))
    return Runner(
        lambda arrays: f(*arrays).block_until_ready(),
        lambda *tensors: [jax.dlpack.from_dlpack(x) for x in tensors],
        torch.from_dlpack,
        lambda: {"graphs": f._cache_size()},
    )


PEERS = {"jax": Peer(build, ("jax", "jax.dlpack"), pin=True, contends=True, only=("W1", "W2", "W3"))}
