"""What a workload says of itself."""

from __future__ import annotations

from typing import Any, Callable

import torch


class Workload:
    """A model and the shapes that it is called with.

    trace:        sizes by symbol, a dict a shape. The first one is the example that export-style peers see: every size
                  in it is 2 or more and unlike the others, so that no peer specialises by accident.
    dynamic_dims: for each input {dimension: symbol}; equal symbols are equal sizes
    bounds:       {symbol: (least, largest size)} that the model can take, as users tell a compiler; None: no bound
    heavy:        peers that compile for each shape see only a few of them
    memory_bound: the physical limit is bytes of inputs and outputs over bandwidth; otherwise that of a roofline
    jax_fn:       model -> the same function in jax.numpy, where there is one
    """

    name = ""
    title = ""
    heavy = False
    memory_bound = False
    jax_fn: Callable[[Any], Callable] | None = None
    dynamic_dims: list[dict[int, str]] = []
    bounds: dict[str, tuple[int | None, int | None]] = {}
    trace: list[dict[str, int]] = []

    def make_model(self) -> torch.nn.Module:
        raise NotImplementedError

    def inputs(self, sizes: dict[str, int], generator: torch.Generator) -> tuple[torch.Tensor, ...]:
        raise NotImplementedError

    @classmethod
    def shape_name(cls, index: int) -> str:
        return "x".join(str(size) for size in cls.trace[index].values())


def random(generator: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=generator)


def shapes(names: str, sizes: list[tuple[int, ...]]) -> list[dict[str, int]]:
    """A trace: `names` has one letter a size."""
    return [dict(zip(names, of, strict=True)) for of in sizes]
