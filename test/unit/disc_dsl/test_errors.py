"""A mistake is an error at its Python line, with what to do about it."""

import re
from pathlib import Path

import pytest
from disc_dsl import DslError
from disc_dsl.emit import pass_text
from disc_dsl.passes import load_pass
from disc_dsl.pdll import run_pdll

HEAD = '''"""A pass."""
from disc_dsl import *
from disc_dsl.constraints import *
from disc_dsl.ops import dhlo, lmhlo_disc

@pattern
def p(x: Value, y: Value):
    """a -> b"""
'''
REST = """
    with rewrite(root):
        replace(root, x)
PASS = Pass()
"""
FIRST = HEAD.count("\n") + 1  # the line where the snippet starts

MATCH_CASES = [
    ("root = dhlo.ad(x, y)", "dialect `dhlo` has no op `ad`; did you mean `add`?"),
    ("root = dhlo.add(x)", "`dhlo.add` takes 2 operands (`lhs`, `rhs`): `rhs` is missing"),
    ("root = dhlo.add(x, y, x)", "`dhlo.add` takes 2 operands (`lhs`, `rhs`), got 3"),
    (
        "root = dhlo.concatenate(x, y, dimensoin=1)",
        "`dhlo.concatenate` has no attribute `dimensoin`; did you mean `dimension`?",
    ),
    ("root = dhlo.add(x, 3)", "operand `rhs` of `dhlo.add` takes a value, got 3"),
    ("root = dhlo.add(x, dhlo.top_k(y))", "`dhlo.top_k` has 2 results (`values`, `indices`); say which one is meant"),
    (
        "root = dhlo.top_k(x).valeus",
        "`dhlo.top_k` has no attribute, result or operand `valeus`; did you mean `values`?",
    ),
    ("if rank(x, 2): pass", "constraint `rank` has no truth value"),
    ("if x: pass", "a handle has no truth value"),
    ("if x == y: pass", "handles are not compared with `==`"),
    ("require(rank(x))", "`rank(value, n)`: missing a required argument: 'n'"),
    ("require(rank(x, 'two'))", "`n` of `rank` takes int, got 'two'"),
    ("require(rank(dhlo.add(x, y), x))", "`n` of `rank` takes a Attr, got a Value"),
    ("require(x)", "`require` takes constraints, got Value"),
    ("require(~x)", "`~` negates a constraint inside `require(...)`, got a handle of kind Value"),
    ("require(~dhlo.not_(x))", "`~` negates a constraint inside `require(...)`, got a handle of kind Op"),
    ("require(~rank)", "TypeError: bad operand type for unary ~"),
    ("require(rank(x, 1) & rank(y, 1))", "conditions are not joined by `&`"),
    ("require(rank(x, 1) | rank(y, 1))", "conditions are not joined by `|`"),
    ("require(rnak(x, 1))", "NameError: name 'rnak' is not defined"),
    ("either_order(dhlo.not_(x))", "`either_order` takes a matched op with two operands"),
    ("replace(dhlo.add(x, y), x)", "`replace` belongs inside `with rewrite(...)`"),
    ("absent(dhlo.linear(x, y))", "`absent` takes an optional operand or attribute"),
]


def error_of(tmp_path: Path, text: str) -> str:
    path = tmp_path / "wrong.py"
    path.write_text(text)
    with pytest.raises(DslError) as caught:
        pass_text(load_pass(path))
    assert str(caught.value).startswith(f"{path}:")
    return str(caught.value)[len(str(path)) :]


@pytest.mark.parametrize(("line", "message"), MATCH_CASES)
def test_match(tmp_path, line, message):
    error = error_of(tmp_path, f"{HEAD}    {line}{REST}")
    assert message in error
    assert error.startswith(f":{FIRST}:")
    assert re.match(r":\d+:\d+: error: ", error)


REWRITE_CASES = [
    ("replace(root, x, y)", "`dhlo.add` has 1 results, got 2 values"),
    ("require(rank(x, 1))", "`rank`: a constraint belongs to the match"),
    ("replace(root, dhlo.concatenate(x, y))", "`dhlo.concatenate` needs attribute `dimension`"),
    ("n = dhlo.concatenate(x, dimension=0)", "say the result types of `dhlo.concatenate`"),
    ("n = dhlo.add(x, y, results=3)", "`results` takes types"),
    ("replace(root, types_of(root)[0])", "`replace` takes values, got a Type"),
    ("erase(x)", "`erase` takes an op, got a Value"),
]


@pytest.mark.parametrize(("line", "message"), REWRITE_CASES)
def test_rewrite(tmp_path, line, message):
    error = error_of(
        tmp_path, f"{HEAD}    root = dhlo.add(x, y)\n    with rewrite(root):\n        {line}\nPASS = Pass()\n"
    )
    assert message in error
    assert error.startswith(f":{FIRST + 2}:")


