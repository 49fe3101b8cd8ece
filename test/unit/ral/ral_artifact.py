"""Artifacts written by hand in C, for the runtime's tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from disc.runtime import make_context

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def kernel_sets() -> list[str]:
    """What `kernels` of a context may be on this CPU, the best first."""
    names = ["amx", "avx512bf16", "avx512", "avx2", "base"]
    return names[names.index(make_context(parallel="serial").query("kernels")) :]


def _tool(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"`{name}` not found"
    return found


def build_tree(build: Path, *options: str) -> Path:
    """Builds RAL and its tests alone, without the compiler, in the folder `build`."""
    ninja = _tool("ninja")
    configure = [_tool("cmake"), "-S", str(ROOT), "-B", str(build), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    configure += ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DDISC_BUILD_COMPILER=OFF", "-DDISC_RAL_TESTS=ON"]
    subprocess.run([*configure, *options], check=True)
    subprocess.run([ninja, "-C", str(build)], check=True)
    return build


def build_artifact(source: Path, output: Path, *flags: str, compiler: str = "cc") -> Path:
    """Compiles C `source` to the shared object `output`."""
    assert shutil.which(compiler), f"no C compiler `{compiler}` in PATH"
    include = f"-I{ROOT / 'ral' / 'include'}"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", include, *flags, str(source), "-o", str(output)], check=True)
    return output
