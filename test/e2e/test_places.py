"""Messages name the file of the user, with line and column."""

import numpy as np
import pytest

import disc
from disc import cli

WRONG = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.custom_call @nobody_knows(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
ADD = """func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets" / 'my "net".mlir').write_text(WRONG)
    (tmp_path / "nets" / "add.mlir").write_text(ADD)
    (tmp_path / "nets" / "syntax.mlir").write_text(ADD.replace("%0 =", "%0"))
    return tmp_path


def test_a_refused_op(here, capsys):
    path = 'nets/my "net".mlir'
    for shown in (path, str(here / path)):
        assert cli.main(["compile", shown, "-o", "out"]) == 2
        assert capsys.readouterr().err.startswith(f"{shown}:2:8: error: custom call `nobody_knows` is unknown")


def test_syntax(here, capsys):
    assert cli.main(["compile", "nets/syntax.mlir", "-o", "out"]) == 2
    assert capsys.readouterr().err.startswith("nets/syntax.mlir:2:5: error: ")


def test_a_failed_call_and_a_report(here):
    model = disc.compile("nets/add.mlir", explain_fusion=True)
    assert "`add` at add.mlir:2:8" in model.report.explanation
    with pytest.raises(disc.ExecutionError, match="`add` at add.mlir:2:8: "):
        model(np.zeros(2, "f4"), np.zeros(3, "f4"))


def test_text_and_kept_modules(here):
    with pytest.raises(disc.CompileError, match="^model.mlir:2:8: error: "):
        disc.compile(WRONG)
    with pytest.raises(disc.CompileError, match="^kept.mlir:2:8: error: "):
        disc.compile(WRONG, keep_module="kept.mlir")
