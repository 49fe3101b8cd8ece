"""What `cmake --install` lays down, which is what the wheel holds, works without the build tree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXP = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = stablehlo.exponential %x : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
"""
TIMES_ONE = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %r = stablehlo.multiply %x, %one : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """An installation of the build tree; its bindings are another component."""
    folder = tmp_path_factory.mktemp("prefix")
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for component in ("disc", "DiscPythonModules"):
        command = [cmake, "--install", ROOT / "build", "--prefix", folder, "--component", component]
        subprocess.run(command, check=True, capture_output=True, text=True)
    yield folder
    shutil.rmtree(folder)


def run(prefix: Path, *command: object, source: str = "") -> str:
    """Standard output of a command that knows only the installation and the system."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(prefix), "HOME": str(prefix)}
    done = subprocess.run(
        list(map(str, command)), input=source, capture_output=True, text=True, env=environment, cwd=prefix
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def binaries(prefix: Path) -> list[Path]:
    return [p for p in prefix.rglob("*") if p.is_file() and p.open("rb").read(4) == b"\x7fELF"]


def test_libraries_are_found_inside_the_installation(prefix):
    ours = {p.name for p in binaries(prefix)}
    assert {"disc-opt", "disc-compile", "mlir-pdll", "libdisc_ral.so", "libDiscPythonCAPI.so"} <= ours
    for path in binaries(prefix):
        dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        folders = [f for found in re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic) for f in found.split(":")]
        assert all(f.startswith("$ORIGIN") for f in folders), (path.name, folders)
        for line in subprocess.run(["ldd", path], capture_output=True, text=True).stdout.splitlines():
            name, _, place = line.strip().partition(" => ")
            assert place != "not found", (path.name, name)
            if name in ours:
                assert place.startswith(str(prefix)), (path.name, line)


def test_one_copy_of_mlir_and_llvm(prefix):
    copies = [p.name for p in binaries(prefix) if re.match(r"lib(MLIR|LLVM)[-\d.]*\.so", p.name)]
    assert sorted(name.split(".")[0].rstrip("-0123456789") for name in copies) == ["libLLVM", "libMLIR"]
    defining = [
        p.name
        for p in binaries(prefix)
        if "_ZN4mlir11MLIRContextC1" in subprocess.check_output(["nm", "-D", "--defined-only", p], text=True)
    ]
    assert len(defining) == 1 and "MLIR" in defining[0]


def test_headers_of_the_runtime(prefix):
    assert (prefix / "disc" / "include" / "disc" / "ral.h").exists()


def test_disc_opt_runs_the_pipeline(prefix):
    assert "llvm.func" in run(prefix, prefix / "disc/bin/disc-opt", "--disc-pipeline", source=EXP)


def test_disc_opt_loads_a_pass(prefix):
    shutil.copy(ROOT / "examples" / "my_pass.py", prefix)
    out = run(
        prefix,
        prefix / "disc/bin/disc-opt",
        f"--python={sys.executable}",
        "--load-pass=my_pass.py",
        "--my-pass",
        source=TIMES_ONE,
    )
    assert "multiply" not in out


def test_python_compiles_saves_and_loads(prefix):
    program = f"""
import json, numpy, disc, disc_dsl, disc.mlir.ir
from disc import runtime, toolchain
from disc.mlir.dialects import dhlo
from disc_dsl.tools import find_tool
x = numpy.linspace(-1, 1, 12, dtype="float32").reshape(3, 4)
compiled = disc.compile({EXP!r})
numpy.testing.assert_allclose(compiled(x), numpy.exp(x), rtol=1e-5)
compiled.save("saved")
numpy.testing.assert_allclose(disc.load("saved")(x[:0]), numpy.exp(x[:0]))
files = [disc.__file__, disc_dsl.__file__, disc.mlir.ir.__file__, runtime._runtime.__file__]
maps = [line.split()[-1] for line in open("/proc/self/maps") if "MLIR" in line or "LLVM" in line or "disc" in line]
tools = [str(toolchain.tool("disc-compile")), find_tool("mlir-pdll"), find_tool("disc-opt")]
print(json.dumps(files + maps + tools))
"""
    places = json.loads(run(prefix, sys.executable, "-c", program))
    outside = {p for p in places if not p.startswith(str(prefix)) and "code.so" not in p}
    assert not outside
