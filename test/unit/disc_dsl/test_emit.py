"""The PDLL of a pass file is the golden text, stable, and mlir-pdll accepts it."""

from pathlib import Path

from disc_dsl.emit import pass_text
from disc_dsl.passes import load_pass
from disc_dsl.pdll import run_pdll

HERE = Path(__file__).parent


def test_golden():
    text, places = pass_text(load_pass(HERE / "user_pass.py"))
    assert text == (HERE / "user_pass.pdll").read_text()
    assert len(places) >= len(text.splitlines())


def test_text_is_stable():
    assert pass_text(load_pass(HERE / "user_pass.py"))[0] == pass_text(load_pass(HERE / "user_pass.py"))[0]


def test_mlir_pdll_accepts_it():
    text, places = pass_text(load_pass(HERE / "user_pass.py"))
    assert "pdl.pattern @linear : benefit(10)" in run_pdll(text, places, "mlir", "user_pass.pdll")
