"""Finding and running MLIR's tools."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]  # what holds disc_dsl: site-packages, or python/ of the source tree
_known: dict[str, str] = {}


def use_tool(name: str, path: str) -> None:
    """Says where a tool is, before anything looks for it."""
    _known[name] = path


def find_tool(name: str) -> str:
    """The tool told of, else the one installed with disc or built in this tree, of the pip package, in PATH."""
    if name in _known:
        return _known[name]
    folders = [
        _ROOT / "disc" / "bin",
        _ROOT.parent / "build" / "bin",
        Path(sysconfig.get_path("purelib")) / "mlir" / "bin",
        Path(sys.executable).parent,
    ]
    found = next((str(f / name) for f in folders if (f / name).exists()), None) or shutil.which(name)
    if found is None:
        raise SystemExit(
            f"error: `{name}` not found in {folders[0]}, beside Python or in PATH; reinstall disc-compiler, "
            "in a source tree run `make build`"
        )
    return found
