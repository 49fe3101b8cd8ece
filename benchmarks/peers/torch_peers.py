"""torch itself: eager, and its compilers."""

from __future__ import annotations

from typing import Any

from .base import Peer, Runner, Setup, export


def build_eager(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return Runner(lambda tensors: model(*tensors))


def _stats() -> dict[str, Any]:
    from torch._dynamo.utils import counters

    return {"graphs": int(counters["stats"]["unique_graphs"]), "breaks": sum(counters["graph_break"].values())}


def _compile(model: Any, dynamic: bool) -> Runner:
    import torch
    import torch._dynamo

    torch._dynamo.config.recompile_limit = 1000  # the default, 8, falls back to eager after 8 shapes
    torch._dynamo.config.accumulated_recompile_limit = 10000
    compiled = torch.compile(model, dynamic=dynamic)
    return Runner(lambda tensors: compiled(*tensors), stats=_stats)


def build_dynamic(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return _compile(model, True)


def build_static(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    return _compile(model, False)


def build_freezing(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    import torch._inductor.config

    torch._inductor.config.freezing = True
    return _compile(model, True)


def build_aot(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> Runner:
    import torch._inductor

    program, note = export(model, example, dims)
    path = torch._inductor.aoti_compile_and_package(program, package_path=str(setup.scratch / "model.pt2"))
    compiled = torch._inductor.aoti_load_package(path)
    return Runner(lambda tensors: compiled(*tensors), note=note)


INDUCTOR = ("torch._dynamo", "torch._inductor.compile_fx")
MEMORY_BOUND = ("W1", "W2", "W3")
PEERS = {
    "eager": Peer(build_eager, ("torch",)),
    "inductor": Peer(build_dynamic, INDUCTOR),
    "inductor-freeze": Peer(build_freezing, INDUCTOR, only=("W5", "W6", "W7", "W8", "W9")),
    "aoti": Peer(build_aot, (*INDUCTOR, "torch.export")),
    "inductor-static": Peer(build_static, INDUCTOR, recompiles=True),
    "eager+pool": Peer(build_eager, ("torch",), pool=True, only=MEMORY_BOUND),
    "inductor+pool": Peer(build_dynamic, INDUCTOR, pool=True, only=MEMORY_BOUND),
}
