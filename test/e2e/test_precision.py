"""`precision="bf16"`: products round their operands, nothing else, and only where that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

import disc
from disc import artifact
from disc.errors import CompileError
from disc.runtime import Program, make_context

torch = pytest.importorskip("torch")
# Of this CPU, the best first.
SETS = ["amx", "avx512bf16", "avx512", "avx2", "base"]
SETS = SETS[SETS.index(make_context(parallel="serial").query("kernels")) :]


def test_products_round_their_operands_to_bf16(tmp_path) -> None:
    torch.manual_seed(0)
    layer = torch.nn.Linear(300, 200).eval()
    rows = torch.export.Dim("rows", min=1, max=1024)
    example = (torch.randn(5, 300),)
    models = {
        precision: disc.compile(layer, example, ({0: rows},), precision=precision, threads=2)
        for precision in ("f32", "bf16")
    }
    code, constants, _ = artifact.read(models["bf16"].save(tmp_path / "model"))
    programs = {kernels: Program(code, constants, context=make_context(threads=2, kernels=kernels)) for kernels in SETS}
    programs[SETS[0]] = models["bf16"]._program
    for count in (1, 5, 16, 33, 400):
        x = torch.randn(count, 300)
        want = torch.nn.functional.linear(x.double(), layer.weight.double(), layer.bias.double()).detach()
        scale = x.abs().double() @ layer.weight.abs().double().T  # of the errors
        exact = (models["f32"](x) - want).abs()
        assert (exact <= 1e-5 * scale).all()
        half = x.bfloat16().double() @ layer.weight.bfloat16().double().T + layer.bias.double()
        for kernels, program in programs.items():
            got = program(x)[0]
            assert ((got - want).abs() <= 2.0**-8 * scale + 1e-6).all()
            # Where there are bf16 products: those of the rounded operands. Linux may refuse the tiles of AMX.
            allowed = {"amx": [half, want], "avx512bf16": [half]}.get(kernels, [want])
            assert any(((got - each).abs() <= 1e-5 * scale).all() for each in allowed), kernels


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(CompileError, match="`precision`: expected `f32` or `bf16`, got `f8`"):
        disc.compile(torch.nn.Identity(), (torch.zeros(1),), precision="f8")


def test_bf16_models_give_bf16_products(tmp_path) -> None:
    """Operands of type bf16 are exact in bf16: the result differs by its own rounding alone."""
    torch.manual_seed(0)
    layer = torch.nn.Linear(96, 64, bias=False).eval().bfloat16()
    model = disc.compile(layer, (torch.randn(3, 96).bfloat16(),), ({0: torch.export.Dim("rows")},))
    for count in (1, 7, 40):
        x = torch.randn(count, 96).bfloat16()
        want = torch.nn.functional.linear(x.double(), layer.weight.double()).detach().numpy()
        np.testing.assert_allclose(model(x).double().numpy(), want, rtol=2.0**-8, atol=2.0**-9)
