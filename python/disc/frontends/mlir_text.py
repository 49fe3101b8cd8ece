"""StableHLO, MHLO or CHLO text and `.mlir` files."""

from __future__ import annotations

from pathlib import Path

from ..errors import CompileError
from . import Imported
from .literals import pack_literals


def import_text(source: str | Path) -> Imported:
    """`source` is MLIR text, or the path of a file that holds it."""
    text, path = str(source), None
    if isinstance(source, Path) or (len(text) < 4096 and "\n" not in text and text.rstrip().endswith(".mlir")):
        path = Path(source)
        if not path.exists():
            raise CompileError(f"{path}: no such file; expected MLIR text or the path of a `.mlir` file")
        text = path.read_text()
    return Imported(text=pack_literals(text), source=path)
