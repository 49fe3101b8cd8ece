"""Builds RAL alone, without the compiler, under sanitizers, and runs its C++ unit tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def _tool(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"`{name}` not found"
    return found


def _build(sanitizer: str) -> Path:
    """The build folder of RAL and its tests under `sanitizer`."""
    build = ROOT / "build" / f"ral-{sanitizer}"
    ninja = _tool("ninja")
    options = ["-DDISC_BUILD_COMPILER=OFF", "-DDISC_RAL_TESTS=ON", f"-DDISC_SANITIZE={sanitizer}"]
    configure = [_tool("cmake"), "-S", str(ROOT), "-B", str(build), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    subprocess.run([*configure, "-DCMAKE_BUILD_TYPE=RelWithDebInfo", *options], check=True)
    subprocess.run([ninja, "-C", str(build)], check=True)
    return build


@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_cpp_units(sanitizer: str) -> None:
    build = _build(sanitizer)
    tests = build / "test" / "unit" / "ral"
    run = subprocess.run(
        [str(tests / "ral_tests"), str(tests / "ral_mock_artifact.so")], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_python_layer_under_asan() -> None:
    """The tests of disc.runtime again, on the runtime built with AddressSanitizer."""
    build = _build("address")
    names = ("libasan.so", "libstdc++.so.6")
    found = [subprocess.check_output(["cc", f"-print-file-name={name}"], text=True).strip() for name in names]
    env = dict(os.environ, LD_PRELOAD=" ".join(found), LD_LIBRARY_PATH=str(build / "lib"))
    env["ASAN_OPTIONS"] = "detect_leaks=0"  # Python itself keeps memory to its end
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_runtime.py"]
    run = subprocess.run(command, cwd=Path(__file__).parent, env=env, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
