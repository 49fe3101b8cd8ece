"""Artifacts written by hand in C, for the runtime's tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def build_artifact(source: Path, output: Path, *flags: str) -> Path:
    """Compiles C `source` to the shared object `output`."""
    compiler = shutil.which("cc")
    assert compiler, "no C compiler `cc` in PATH"
    include = f"-I{ROOT / 'ral' / 'include'}"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", include, *flags, str(source), "-o", str(output)], check=True)
    return output
