"""One artifact: a folder with code.so, manifest.json and weights.safetensors."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from .errors import DiscError

FORMAT = 1
CODE, MANIFEST, WEIGHTS = "code.so", "manifest.json", "weights.safetensors"


def write(folder: Path, code: Path, constants: dict[str, Any], manifest: dict[str, Any]) -> None:
    """Writes the artifact; an existing folder is replaced only when it holds an artifact. Raises DiscError.

    Every file is replaced whole: models that were loaded from the folder keep the files that they have mapped.
    """
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST).exists():
            raise DiscError(f"{folder}: not empty and no artifact; choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as new:
            made = Path(new)
            shutil.copyfile(code, made / CODE)
            (made / MANIFEST).write_text(json.dumps({"format": FORMAT, **manifest}, indent=2))
            if constants:
                _save_weights(constants, made / WEIGHTS)
            else:
                (folder / WEIGHTS).unlink(missing_ok=True)
            for file in made.iterdir():
                file.replace(folder / file.name)
    except OSError as error:
        raise DiscError(f"{folder}: cannot save the artifact: {error}") from None


def _save_weights(constants: dict[str, Any], path: Path) -> None:
    if any(type(value).__module__.startswith("torch") for value in constants.values()):
        from safetensors.torch import save_file
    else:
        from safetensors.numpy import save_file
    save_file({name: _contiguous(value) for name, value in constants.items()}, path)


def read(folder: Path) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """(code, constants, manifest) of the artifact in `folder`; weights are mapped, not read. Raises DiscError."""
    if not (folder / MANIFEST).exists():
        raise DiscError(f"{folder}: no artifact here, expected {MANIFEST}; make one with `compiled.save(folder)`")
    manifest = _read_manifest(folder / MANIFEST)
    if manifest.get("format") != FORMAT:
        raise DiscError(f"{folder}: artifact of format {manifest.get('format')}, expected {FORMAT}; compile it again")
    if not (folder / CODE).exists():
        raise DiscError(f"{folder}: the artifact lacks {CODE}; save it again")
    names = manifest.get("constants") or []
    constants = _read_weights(folder / WEIGHTS, manifest.get("framework", "numpy")) if names else {}
    if missing := [name for name in names if name not in constants]:
        raise DiscError(f"{folder / WEIGHTS}: lacks {', '.join(missing)}; save the artifact again")
    return folder / CODE, constants, manifest


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DiscError(f"{path}: cannot be read: {error}; save the artifact again") from None
    if not isinstance(manifest, dict):
        raise DiscError(f"{path}: expected an object, found a {type(manifest).__name__}; save the artifact again")
    return manifest


def _read_weights(path: Path, framework: str) -> dict[str, Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework=framework) as file:
            return {name: file.get_tensor(name) for name in file.keys()}
    except (OSError, SafetensorError) as error:
        raise DiscError(f"{path}: cannot be read: {error}; save the artifact again") from None


def _contiguous(value: Any) -> Any:
    # safetensors refuses tensors that share storage: tied weights are stored once per name.
    if type(value).__module__.startswith("torch"):
        return value.contiguous().clone()
    import numpy as np

    return np.ascontiguousarray(value)
