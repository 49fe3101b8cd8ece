"""Why ops are in one kernel, or not: from Python and from a shell."""

import re
from pathlib import Path

import disc
import pytest
from disc.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fusion.md"
SOFTMAX = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.exponential %x : tensor<?x?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %2 = stablehlo.log %1 : tensor<?xf32>
  return %0 : tensor<?x?xf32>
}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The model of the page, and what the page says is printed for it."""
    section = PAGE.read_text().partition("## Why two ops are not in one kernel")[2].partition("\n## ")[0]
    blocks = re.findall(r"```(?:mlir)?\n(.*?)```", section, re.S)
    _, model, two, whole = (block.rstrip() for block in blocks)
    file = tmp_path_factory.mktemp("docs") / "model.mlir"
    file.write_text(model)
    return file, two, whole


def test_page_shows_what_is_printed(page, capsys):
    file, two, whole = page
    assert main(["report", str(file), "--explain-fusion", "3,5"]) == 0
    assert capsys.readouterr().out.rstrip() == two
    assert main(["report", str(file), "--explain-fusion"]) == 0
    assert capsys.readouterr().out.rstrip() == whole


def test_compile_reports_it(page):
    file, _, whole = page
    report = disc.compile(file, explain_fusion=True).report
    assert report.explanation == whole and str(report).endswith(whole)
    assert disc.report.Report.from_json(report.to_json()) == report
    assert report.launches == 2 and report.stitches == []
    assert disc.compile(file).report.explanation == ""


def test_unused_op_is_in_no_kernel(tmp_path, capsys):
    (tmp_path / "model.mlir").write_text(SOFTMAX)
    assert main(["report", str(tmp_path / "model.mlir"), "--explain-fusion", "3,log"]) == 0
    assert "`log` at model.mlir:7:8 is in no kernel" in capsys.readouterr().out


def test_wrong_question(page, capsys):
    assert main(["report", str(page[0]), "--explain-fusion", "3,nothing"]) == 2
    assert "no op is `nothing`" in capsys.readouterr().err


def test_artifact_has_no_module_to_ask(page, tmp_path, capsys):
    disc.compile(page[0]).save(tmp_path / "model.disc")
    assert main(["report", str(tmp_path / "model.disc"), "--explain-fusion"]) == 2
    assert "expected a `.mlir` file" in capsys.readouterr().err


def test_the_form_of_long_rows_is_no_launch_more() -> None:
    report = disc.compile("""func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }""").report
    assert sorted(report.kernels.values()) == [0, 0, 1] and report.launches == 1
    assert all(size > 0 for size in report.kernel_bytes.values()) and len(report.kernel_bytes) == 3
