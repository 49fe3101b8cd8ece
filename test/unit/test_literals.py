"""Long literals become hexadecimal: the same elements, and only where they are what their type says."""

import numpy as np
import pytest
from disc.frontends.literals import LONG, pack_literals

DTYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}


def text(literal: str, type_: str) -> str:
    return f'// a constant\n%c = stablehlo.constant dense<{literal}> : tensor<{type_}>\n%d = "dense<[1, 2]>"'


def literal(array: np.ndarray) -> str:
    if array.ndim == 0:
        return repr(array.item())
    return "[" + ",\n ".join(map(literal, array)) + "]"


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("shape", [(40000,), (200, 200), (7, 1, 6000), (40000, 1)])
def test_long_lists_of_numbers(element, shape):
    random = np.random.default_rng(1)
    if element[0] == "f":
        array = random.standard_normal(shape).astype(DTYPES[element])
    else:
        info = np.iinfo(DTYPES[element])
        array = random.integers(max(info.min, -(2**60)), min(info.max, 2**60), shape).astype(DTYPES[element])
    dims = "".join(f"{n}x" for n in shape) + element
    before = text(literal(array), dims)
    after = pack_literals(before)
    assert after == text(f'"0x{array.tobytes().hex().upper()}"' + "\n" * literal(array).count("\n"), dims)
    assert after.count("\n") == before.count("\n")


@pytest.mark.parametrize(
    ("broken", "type_"),
    [
        (lambda n: n[1:], "30000xf32"),  # one too few
        (lambda n: ["1", *n[1:]], "30000xf32"),  # an integer among floats
        (lambda n: ["x", *n[1:]], "30000xf32"),
        (lambda n: ["1.0 2.0", *n[1:]], "30000xf32"),
        (lambda n: ["+1.0", *n[1:]], "30000xf32"),
        (lambda n: ["1.0e400", *n[1:]], "30000xf32"),
        (lambda n: ["[1.0", "2.0]", *n[2:]], "30000xf32"),
        (lambda n: ["0x7FC00000", *n[1:]], "30000xf32"),
        (lambda n: n, "2x15000xf32"),
        (lambda n: n, "30000xi32"),
        (lambda n: n, "30000xbf16"),
        (lambda n: ["300"] * len(n), "30000xi8"),
        (lambda n: ["9223372036854775808"] * len(n), "30000xi64"),
    ],
)
def test_anything_else_is_left_alone(broken, type_):
    before = text("[" + ", ".join(broken(["1.5"] * 30000)) + "]", type_)
    assert len(before) > LONG
    assert pack_literals(before) == before


def test_short_literals_and_unfinished_text_are_left_alone():
    for before in (text("[1.0, 2.0]", "2xf32"), "dense<[" + "1.0, " * LONG, "x" * LONG):
        assert pack_literals(before) == before
