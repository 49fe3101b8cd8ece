"""DISC: compiled once, with its symbols by name."""

from __future__ import annotations

import inspect
from typing import Any

from .base import Peer, Runner, Setup


def _build(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup, **options: Any) -> Runner:
    import disc

    symbols = {}
    for name in (name for of in dims for name in of.values()):
        least, largest = setup.bounds.get(name, (None, None))
        symbols[name] = disc.Dim(name, min=least, max=largest)
    shapes = tuple({i: symbols[name] for i, name in of.items()} for of in dims)
    before = disc.compile_count()
    fast = disc.compile(model, tuple(example), dynamic_shapes=shapes, threads=setup.threads, **options)
    report = fast.report

    def stats() -> dict[str, Any]:
        return {
            "graphs": disc.compile_count() - before,
            "phases": dict(report.phases),
            "fusions": len(report.fusions),
            "kernels": dict(report.kernels),
            "library": dict(report.library),
            "runtime": fast.statistics(),
        }

    return Runner(lambda tensors: fast(*tensors), stats=stats)


def build(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return _build(model, example, dims, setup)


def build_bf16(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return _build(model, example, dims, setup, precision="bf16")


def _no_precision() -> str:
    import disc

    return "" if "precision" in inspect.signature(disc.compile).parameters else "disc.compile has no `precision`"


IMPORTS = ("disc", "disc.runtime", "disc.frontends.torch_frontend", "torch.export", "torch_mlir.fx")
PEERS = {
    "disc": Peer(build, IMPORTS),
    "disc-bf16": Peer(build_bf16, IMPORTS, _no_precision, f32=False, only=("W4", "W5", "W6", "W7", "W8", "W9")),
}
