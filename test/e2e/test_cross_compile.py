"""Compiling for another machine: what is refused. test/unit/ral/test_aarch64.py runs what is made."""

from __future__ import annotations

import pytest

import disc
from disc import cli
from disc.errors import CompileError

TEXT = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.exponential %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""


def test_a_machine_without_linker(tmp_path) -> None:
    with pytest.raises(CompileError, match="no linker for vax-dec-ultrix: expected `vax-dec-ultrix-gcc` in PATH"):
        disc.cross_compile(TEXT, tmp_path / "model", triple="vax-dec-ultrix")
    assert not (tmp_path / "model").exists()


def test_an_unknown_precision(tmp_path) -> None:
    with pytest.raises(CompileError, match="`precision`: expected `f32` or `bf16`, got `f8`"):
        disc.cross_compile(TEXT, tmp_path / "model", triple="aarch64-linux-gnu", precision="f8")


@pytest.mark.parametrize("flags, message", [(["--cpu", "neoverse-n1"], "`--target` has to name it"),
                                            (["--target", "aarch64-linux-gnu", "--explain-fusion"], "does not go with `--target`")])  # fmt: skip
def test_flags_that_do_not_go_together(tmp_path, capsys, flags, message) -> None:
    model = tmp_path / "model.mlir"
    model.write_text(TEXT)
    assert cli.main(["compile", str(model), "-o", str(tmp_path / "out"), *flags]) != 0
    assert message in capsys.readouterr().err and not (tmp_path / "out").exists()