FILE_CASES = [
    (HEAD + "    root = dhlo.not_(x)" + REST, "parameter `y` of pattern `p` is used nowhere in the match"),
    (HEAD + "    rank(x, 1)\n    root = dhlo.add(x, y)" + REST, "constraint `rank` is applied outside `require(...)`"),
    (HEAD + "    dhlo.add(x, y)\n", "pattern `p` has no `with rewrite(root):` block"),
    (HEAD.replace("a -> b", "") + "    root = dhlo.add(x, y)" + REST, "pattern `p` needs a docstring"),
    (HEAD.replace("y: Value", "y") + "    root = dhlo.add(x, y)" + REST, "parameter `y` of pattern `p` needs a type"),
    (HEAD + "    root = dhlo.add(x, y)" + REST.replace("PASS = Pass()", ""), "a pass file declares `PASS"),
    (HEAD + "    root = dhlo.add(x, y)" + REST.replace("Pass()", "Pass(on='func')"), "unknown anchor `func`"),
    (HEAD + "    root = dhlo.add(x y)" + REST, "invalid syntax"),
    (HEAD + "    root = dhlo.add(x, y)" + REST.replace("Pass()", "Pas()"), "error: NameError: name 'Pas' is not defined"),
    ("from disc_dsl import eitherorder\n" + HEAD, "error: ImportError: cannot import name 'eitherorder'"),
    ('"""No patterns."""\nfrom disc_dsl import Pass\nPATTERNS = []\nPASS = Pass()\n', "the file declares a pass but has no `@pattern`"),
    ('"""No pass."""\n', "a pass file declares `PASS"),
    (HEAD.replace("dhlo,", "stablehlo,") + "    root = dhlo.add(x, y)" + REST, "unknown dialect `stablehlo`; known: "),
    (HEAD + "    root = dhlo.add(x, y)" + REST.replace("Pass()", "Pass(driver='conversion', illegal=['dhlo.ad'])"), "unknown op `dhlo.ad`; did you mean `dhlo.add`?"),
    (HEAD + "    root = dhlo.add(x, y)" + REST.replace("Pass()", "Pass(driver='conversion', illegal=['dhol'])"), "unknown dialect `dhol`; did you mean `dhlo`?"),
    (HEAD.replace("@pattern", "@legal") + "    root = dhlo.add(x, y)\n" + "PASS = Pass()\n", '`@legal` needs `driver="conversion"`'),
    (HEAD.replace("@pattern", "@legal") + "    root = dhlo.add(x, y)" + REST, "a `@legal` function says what is legal"),
    (HEAD.replace("dhlo,", "dhol,") + "    root = dhlo.add(x, y)" + REST, "unknown dialect `dhol`; did you mean `dhlo`?"),
    (HEAD + "    root = either_order(dhlo.add(either_order(dhlo.add(either_order(dhlo.add(x, y)), either_order(dhlo.add(y, x)))), x))" + REST,
     "`either_order` makes more than 8 variants"),
]  # fmt: skip


def test_walk_replaces_the_root_alone(tmp_path):
    text = HEAD + "    other = dhlo.not_(x)\n    root = dhlo.add(other, y)\n"
    text += "    with rewrite(root):\n        replace(root, x)\n        erase(other)\nPASS = Pass(driver='walk')\n"
    error = error_of(tmp_path, text)
    assert error.startswith(f':{FIRST + 4}:9: error: `driver="walk"`')


@pytest.mark.parametrize(("text", "message"), FILE_CASES)
def test_file(tmp_path, text, message):
    assert message in error_of(tmp_path, text)


def test_mlir_pdll_errors_come_at_the_python_line(tmp_path):
    path = tmp_path / "apart.py"
    path.write_text(HEAD + "    dhlo.not_(y)\n    root = dhlo.not_(x)" + REST)
    text, places = pass_text(load_pass(path))
    with pytest.raises(DslError, match=rf"{path}:9:5: error: mlir-pdll: .*bindable user"):
        run_pdll(text, places, "mlir", "apart.pdll")


def test_an_attribute_that_mlir_cannot_read_is_found(tmp_path):
    path = tmp_path / "attr.py"
    path.write_text(HEAD + '    root = dhlo.concatenate(x, y, dimension=Attr("one"))' + REST)
    text, places = pass_text(load_pass(path))
    with pytest.raises(DslError, match=rf"{path}:{FIRST}:12: error: mlir-pdll: expected attribute value"):
        run_pdll(text, places, "mlir", "attr.pdll")


OPTIONS = HEAD.replace(
    "@pattern",
    """from dataclasses import dataclass

@dataclass(frozen=True)
class Options:
    size: int = option(1, help="a size")
    exact: bool = False

@pattern""",
).replace("y: Value", "y: Value, options: Options")
OPTION_CASES = [
    ("rank(x, options.sise)", "Pass(options=Options)", "`options` has no option `sise`; did you mean `size`?"),
    ("rank(x, options.exact)", "Pass(options=Options)", "`n` of `rank` takes int, option `exact` is bool"),
    ("options.size", "Pass(options=Options)", "`require` takes constraints, got OptionAttr"),
    ("rank(x, options.size)", "Pass()", "the pass says no `options=Options`"),
    ("rank(x, options.size)", "Pass(options=dict)", "`options` is a frozen dataclass"),
]


@pytest.mark.parametrize(("condition", "declared", "message"), OPTION_CASES)
def test_options(tmp_path, condition, declared, message):
    text = OPTIONS + f"    root = dhlo.add(x, y)\n    require({condition})" + REST.replace("Pass()", declared)
    assert message in error_of(tmp_path, text)


FIELD_CASES = [
    ('size: int = "one"', "option `size` takes int, got 'one'"),
    ("size: dict = None", "option `size` has type `dict`; expected bool, int, float, str or a list of them"),
    ("size: int", "option `size` needs a default"),
]


@pytest.mark.parametrize(("field", "message"), FIELD_CASES)
def test_option_fields(tmp_path, field, message):
    text = OPTIONS.replace('size: int = option(1, help="a size")\n    exact: bool = False', field)
    text += "    root = dhlo.add(x, y)\n    require(rank(x, options.size))" + REST.replace("Pass()", "Pass(options=Options)")
    assert message in error_of(tmp_path, text)
