"""Pipelines as data: phases in order, a reason on each line, printed as MLIR's textual pipelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import DslError, Place, here, suggestion
from .passes import PassFile, check_options, load_module


@dataclass(frozen=True)
class Step:
    """One pass of a phase. `on` is the op it runs on (None: as the pass file says)."""

    name: str
    why: str
    options: Mapping[str, Any]
    upstream: bool
    on: str | None
    place: Place

    def flag(self, passes: Mapping[str, PassFile]) -> str:
        text = self.name if self.upstream else passes[self.name].flag
        settings = " ".join(f"{k.replace('_', '-')}={option_text(v)}" for k, v in self.options.items())
        if not settings:
            return text
        return f"{text[:-1]} {settings}}}" if text.endswith("}") else f"{text}{{{settings}}}"

    def anchor(self, passes: Mapping[str, PassFile]) -> str:
        return self.on or ("module" if self.upstream else passes[self.name].decl.on)


def option_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(option_text(v) for v in value)
    return str(value)


def step(name: str, *, why: str, on: str | None = None, **options: Any) -> Step:
    """A pass of this tree by its name (`graph-algebra`), options as keywords."""
    return Step(name, why, options, False, on, here())


def upstream(name: str, *, why: str, on: str = "module", **options: Any) -> Step:
    """A pass of MLIR by its flag (`canonicalize`), on the module or on `func.func`."""
    return Step(name, why, options, True, on, here())


@dataclass(frozen=True)
class Phase:
    """A named stretch of the pipeline: where `--to` stops and `--from` starts."""

    name: str
    steps: Sequence[Step]
    what: str = ""
    place: Place = field(default_factory=here)

    def text(self, passes: Mapping[str, PassFile]) -> str:
        """The phase as a textual pipeline on a module."""
        groups: list[tuple[str, list[str]]] = []
        for s in self.steps:
            if not s.upstream and s.name not in passes:
                raise DslError(f"no pass `{s.name}` in passes/{suggestion(s.name, passes)}", s.place)
            if not s.upstream:
                check_options(s.name, passes[s.name].decl.option_fields, s.options, s.place)
            anchor = s.anchor(passes)
            if not groups or groups[-1][0] != anchor or anchor in ("module", "any"):
                groups.append((anchor, []))
            groups[-1][1].append(s.flag(passes))
        return ",".join(",".join(f) if a in ("module", "any") else f"{a}({','.join(f)})" for a, f in groups)


def load_pipeline(path: Path, passes: Sequence[PassFile]) -> list[tuple[Phase, str]]:
    """The phases of a pipeline file with their texts; every step is checked against the known passes."""
    phases = getattr(load_module(path, "disc_pipeline_file"), "PIPELINE", None)
    if not isinstance(phases, (list, tuple)) or not all(isinstance(p, Phase) for p in phases):
        raise DslError("a pipeline file declares `PIPELINE = [Phase(...), ...]`", Place(str(path), 1))
    known = {p.name: p for p in passes}
    seen: set[str] = set()
    for phase in phases:
        if phase.name in seen:
            raise DslError(f"phase `{phase.name}` is declared twice", phase.place)
        seen.add(phase.name)
    return [(p, p.text(known)) for p in phases]
