"""AArch64: the runtime's kernels and compiled code under an emulator. Skipped without cross compiler and emulator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import emulated
import numpy as np
import pytest
import torch
import torch.nn.functional as functional
from ral_artifact import HERE, build_artifact

import disc
from disc import artifact

sys.path.insert(0, str(HERE.parent / "numerics"))
import test_functions as bounds
from programs import program_text, ulp_error

pytestmark = pytest.mark.skipif(bool(emulated.MISSING), reason=emulated.WHY)
COMPILER = f"{emulated.TRIPLE}-gcc"


def test_cpp_units() -> None:
    tests = emulated.build() / "test" / "unit" / "ral"
    command = [*emulated.EMULATOR, str(tests / "ral_tests"), str(tests / "ral_mock_artifact.so")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(("lhs", "rhs"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_products(lhs: int, rhs: int, tmp_path: Path) -> None:
    flags = ["-DRANK=3", f"-DLHS={lhs}", f"-DRHS={rhs}", "-DDTYPE=RAL_F32", "-DNAME=f32", "-DBYTES=4"]
    code = build_artifact(HERE / "gemm_artifact.c", tmp_path / "gemm.so", *flags, compiler=COMPILER)
    program, random = emulated.Program(code, threads=3), np.random.default_rng(0)
    small = [(2, 0, 3, 4), (2, 3, 4, 0), (3, 1, 200, 300), (2, 17, 1, 64)]
    for batch, m, n, k in [*small, (12, 33, 257, 65), (1, 400, 90, 300)]:
        a, b = random.standard_normal((batch, m, k), np.float32), random.standard_normal((batch, k, n), np.float32)
        (got,) = program(a.swapaxes(-1, -2) if lhs else a, b.swapaxes(-1, -2) if rhs else b)
        want = a.astype(np.float64) @ b.astype(np.float64)
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-4 * max(1, np.sqrt(k / 64)))


def _cross(model: torch.nn.Module, example: tuple, dims: tuple, folder: Path, **options) -> emulated.Program:
    disc.cross_compile(model, folder, example, dims, triple=emulated.TRIPLE, **options)
    code, constants, _ = artifact.read(folder)
    return emulated.Program(code, {name: value.numpy() for name, value in constants.items()})


class Attention(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.project = torch.nn.Linear(48, 144)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part.unflatten(-1, (3, 16)).transpose(1, 2) for part in self.project(x).chunk(3, dim=-1))
        scores = (q @ k.transpose(-1, -2) / 4).softmax(-1)
        return (scores @ v).transpose(1, 2).flatten(2) + x


class Encoder(torch.nn.Sequential):
    def __init__(self) -> None:
        layers = [torch.nn.LayerNorm(48), torch.nn.Linear(48, 100), torch.nn.GELU(), torch.nn.Linear(100, 48)]
        super().__init__(Attention(), *layers, torch.nn.LayerNorm(48))


class Images(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(3, 20, 5, stride=2, padding=2)
        self.second = torch.nn.Conv2d(20, 36, 3, padding=1)
        self.depthwise = torch.nn.Conv2d(36, 36, 3, groups=36, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.max_pool2d(functional.relu(self.first(x)), 2)
        return self.depthwise(functional.silu(self.second(x))).mean((2, 3)).log_softmax(-1)


def test_an_artifact_of_another_machine_is_refused_here(tmp_path: Path) -> None:
    text = program_text(('"stablehlo.sine"(%args)',), ("f32",), ("f32",))
    disc.cross_compile(text, tmp_path / "model", triple=emulated.TRIPLE)
    with pytest.raises(disc.ExecutionError, match="for another kind of processor"):
        disc.load(tmp_path / "model")


@pytest.mark.parametrize("cpu", ["generic", "neoverse-v1"])
def test_encoder(cpu: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Encoder().eval()
    batch, length = torch.export.Dim("b", max=64), torch.export.Dim("s", max=512)
    program = _cross(model, (torch.randn(2, 9, 48),), ({0: batch, 1: length},), tmp_path / "model", cpu=cpu)
    for sizes in [(1, 1), (2, 77), (3, 16), (0, 5)]:
        x = torch.randn(*sizes, 48)
        (got,) = program(x.numpy())
        np.testing.assert_allclose(got, model.double()(x.double()).detach().numpy(), rtol=1e-5, atol=1e-5)
        model.float()


def test_images(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Images().eval()
    height, width = (torch.export.Dim(name, min=8, max=99) for name in "hw")
    dims = ({0: torch.export.Dim("b", max=8), 2: height, 3: width},)
    program = _cross(model, (torch.randn(2, 3, 17, 30),), dims, tmp_path / "model")
    for sizes in [(1, 8, 8), (3, 31, 20)]:
        x = torch.randn(sizes[0], 3, *sizes[1:])
        (got,) = program(x.numpy())
        np.testing.assert_allclose(got, model.double()(x.double()).detach().numpy(), rtol=1e-5, atol=1e-5)
        model.float()


@pytest.mark.parametrize(("dtype", "column"), [("f32", 0), ("f64", 1)])
def test_function_bounds(dtype: str, column: int, tmp_path: Path) -> None:
    """The bounds of docs/numerics.md, as test_functions.py asks for them of this machine."""
    tables = [(f'"stablehlo.{name}"(%args)', *row) for name, row in bounds.UNARY.items()]
    tables += [(f'"chlo.{name}"(%args)', *row) for name, row in bounds.CHLO.items()]
    text = program_text(tuple(row[0] for row in tables), (dtype,), (dtype,) * len(tables))
    disc.cross_compile(text, tmp_path / "model", triple=emulated.TRIPLE)
    x = bounds.samples({"f32": np.float32, "f64": np.float64}[dtype], trigonometric=True)
    results = emulated.Program(tmp_path / "model" / artifact.CODE)(x)
    for row, got in zip(tables, results, strict=True):
        error = ulp_error(got, bounds.reference(row[3], x))
        worst = int(np.argmax(error))
        assert error[worst] <= row[1 + column], f"{row[0]} of {x[worst]!r}: {got[worst]!r}"
