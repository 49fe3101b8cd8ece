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


@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_cpp_units(sanitizer: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    build = ROOT / "build" / f"ral-{sanitizer}"
    if not os.access(ROOT, os.W_OK):
        build = tmp_path_factory.mktemp(sanitizer)
    ninja = _tool("ninja")
    options = ["-DDISC_BUILD_COMPILER=OFF", "-DDISC_RAL_TESTS=ON", f"-DDISC_SANITIZE={sanitizer}"]
    configure = [_tool("cmake"), "-S", str(ROOT), "-B", str(build), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    subprocess.run([*configure, "-DCMAKE_BUILD_TYPE=RelWithDebInfo", *options], check=True)
    subprocess.run([ninja, "-C", str(build)], check=True)
    tests = build / "test" / "unit" / "ral"
    run = subprocess.run(
        [str(tests / "ral_tests"), str(tests / "ral_mock_artifact.so")], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
