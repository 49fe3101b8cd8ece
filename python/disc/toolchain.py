"""Finds the native tools and libraries that were installed with this package."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

from .errors import CompileError

_PACKAGE = Path(__file__).resolve().parent


@functools.cache
def tool(name: str) -> Path:
    """Path of the native tool `name` (`disc-opt`, `disc-compile`): the installed one, or that of the build tree."""
    installed = _PACKAGE / "bin" / name
    for path in (installed, _PACKAGE.parents[1] / "build" / "bin" / name):
        if path.exists():
            return path
    raise CompileError(
        f"`{name}` is not installed: expected it at {installed}; reinstall with `pip install disc-compiler`, "
        "in a source tree run `make build`"
    )


@functools.cache
def linker(triple: str = "") -> str:
    """The C compiler that links artifacts: the system's, or GCC's cross compiler for `triple`."""
    if triple:
        parts = triple.split("-")
        names = dict.fromkeys((f"{triple}-gcc", f"{parts[0]}-{'-'.join(parts[-2:])}-gcc"))
        if path := next(filter(None, map(shutil.which, names)), None):
            return path
        raise CompileError(
            f"no linker for {triple}: expected {' or '.join(f'`{name}`' for name in names)} in PATH; install it "
            f"(Debian: `apt-get install gcc-{parts[0]}-{'-'.join(parts[-2:])}`)"
        )
    for name in ("cc", "gcc", "clang"):
        if path := shutil.which(name):
            return path
    raise CompileError(
        "no linker found: linking the compiled code needs `cc`, `gcc` or `clang` in PATH; install one "
        "(Debian: `apt-get install gcc libc6-dev`)"
    )


def _become(name: str, *options: str) -> NoReturn:
    try:
        path = str(tool(name))
    except CompileError as error:
        sys.exit(f"error: {error}")
    os.execv(path, [path, *options, *sys.argv[1:]])


def disc_opt() -> NoReturn:
    """The command `disc-opt`; this Python reads the passes that it is given."""
    _become("disc-opt", f"--python={sys.executable}")


def disc_compile() -> NoReturn:
    """The command `disc-compile`."""
    _become("disc-compile")
