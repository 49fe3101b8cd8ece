"""What a peer is: a way to run a torch model at changing sizes."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable


@dataclass(frozen=True)
class Setup:
    """threads: how many a call may use; scratch: a folder for files of the peer; bounds: as in Workload."""

    threads: int
    scratch: Path
    bounds: dict[str, tuple[int | None, int | None]]


class Runner:
    """A compiled model.

    run:      one call, on what `prepare` gave; it is timed
    prepare:  tensors -> arguments, not timed: for peers that keep arrays of their own
    to_torch: outputs -> tensor or tensors, not timed
    stats:    e.g. how many graphs were compiled so far
    note:     a remark for the report
    """

    def __init__(
        self,
        run: Callable[[Any], Any],
        prepare: Callable[..., Any] | None = None,
        to_torch: Callable[[Any], Any] | None = None,
        stats: Callable[[], dict[str, Any]] | None = None,
        note: str = "",
    ) -> None:
        self.run, self.note = run, note
        self.prepare = prepare or (lambda *tensors: tensors)
        self.to_torch = to_torch or (lambda outputs: outputs)
        self.stats = stats or dict


Build = Callable[[Any, tuple, list[dict[int, str]], Setup], Runner]


@dataclass(frozen=True)
class Peer:
    """build:      (model, example inputs, {dimension: symbol} of each input, Setup) -> Runner. Its time and that of the
                   first call of every shape, counts as compilation.
    imports:       modules imported before the clock starts; a peer that lacks one is absent
    missing:       further reason to be absent, "" for none
    f32:           computes in f32, so that it counts as a rival
    computes:      what the model computes, which is compared
    recompiles:    compiles for each shape
    pin:           threads are limited by CPU affinity
    contends:      keeps more runnable threads than cores, so that waiting for a core says nothing
    pool:          malloc is told to keep freed memory, so that large buffers cause no page faults
    only:          workloads it is for; () for all
    """

    build: Build
    imports: tuple[str, ...] = ()
    missing: Callable[[], str] = str
    f32: bool = True
    computes: bool = True
    recompiles: bool = False
    pin: bool = False
    contends: bool = False
    pool: bool = False
    only: tuple[str, ...] = ()

    def absent(self) -> str:
        """Why it cannot run here, or ""."""
        for module in self.imports:
            top = module.split(".")[0]
            if importlib.util.find_spec(top) is None:
                return f"no module `{top}`"
        return self.missing()


def short(error: BaseException, limit: int = 300) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= limit else text[:limit] + "..."


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def export(model: Any, example: tuple, dims: list[dict[int, str]]) -> tuple[Any, str]:
    """torch.export's program with dynamic sizes, and a note where torch chose which ones."""
    import torch

    error: Exception | None = None
    for kind in ("DYNAMIC", "AUTO"):
        size = getattr(torch.export.Dim, kind)
        try:
            sizes = [dict.fromkeys(d, size) for d in dims]
            program = torch.export.export(model, tuple(example), dynamic_shapes=sizes)
            return program, "" if kind == "DYNAMIC" else "Dim.AUTO"
        except Exception as refused:
            error = refused
    assert error is not None
    raise error


def to_onnx(model: Any, example: tuple, dims: list[dict[int, str]], setup: Setup) -> tuple[str, str]:
    """Path of the model as ONNX, and a note where torch chose the dynamic sizes."""
    import torch

    path = str(setup.scratch / "model.onnx")
    error: Exception | None = None
    for kind in ("DYNAMIC", "AUTO"):
        size = getattr(torch.export.Dim, kind)
        try:
            with quiet():
                program = torch.onnx.export(
                    model,
                    tuple(example),
                    dynamo=True,
                    verbose=False,
                    input_names=[f"in{i}" for i in range(len(example))],
                    dynamic_shapes=[dict.fromkeys(d, size) for d in dims],
                )
                program.save(path, external_data=True)
            return path, "" if kind == "DYNAMIC" else "Dim.AUTO"
        except Exception as refused:
            error = refused
    assert error is not None
    raise error
