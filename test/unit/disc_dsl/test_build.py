"""The C++ side of a small pass tree."""

import os
import shutil
from pathlib import Path

import pytest
from disc_dsl import DslError, ods
from disc_dsl.build import build

ROOT = Path(__file__).resolve().parents[3]

NATIVE = '''"""Plan the fusions."""
from dataclasses import dataclass
from disc_dsl import Pass, option

@dataclass(frozen=True)
class Options:
    max_ops: int = option(64, help="ops in one fusion")
    kinds: list[str] = option(["loop"], help="kinds to make")
    exact: bool = False

PASS = Pass(on="module", native=True, options=Options)
'''
PATTERNS = '''"""Fold twice."""
from disc_dsl import *
from disc_dsl.ops import dhlo

@constraint(cpp="vendor::likes")
def likes(x: Value, n: int, names: list[int]) -> bool:
    """the vendor likes it"""

@pattern
def twice(x: Value):
    """not(not(x)) -> x"""
    root = dhlo.not_(dhlo.not_(x))
    require(likes(x, 1, [2]))
    with rewrite(root):
        replace(root, x)

PASS = Pass(on="any", driver="walk")
'''
PIPELINE = '''"""All of it."""
from disc_dsl import Phase, step, upstream
PIPELINE = [
    Phase("fusion", [step("fusion-plan", why="w", max_ops=8), upstream("canonicalize", why="w", on="func.func"), upstream("cse", why="w", on="func.func")]),
    Phase("graph", [step("graph-twice", why="w")]),
]
'''


@pytest.fixture
def tree(tmp_path):
    passes = tmp_path / "passes"
    (passes / "fusion").mkdir(parents=True)
    (passes / "graph").mkdir()
    (passes / "fusion" / "plan.py").write_text(NATIVE)
    (passes / "fusion" / "Plan.cpp").write_text("")
    (passes / "graph" / "twice.py").write_text(PATTERNS)
    (passes / "pipeline.py").write_text(PIPELINE)
    return passes


def test_everything_is_written(tree, tmp_path):
    out = tmp_path / "out"
    build(tree, out)
    header = (out / "Passes.h.inc").read_text()
    assert (
        'struct FusionPlanOptions {\n  int64_t maxOps = 64;\n  std::vector<std::string> kinds = {"loop"};\n  bool exact = false;\n};'
        in header
    )
    assert "mlir::LogicalResult runFusionPlan(mlir::ModuleOp op, const FusionPlanOptions &options);" in header
    assert "namespace vendor { bool likes(mlir::Value x, int64_t n, llvm::ArrayRef<int64_t> names); }" in header
    code = (out / "Passes.cpp").read_text()
    assert 'Option<int64_t> maxOps{*this, "max-ops", llvm::cl::desc("ops in one fusion"), llvm::cl::init(64)};' in code
    assert 'registerConstraintFunction("likes"' in code and '\\"flag\\": \\"disc-graph-twice\\", \\"summary\\": \\"Fold twice\\", \\"on\\": \\"any\\"' in code
    assert '\\"place\\": \\"passes/graph/twice.py:9\\"' in code
    phases = (out / "PipelinePhases.cpp").read_text()
    assert '{"fusion", "disc-fusion-plan{max-ops=8},func.func(canonicalize,cse)"}' in phases
    assert "struct twice : ::mlir::PDLPatternModule" in (out / "graph_twice.h.inc").read_text()
    assert "// passes/graph/twice.py:9\n" in (out / "graph_twice.pdll").read_text()


def test_unchanged_files_are_not_written_again(tree, tmp_path):
    out = tmp_path / "out"
    build(tree, out)
    before = {p: p.stat().st_mtime_ns for p in out.iterdir()}
    build(tree, out)
    assert before == {p: p.stat().st_mtime_ns for p in out.iterdir()}


def test_changed_pattern_is_compiled_in_the_same_build(tree, tmp_path):
    """Passes.cpp includes the patterns: it is newer where one of them changed."""
    out = tmp_path / "out"
    build(tree, out)
    os.utime(out / "Passes.cpp", (0, 0))
    (tree / "graph" / "twice.py").write_text(PATTERNS.replace("[2]", "[3]"))
    build(tree, out)
    assert (out / "Passes.cpp").stat().st_mtime > 0


def test_unknown_step(tree, tmp_path):
    (tree / "pipeline.py").write_text(PIPELINE.replace("graph-twice", "graph-twcie"))
    with pytest.raises(
        DslError, match=r"pipeline.py:5:\d+: error: no pass `graph-twcie` in passes/; did you mean `graph-twice`?"
    ):
        build(tree, tmp_path / "out")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("max_op=8", "`fusion-plan` has no option `max_op`; did you mean `max_ops`?"),
        ("max_ops='8'", "option `max_ops` takes int, got '8'"),
        ("kinds='loop'", "option `kinds` takes list[str], got 'loop'"),
    ],
)
def test_wrong_options_of_a_step(tree, tmp_path, given, message):
    (tree / "pipeline.py").write_text(PIPELINE.replace("max_ops=8", given))
    with pytest.raises(DslError) as caught:
        build(tree, tmp_path / "out")
    assert "pipeline.py:4:" in str(caught.value) and message in str(caught.value)


def test_options_and_conversions_are_registered(tmp_path):
    ods.load(ROOT / "build" / "passes" / "ods.json")
    user, out = tmp_path / "passes" / "user", tmp_path / "out"
    user.mkdir(parents=True)
    for name in ("options.py", "narrow.py"):
        shutil.copy(ROOT / "test" / "lit" / "disc_dsl" / "Inputs" / name, user)
    build(tmp_path / "passes", out)
    code = (out / "Passes.cpp").read_text().replace("\\", "")
    assert '{"name": "max-rank", "kind": "int", "like": "2 : i64", "initial": "2", "help": "the rank of what is dropped"}' in code
    assert '"types": [{"from": "f64", "to": "f32"}]' in code and '"legality": ["vectors"]' in code
    assert '{like = 2 : i64, option = "max-rank"}' in (out / "user_options.h.inc").read_text()
    assert 'apply_native_rewrite "convertValue"' in (out / "user_narrow.h.inc").read_text()
