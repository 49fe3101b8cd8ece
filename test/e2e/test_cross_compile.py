"""Compiling for another machine: what is refused. test/unit/ral/test_aarch64.py runs what is made."""

from __future__ import annotations

import pytest

import disc
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
