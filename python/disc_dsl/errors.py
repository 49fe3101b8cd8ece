"""Errors that name the author's file, line and column."""

from __future__ import annotations

import contextlib
import difflib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

_HERE = tuple({str(Path(__file__).parent), str(Path(__file__).resolve().parent)})


@dataclass(frozen=True)
class Place:
    """Where in the author's file something was written (1-based line and column)."""

    file: str
    line: int
    col: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


def here() -> Place:
    """The place of the innermost call that was not made by this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((*_HERE, contextlib.__file__, "<frozen importlib")):
        frame = frame.f_back
    if frame is None:
        return Place("<unknown>", 1)
    line, col = frame.f_lineno, 1
    if sys.version_info >= (3, 11):
        position = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        line, col = position[0] or line, (position[2] or 0) + 1
    return Place(frame.f_code.co_filename, line, col)


class DslError(Exception):
    """A mistake in a pass file: `file:line:col: error: message`."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        self.place = place or here()
        self.message = message
        super().__init__(f"{self.place}: error: {message}")


def suggestion(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """`; did you mean ...?` where something known is near, else nothing."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"; did you mean `{near[0]}`?" if near else ""
