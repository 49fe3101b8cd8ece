"""Finds the native tools and libraries that were installed with this package."""

from __future__ import annotations

import functools
import shutil
import sysconfig
from pathlib import Path

from .errors import CompileError

_PACKAGE = Path(__file__).resolve().parent


def _candidates(name: str) -> list[Path]:
    installed = [_PACKAGE / "bin", Path(sysconfig.get_path("platlib")) / "disc" / "bin"]
    build_tree = [_PACKAGE.parents[1] / "build" / "bin"]
    return [folder / name for folder in installed + build_tree]


@functools.cache
def tool(name: str) -> Path:
    """Path of the native tool `name` (`disc-opt`, `disc-compile`)."""
    for path in _candidates(name):
        if path.exists():
            return path
    raise CompileError(
        f"`{name}` is not installed: expected it at {_candidates(name)[0]}; reinstall with `pip install disc-compiler`"
    )


@functools.cache
def linker() -> str:
    """The system's C compiler, used as the linker of artifacts."""
    for name in ("cc", "gcc", "clang"):
        if path := shutil.which(name):
            return path
    raise CompileError(
        "no linker found: expected `cc`, `gcc` or `clang` in PATH; install one (Debian: `apt-get install gcc`)"
    )
