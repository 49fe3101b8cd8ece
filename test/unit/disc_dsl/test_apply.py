"""`disc_dsl.apply` on a module of MLIR's Python bindings; the constraints are their Python twins."""

import importlib

import pytest
from disc_dsl import DslError, apply

PASS = '''"""Fold x * 1 and x + 0."""
from disc_dsl import *
from disc_dsl.constraints import is_int, one_use, same_shape, splat
from disc_dsl.ops import arith

@pattern
def times_one(x: Value, one: Value):
    """x * 1 -> x"""
    root = either_order(arith.muli(x, one))
    require(splat(one, 1), is_int(x), ~splat(x, 1))
    with rewrite(root):
        replace(root, x)

@pattern
def sum_twice(x: Value, y: Value):
    """(x + y) + y -> x + (y + y)"""
    total = arith.addi(x, y)
    root = arith.addi(total, y)
    require(one_use(total))
    with rewrite(root):
        replace(root, arith.addi(x, arith.addi(y, y, results=types_of(total))))

PASS = Pass()
'''
MODEL = """
func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %one = arith.constant dense<1> : tensor<2xi32>
  %p = arith.muli %one, %x : tensor<2xi32>
  %s = arith.addi %p, %y : tensor<2xi32>
  %r = arith.addi %s, %y : tensor<2xi32>
  %two = arith.constant dense<2> : tensor<2xi32>
  %d = arith.muli %y, %two : tensor<2xi32>
  return %r, %d : tensor<2xi32>, tensor<2xi32>
}
"""


@pytest.fixture
def ir():
    for package in ("disc.mlir", "torch_mlir"):
        try:
            importlib.import_module(f"{package}.rewrite")
            return importlib.import_module(f"{package}.ir")
        except ImportError:
            continue
    pytest.fail("no MLIR bindings are installed")


@pytest.mark.parametrize("driver", ["greedy", "walk"])
def test_apply(ir, tmp_path, driver):
    path = tmp_path / "fold.py"
    path.write_text(PASS.replace("Pass()", f"Pass(driver='{driver}')"))
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(MODEL)
        apply(module, path)
        text = str(module)
    assert text.count("arith.muli") == 1 and "arith.addi %arg1, %arg1" in text
    assert module.operation.verify()


def test_a_native_without_a_twin_is_refused(ir, tmp_path):
    path = tmp_path / "fold.py"
    path.write_text(PASS.replace("~splat(x, 1)", "same_shape(x, one)"))
    with ir.Context():
        module = ir.Module.parse(MODEL)
        with pytest.raises(DslError, match="`same_shape` has no Python twin"):
            apply(module, path)


OPTIONS = '''"""Fold x * factor."""
from dataclasses import dataclass
from disc_dsl import *
from disc_dsl.constraints import splat
from disc_dsl.ops import arith

@dataclass(frozen=True)
class Options:
    factor: int = option(1, help="what is dropped")

@pattern
def times(x: Value, c: Value, options: Options):
    """x * factor -> x"""
    root = either_order(arith.muli(x, c))
    require(splat(c, options.factor))
    with rewrite(root):
        replace(root, x)

PASS = Pass(driver="walk", options=Options)
'''


def test_options(ir, tmp_path):
    path = tmp_path / "times.py"
    path.write_text(OPTIONS)
    for options, left in (({}, "arg1, %cst"), ({"factor": 2}, "cst, %arg0")):
        with ir.Context():
            module = ir.Module.parse(MODEL)
            apply(module, path, **options)
            assert str(module).count("arith.muli") == 1 and f"arith.muli %{left}" in str(module)
    with ir.Context():
        module = ir.Module.parse(MODEL)
        with pytest.raises(DslError, match="`times` has no option `facto`; did you mean `factor`?"):
            apply(module, path, facto=2)
        with pytest.raises(DslError, match="option `factor` takes int, got 'two'"):
            apply(module, path, factor="two")


def test_a_dialect_that_the_context_lacks(tmp_path):
    ir = importlib.import_module("torch_mlir.ir")
    path = tmp_path / "fold.py"
    path.write_text(PASS.replace("import arith", "import arith, dhlo").replace("arith.addi(x, arith.addi(", "arith.addi(x, dhlo.add("))
    with ir.Context():
        module = ir.Module.parse(MODEL)
        with pytest.raises(DslError, match=r"fold.py:21:\d+: error: the context of the module knows no dialect `dhlo`"):
            apply(module, path)
