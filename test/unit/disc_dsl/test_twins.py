"""Constraints and their Python twins answer alike: the same pass over a corpus, by disc-opt and by MLIR's Python bindings."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from disc_dsl import apply, ods

ROOT = Path(__file__).resolve().parents[3]
DISC_OPT = ROOT / "build" / "bin" / "disc-opt"
MODELS = ROOT / "build" / "passes" / "ods.json"

TYPES = ["f32", "bf16", "f64", "i1", "i32", "i64", "index"]
SHAPES = ["", "1x", "2x3x", "?x", "?x1x", "4x?x5x"]
CONSTANTS = ["0.0 : f32", "-0.0 : f32", "1.0 : f32", "0.5 : f64", "0 : i32", "1 : i64", "-1 : i32", "1 : i8", "true : i1"]

CONDITIONS = [
    *("rank(x, 0)", "rank(x, 2)", "static_shape(x)", "has_dim_one(x)", "is_float(x)", "is_int(x)", "one_element(x)"),
    *("element_type(x, 'bf16')", "constant(x)", "splat(x, 0)", "splat(x, -0.0)", "splat(x, 1)", "splat(x, 0.5)", "splat(x, -1)"),
]  # fmt: skip
PASS = '''"""Drop casts that a constraint likes."""
from disc_dsl import *
from disc_dsl.constraints import *
from disc_dsl.ops import tensor

@pattern
def liked(x: Value):
    """cast(x) -> x"""
    root = tensor.cast(x)
    require({condition})
    with rewrite(root):
        replace(root, x)

PASS = Pass(driver="walk")
'''


def corpus() -> str:
    types = [f"tensor<{s}{t}>" for t in TYPES for s in SHAPES]
    args = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    lines, used = [], []
    for i, t in enumerate(types):
        lines.append(f"  %r{i} = tensor.cast %a{i} : {t} to {t}")
        used.append((f"%r{i}", t))
    for i, c in enumerate(CONSTANTS):
        value, element = c.split(" : ")
        t = f"tensor<2x{element}>"
        lines += [f"  %c{i} = arith.constant dense<{value}> : {t}", f"  %d{i} = tensor.cast %c{i} : {t} to {t}"]
        used.append((f"%d{i}", t))
    names, kinds = (", ".join(x) for x in zip(*used, strict=True))
    body = "\n".join(lines)
    return f"func.func @f({args}) -> ({kinds}) {{\n{body}\n  return {names} : {kinds}\n}}\n"


@pytest.fixture
def ir():
    if not DISC_OPT.exists():
        pytest.fail("disc-opt is not built")
    for package in ("disc.mlir", "torch_mlir"):
        try:
            importlib.import_module(f"{package}.rewrite")
            return importlib.import_module(f"{package}.ir")
        except ImportError:
            continue
    pytest.fail("no MLIR bindings are installed")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_same_answers(ir, tmp_path, condition):
    ods.load(MODELS)
    path, model = tmp_path / "liked.py", tmp_path / "corpus.mlir"
    path.write_text(PASS.format(condition=condition))
    model.write_text(corpus())
    command = [DISC_OPT, f"--load-pass={path}", f"--python={sys.executable}", "--liked", model]
    native = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with ir.Context():
        module = ir.Module.parse(corpus())
        apply(module, path)
        twin = str(module)
    assert twin.strip() == native.strip()
    assert 0 < native.count("tensor.cast") < corpus().count("tensor.cast")
