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
# On ops with attributes: (the pattern's parameters, its root, the condition).
DHLO_CONDITIONS = [
    ("x: Value", "dhlo.transpose(x)", "iota_list(root.permutation)"),
    ("x: Value", "dhlo.transpose(x)", "identity(root.permutation)"),
    ("x: Value", "dhlo.transpose(x)", "same_type(x, root)"),
    ("x: Value", "dhlo.convert(x)", "same_type(x, root)"),
    ("x: Value", "dhlo.convert(x)", "same_element_type(x, root)"),
    ("x: Value, y: Value", "dhlo.compare(x, y)", "absent(root.compare_type)"),
    ("x: Value, y: Value", "dhlo.compare(x, y)", "is_attr(root.comparison_direction, '#dhlo<comparison_direction GT>')"),
    ("x: Value, y: Value, z: Value", "dhlo.select(dhlo.compare(x, y), x, z)", "~same_type(x, y)"),
    ("x: Value", "dhlo.tanh(dhlo.abs(x))", "one_use(root)"),
    ("x: Value", "dhlo.multiply(x, x)", "splat(x, 2)"),
]  # fmt: skip
DHLO_PASS = '''"""Replace ops that a constraint likes."""
from disc_dsl import *
from disc_dsl.constraints import *
from disc_dsl.ops import dhlo

@constraint(cpp="disc::isIdentityPermutation")
def identity(permutation: Attr) -> bool:
    """as in passes/graph/movement.py"""
    return list(permutation) == list(range(len(permutation)))

@pattern
def liked({params}):
    """root -> custom call"""
    root = {root}
    require({condition})
    with rewrite(root):
        replace(root, dhlo.custom_call(x, call_target_name="liked", results=types_of(root)))

PASS = Pass(driver="walk")
'''
DHLO = """
func.func @f(%x: tensor<2x2xf32>, %y: tensor<?x2xf32>) -> (tensor<2x2xf32>, tensor<?x2xf32>, tensor<2x?xf32>, tensor<2x2xf64>, tensor<2x2xf32>,
    tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = dhlo.transpose %x, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = dhlo.transpose %y, dims = [0, 1] : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %c = dhlo.transpose %y, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %d = dhlo.convert %x : (tensor<2x2xf32>) -> tensor<2x2xf64>
  %e = dhlo.convert %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %g = dhlo.compare GT, %x, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  %h = dhlo.compare LT, %x, %a, TOTALORDER : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  %i = dhlo.compare LT, %x, %a, FLOAT : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
  %j = dhlo.abs %x : tensor<2x2xf32>
  %k = dhlo.tanh %j : tensor<2x2xf32>
  %l = dhlo.tanh %k : tensor<2x2xf32>
  %two = dhlo.constant dense<2.0> : tensor<f32>
  %full = dhlo.broadcast_in_dim %two, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
  %m = dhlo.multiply %full, %full : tensor<2x2xf32>
  %n = dhlo.multiply %l, %l : tensor<2x2xf32>
  %o = dhlo.select %g, %x, %a : tensor<2x2xi1>, tensor<2x2xf32>
  %p = dhlo.abs %x : tensor<2x2xf32>
  %q = dhlo.tanh %p : tensor<2x2xf32>
  return %a, %b, %c, %d, %e, %g, %h, %i, %m, %n, %o, %k, %q
    : tensor<2x2xf32>, tensor<?x2xf32>, tensor<2x?xf32>, tensor<2x2xf64>, tensor<2x2xf32>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>,
      tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
"""
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


def both(ir, tmp_path, text: str, model: str) -> str:
    """What disc-opt and MLIR's bindings make of a model; they must agree."""
    ods.load(MODELS)
    path, file = tmp_path / "liked.py", tmp_path / "corpus.mlir"
    path.write_text(text)
    file.write_text(model)
    command = [DISC_OPT, f"--load-pass={path}", f"--python={sys.executable}", "--liked", file]
    native = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with ir.Context():
        module = ir.Module.parse(model)
        apply(module, path)
        twin = str(module)
    assert twin.strip() == native.strip()
    return native


@pytest.mark.parametrize("condition", CONDITIONS)
def test_same_answers(ir, tmp_path, condition):
    native = both(ir, tmp_path, PASS.format(condition=condition), corpus())
    assert 0 < native.count("tensor.cast") < corpus().count("tensor.cast")


@pytest.mark.parametrize(("params", "root", "condition"), DHLO_CONDITIONS)
def test_same_answers_on_dhlo(tmp_path, params, root, condition):
    from disc.mlir import ir

    native = both(ir, tmp_path, DHLO_PASS.format(params=params, root=root, condition=condition), DHLO)
    assert ("@liked" in native) == (condition != "~same_type(x, y)")
