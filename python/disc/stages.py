"""The IR after each pass of the pipeline, as disc-opt prints it."""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import CompileError
from .toolchain import tool


@dataclass(frozen=True)
class Stage:
    """index: position among the passes that ran; phase: "" for a user's pass; text: the module, with locations."""

    index: int
    phase: str
    name: str
    text: str

    def __str__(self) -> str:
        return f"pass {self.index} `{self.name}`" + (f" (phase {self.phase})" if self.phase else "")


@dataclass(frozen=True)
class UserPass:
    """A pass written with disc_dsl that runs after a phase."""

    file: Path
    after: str
    flag: str
    on: str

    @staticmethod
    def load(file: Path, after: str) -> UserPass:
        """Reads what the file declares; after: a phase. Raises CompileError."""
        from disc_dsl.errors import DslError
        from disc_dsl.passes import load_pass

        try:
            loaded = load_pass(file)
        except DslError as error:
            raise CompileError(str(error)) from error
        return UserPass(file, after, loaded.flag, "func.func" if loaded.decl.on == "func.func" else "builtin.module")


@dataclass(frozen=True)
class Step:
    """A pass of the pipeline; on: the op that it runs on, `builtin.module` or `func.func`."""

    phase: str
    name: str
    on: str


@functools.cache
def steps() -> tuple[Step, ...]:
    """The passes of all phases, in order."""
    listed = subprocess.run([str(tool("disc-opt")), "--list-phases"], capture_output=True, text=True, check=True).stdout
    found = []
    for line in listed.splitlines():
        phase, _, text = line.partition(": ")
        anchors = ["builtin.module"]
        for word, mark in re.findall(r"([\w.-]+)(?:\{[^{}]*\})?([(),]*)", text):
            if mark.startswith("("):
                anchors.append(word)
                continue
            found.append(Step(phase, word, anchors[-1]))
            del anchors[len(anchors) - mark.count(")") :]
    return tuple(found)


def phases() -> list[str]:
    """The names of the phases, in order."""
    return list(dict.fromkeys(step.phase for step in steps()))


def _command(to: str, user: UserPass | None) -> list[str]:
    command = [str(tool("disc-opt"))]
    if user is None:
        return [*command, "--disc-pipeline", f"--to={to}"]
    names = phases()
    if user.after not in names:
        raise CompileError(f"unknown phase `{user.after}`; the phases are {', '.join(names)}")
    rest = names[names.index(user.after) + 1 :]
    if not rest:
        others = ", ".join(names[:-1])
        raise CompileError(f"a pass cannot run after `{user.after}`, the last phase; the others are {others}")
    step = f"func.func({user.flag})" if user.on == "func.func" else user.flag
    parts = [f"disc-pipeline{{to={user.after}}}", step]
    if to in rest:
        parts.append(f"disc-pipeline{{from={rest[0]} to={to}}}")
    return [*command, f"--load-pass={user.file}", f"--pass-pipeline=builtin.module({','.join(parts)})"]


def lower(model: Path, to: str, user: UserPass | None = None) -> str:
    """The module after phase `to`, with locations. Raises CompileError."""
    command = [*_command(to, user), "--mlir-print-debuginfo", str(model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CompileError(done.stderr.strip() or f"disc-opt failed with {done.returncode}", diagnostics=done.stderr)
    return done.stdout


def explain_fusion(model: Path, a: str = "", b: str = "") -> str:
    """Why ops are in one kernel or stitch, or apart: all of the model, or two of them.

    a, b: `LINE`, `LINE:COLUMN`, `FILE:LINE:COLUMN` or the name of an op. Raises CompileError.
    """
    query = f"={a},{b}" if a or b else ""
    command = [str(tool("disc-opt")), f"--disc-explain-fusion{query}", str(model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CompileError(done.stderr.strip() or f"disc-opt failed with {done.returncode}", diagnostics=done.stderr)
    return done.stdout.rstrip()


_HEADER = re.compile(
    r"^// -----// IR Dump After (\S+)( Failed)? \(([^)]*)\) \('([^']*)' operation(?:: @?(.*?))?\) //----- //$", re.M
)


def stages(model: Path, to: str = "cpu", user: UserPass | None = None) -> list[Stage]:
    """What disc-opt prints after each pass up to phase `to`. Raises CompileError when a pass fails, with its text."""
    options = "--mlir-print-ir-after-all --mlir-print-ir-module-scope --mlir-disable-threading --mlir-print-debuginfo"
    command = [*_command(to, user), *options.split(), str(model)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if re.search(r"\berror:", line)]
        raise CompileError("\n".join(errors) or f"disc-opt failed with {done.returncode}", diagnostics=done.stderr)
    headers = list(_HEADER.finditer(done.stderr))
    ends = [h.start() for h in headers[1:]] + [len(done.stderr)]
    named = _in_phases([(h[3], h[4], h[5] or "") for h in headers], user)
    return [
        Stage(index, phase, header[3], done.stderr[header.end() : end])
        for index, (header, end, phase) in enumerate(zip(headers, ends, named, strict=True))
    ]


def _in_phases(ran: list[tuple[str, str, str]], user: UserPass | None) -> Iterator[str]:
    """The phase of each (pass, kind of op, function) that ran; a function's passes all run before the next function's.

    A pass that is not found ran inside the next one that is.
    """
    order = list(steps())
    if user is not None:
        last = max(i for i, step in enumerate(order) if step.phase == user.after)
        order.insert(last + 1, Step("", user.flag, user.on))
    everywhere = 0
    at: dict[str, int] = {}
    for name, on, function in ran:
        start = max(everywhere, at.get(function, 0)) if function else max([everywhere, *at.values()])
        place = next((i for i in range(start, len(order)) if (order[i].name, order[i].on) == (name, on)), None)
        # The passes on functions between two passes on the module are one group.
        if place is not None and any(step.on != on for step in order[everywhere:place] if on == "func.func"):
            place = None
        if place is None:
            yield order[min(start, len(order) - 1)].phase
            continue
        yield order[place].phase
        if on == "func.func":
            at[function] = place + 1
        else:
            everywhere = place + 1
            at.clear()
