"""Examples in docstrings: MLIR before a pattern and after it, run as tests and shown on the reference page.

before:
    %0 = ...
after:
    ...
"""

from __future__ import annotations

import inspect
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from .passes import PassFile
from .patterns import Pattern
from .tools import find_tool

_EXAMPLE = re.compile(r"^before:\n(.*?)^after:\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """MLIR that a pattern rewrites, and what becomes of it."""

    before: str
    after: str


def examples(pattern: Pattern) -> list[Example]:
    """The examples of a pattern's docstring."""
    found = _EXAMPLE.findall(pattern.doc + "\n")
    return [Example(inspect.cleandoc("\n" + a).strip(), inspect.cleandoc("\n" + b).strip()) for a, b in found]


def _run(text: str, flags: Sequence[str]) -> str:
    command = [find_tool("disc-opt"), "--mlir-print-local-scope", *flags, "-"]
    done = subprocess.run(command, check=False, input=text, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"disc-opt failed on an example:\n{done.stderr}")
    return done.stdout


def check_example(p: PassFile, example: Example) -> None:
    """Runs the pass on `before` and compares with `after` as MLIR prints it. Raises AssertionError."""
    load = [] if p.stage else [f"--load-pass={p.path}"]
    anchor = p.flag if p.decl.on in ("module", "any") else f"{p.decl.on}({p.flag})"
    got = _run(example.before, [*load, f"--pass-pipeline=builtin.module({anchor})"])
    expected = _run(example.after, [])
    if got != expected:
        raise AssertionError(f"expected\n{expected}\ngot\n{got}")
