"""The examples in patterns' docstrings: `before` becomes `after`. What `disc_dsl new` writes works."""

from pathlib import Path

import pytest
from disc_dsl import ods
from disc_dsl.cli import new, stats
from disc_dsl.passes import load_pass, load_tree
from disc_dsl.testing import Example, check_example, examples

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def built(models):
    ods.load(ROOT / "build" / "passes" / "ods.json")


def test_examples_of_the_tree():
    found = [(p, e) for p in load_tree(ROOT / "passes") for pattern in p.patterns for e in examples(pattern)]
    assert found
    for p, example in found:
        check_example(p, example)


def test_a_wrong_example_is_found():
    p = load_pass(ROOT / "examples" / "my_pass.py")
    text = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {{\n  {}return %x : tensor<2xf32>\n}}"
    line = "%0 = dhlo.tanh %x : tensor<2xf32>\n  "
    check_example(p, Example(text.format(""), text.format("")))
    with pytest.raises(AssertionError, match="expected"):
        check_example(p, Example(text.format(""), text.format(line)))
    with pytest.raises(AssertionError, match="unknown op|unregistered|unknown"):
        check_example(p, Example(text.format("dhlo.tahn"), text.format("")))


def test_a_new_pass_fires(tmp_path, capsys):
    (tmp_path / "passes").mkdir()
    (tmp_path / "passes" / "pipeline.py").write_text("")
    path, lit = new(tmp_path / "passes" / "graph" / "my_fold")
    assert "@my_fold(" in lit.read_text() and "@my_fold_not_int(" in lit.read_text()
    assert stats([lit], [f"--load-pass={path}", "--disc-graph-my-fold"]) == 0
    assert "disc-graph-my-fold my_fold         1 " in capsys.readouterr().out
