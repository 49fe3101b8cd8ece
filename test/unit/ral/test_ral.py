"""RAL and compiled code under sanitizers. RAL is built alone, without the compiler."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from ral_artifact import build_tree

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples"))


# Stores one element past the end of its output.
OVERRUN = r"""
llvm.mlir.global external constant @disc_signature("disc 1\0Ainput 0 f32 - ?\0Aoutput 0 f32 ?\0A\00")
func.func @disc_main() {
  %input = lmhlo_disc.recv_input {index = 0 : i64} : memref<?xf32>
  %zero = arith.constant 0 : index
  %size = memref.dim %input, %zero : memref<?xf32>
  %output = memref.alloc(%size) : memref<?xf32>
  %value = memref.load %input[%zero] : memref<?xf32>
  memref.store %value, %output[%size] : memref<?xf32>
  lmhlo_disc.send_output %output {index = 0 : i64} : memref<?xf32>
  return
}
"""


@functools.cache
def _build(sanitizer: str) -> Path:
    """The build folder of RAL and its tests under `sanitizer`; empty: none."""
    return build_tree(ROOT / "build" / f"ral-{sanitizer or 'plain'}", f"-DDISC_SANITIZE={sanitizer}")


@pytest.mark.parametrize("sanitizer", ["", "address", "thread"])
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


def _hammer(sanitizer: str, code: Path, shapes: int, calls: int, threads: int) -> subprocess.CompletedProcess:
    from disc.runtime import blas_library

    hammer = _build(sanitizer) / "test" / "unit" / "ral" / "ral_hammer"
    command = [str(hammer), str(code), blas_library() or "-", str(shapes), str(calls), str(threads)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def encoder_text() -> str:
    """StableHLO of one BERT layer: products, softmax, layer norm, gelu, embedding gathers."""
    from disc.frontends.torch_frontend import import_torch
    from models.zoo import bert

    entry = bert(layers=1, hidden=96)
    return import_torch(entry.model, entry.inputs(**entry.example), {}, entry.dynamic_shapes).text


@pytest.mark.parametrize("sanitizer", ["address", "thread"])
def test_instrumented_code_on_many_threads(sanitizer: str, encoder_text: str, tmp_path: Path) -> None:
    from disc.compiler import compile_text
    from disc.report import Report

    code = tmp_path / "code.so"
    compile_text(encoder_text, code, Report(), [f"--sanitize={sanitizer}"], timeout=300)
    symbols = subprocess.check_output(["nm", "-D", str(code)], text=True)
    assert f"__{'asan' if sanitizer == 'address' else 'tsan'}_init" in symbols
    run = _hammer(sanitizer, code, shapes=100, calls=300, threads=8)
    assert run.returncode == 0 and "0 wrong" in run.stdout, run.stdout + run.stderr


def test_an_overrun_is_seen(tmp_path: Path) -> None:
    """What the address build is there to find, it finds."""
    from disc.toolchain import tool

    source, code = tmp_path / "overrun.mlir", tmp_path / "code.so"
    source.write_text(OVERRUN)
    compile_command = [str(tool("disc-compile")), "--from=llvm", "--sanitize=address", str(source), "-o", f"{code}.o"]
    subprocess.run(compile_command, check=True)
    subprocess.run(["cc", "-shared", "-o", str(code), f"{code}.o"], check=True)
    run = _hammer("address", code, shapes=1, calls=1, threads=1)
    assert run.returncode != 0 and "use-after-poison" in run.stderr, run.stdout + run.stderr
