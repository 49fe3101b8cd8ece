"""The runtime and artifacts for AArch64, run by qemu's emulation of a process."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ral_artifact import ROOT, build_tree

TRIPLE = "aarch64-linux-gnu"
TOOLS = {f"{TRIPLE}-g++": "g++-aarch64-linux-gnu", "qemu-aarch64": "qemu-user"}
MISSING = [package for tool, package in TOOLS.items() if not shutil.which(tool)]
WHY = f"AArch64 is not tested: apt-get install {' '.join(MISSING)}"
EMULATOR = ["qemu-aarch64", "-L", f"/usr/{TRIPLE}"]

TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i64": np.int64, "i32": np.int32, "i1": np.bool_}
NAMES = {np.dtype(kind): name for name, kind in TYPES.items()}


@functools.cache
def build() -> Path:
    """The build folder of RAL and its tests for AArch64."""
    options = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64"]
    options += [f"-DCMAKE_C_COMPILER={TRIPLE}-gcc", f"-DCMAKE_CXX_COMPILER={TRIPLE}-g++"]
    return build_tree(ROOT / "build" / "ral-aarch64", *options)


class Program:
    """An artifact for AArch64: call it with numpy arrays. Every call is a process."""

    def __init__(self, code: Path, constants: Mapping[str, np.ndarray] | None = None, threads: int = 2) -> None:
        runner = build() / "test" / "unit" / "ral" / "ral_run"
        self._command = [*EMULATOR, str(runner), str(code), str(threads)]
        self._constants = b"".join(_write("constant", name, value) for name, value in (constants or {}).items())

    def __call__(self, *inputs: Any) -> list[np.ndarray]:
        text = self._constants + b"".join(_write("input", "-", value) for value in inputs) + b"run\n"
        done = subprocess.run(self._command, input=text, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        return _read(done.stdout)


def _write(kind: str, name: str, value: Any) -> bytes:
    array = np.asarray(value)
    sizes = ",".join(map(str, array.shape)) or "-"
    return f"{kind} {name} {NAMES[array.dtype]} {sizes}\n".encode() + array.tobytes()


def _read(data: bytes) -> list[np.ndarray]:
    arrays, at = [], 0
    while at < len(data):
        end = data.index(b"\n", at)
        _, _, name, sizes = data[at:end].decode().split()
        shape = [] if sizes == "-" else [int(size) for size in sizes.split(",")]
        count, kind = int(np.prod(shape, dtype=np.int64)), np.dtype(TYPES[name])
        arrays.append(np.frombuffer(data, kind, count, end + 1).reshape(shape))
        at = end + 1 + count * kind.itemsize
    return arrays
