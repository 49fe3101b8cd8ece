"""The commands of `disc-dsl`."""

import json
from pathlib import Path

import pytest
from disc_dsl import cli
from disc_dsl.describe import describe
from disc_dsl.docs import passes_page, pipeline_page
from disc_dsl.passes import load_pass

SMALL = '''"""Two steps."""
from disc_dsl import *
from disc_dsl.constraints import one_use, splat
from disc_dsl.ops import dhlo

@pattern
def p(x: Value, y: Value):
    """not(x * y) -> x"""
    product = dhlo.multiply(x, y)
    root = dhlo.not_(product)
    require(one_use(product), ~splat(y, 0))
    with rewrite(root):
        replace(root, x)

PASS = Pass()
'''


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.py"
    path.write_text(SMALL)
    return path


def test_jit_description(small):
    d = describe("pass", str(small))
    json.dumps(d)
    assert d["flag"] == "small" and d["on"] == "func.func" and "pdl.pattern @p : benefit(1)" in d["pdl"]


def test_explain_has_a_pattern_for_each_step(small):
    d = describe("pattern", f"{small}:p")
    what = ["`root`, an op `dhlo.not`", "`product`, an op `dhlo.multiply`", "`one_use(product)`", "`~splat(y, 0)`"]
    assert [s["what"] for s in d["steps"]] == what
    assert [s["place"].rpartition(":")[2] for s in d["steps"]] == ["10", "9", "11", "11"]
    assert [(s.get("native"), s.get("negated")) for s in d["steps"][2:]] == [("one_use", False), ("splat", True)]
    assert (d["steps"][1]["parent"], d["steps"][1]["operand"], d["steps"][1]["operands"]) == (0, [0], 2)
    assert d["pdl"].count("pdl.pattern @prefix") == 4


def test_explain_has_a_pattern_for_each_order(small):
    small.write_text(SMALL.replace("dhlo.multiply(x, y)", "either_order(dhlo.multiply(x, y))"))
    d = describe("pattern", f"{small}:p")
    assert d["variants"] == ["", "operands of `product` swapped"] and d["pdl"].count("pdl.pattern @prefix") == 8


def test_pipeline_page(tmp_path, small):
    pipeline = tmp_path / "pipeline.py"
    pipeline.write_text(
        'from disc_dsl import *\nPIPELINE = [Phase("a", [step("graph-small", why="first"), upstream("cse", why="then")])]\n'
    )
    page = pipeline_page([load_pass(small, "graph")], pipeline)
    assert "## 1. a" in page and "| `disc-graph-small` | Two steps | first |\n| `cse` | (MLIR) | then |" in page


def test_passes_page(small):
    page = passes_page([load_pass(small, "graph")])
    assert "## `--disc-graph-small`\n\nTwo steps (on `func.func`; patterns, greedy)." in page
    assert "| `p` | `not(x * y) -> x` |" in page


def test_stats_tell_of_a_disc_opt_that_died(tmp_path, monkeypatch, capsys):
    script = tmp_path / "disc-opt"
    script.write_text("#!/bin/sh\necho boom >&2\nkill -SEGV $$\n")
    script.chmod(0o755)
    monkeypatch.setattr(cli, "find_tool", lambda _: str(script))
    assert cli.stats([tmp_path / "m.mlir"], []) == 1
    assert "m.mlir: disc-opt failed\nboom" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["swish.py", "stage/swish", "passes/swish", "passes/stage/deeper/swish"])
def test_new_passes_have_a_place(tmp_path, monkeypatch, where):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="expected `passes/<stage>/<stem>`"):
        cli.new(Path(where))
    assert not list(tmp_path.rglob("*swish*"))


def test_new_pass(tmp_path, monkeypatch):
    for folder, path in ((tmp_path, "passes/stage/one"), (tmp_path / "passes" / "stage", "two")):
        monkeypatch.chdir(folder)
        made = cli.new(Path(path))
        stem = Path(path).name
        places = [f"passes/stage/{stem}.py", f"test/lit/passes/stage/{stem}.mlir"]
        assert [p.resolve().relative_to(tmp_path.resolve()).as_posix() for p in made] == places
