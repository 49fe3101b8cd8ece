"""One artifact: a folder with code.so, manifest.json and weights.safetensors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from .errors import DiscError

FORMAT = 1
CODE, MANIFEST, WEIGHTS = "code.so", "manifest.json", "weights.safetensors"


def write(folder: Path, code: Path, constants: dict[str, Any], manifest: dict[str, Any]) -> None:
    """Writes the artifact; an existing folder is replaced only when it holds an artifact."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST).exists():
        raise DiscError(f"{folder}: not empty and no artifact; choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(code, folder / CODE)
    (folder / MANIFEST).write_text(json.dumps({"format": FORMAT, **manifest}, indent=2))
    if not constants:
        return
    if any(type(value).__module__.startswith("torch") for value in constants.values()):
        from safetensors.torch import save_file
    else:
        from safetensors.numpy import save_file
    save_file({name: _contiguous(value) for name, value in constants.items()}, folder / WEIGHTS)


def read(folder: Path) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """(code, constants, manifest) of the artifact in `folder`; weights are mapped, not read."""
    if not (folder / MANIFEST).exists():
        raise DiscError(f"{folder}: no artifact here, expected {MANIFEST}; make one with `compiled.save(folder)`")
    manifest = json.loads((folder / MANIFEST).read_text())
    if manifest.get("format") != FORMAT:
        raise DiscError(f"{folder}: artifact of format {manifest.get('format')}, expected {FORMAT}; compile it again")
    if not (folder / CODE).exists():
        raise DiscError(f"{folder}: the artifact lacks {CODE}; save it again")
    constants: dict[str, Any] = {}
    if manifest.get("constants"):
        from safetensors import safe_open

        with safe_open(folder / WEIGHTS, framework=manifest.get("framework", "numpy")) as file:
            constants = {name: file.get_tensor(name) for name in file.keys()}
    return folder / CODE, constants, manifest


def _contiguous(value: Any) -> Any:
    # safetensors refuses tensors that share storage: tied weights are stored once per name.
    if type(value).__module__.startswith("torch"):
        return value.contiguous().clone()
    import numpy as np

    return np.ascontiguousarray(value)
