"""Each line of the coverage table, compiled once and compared with the interpreter at all its sizes."""

from dataclasses import replace
from pathlib import Path

import disc
import ml_dtypes
import numpy as np
import pytest
import table
from disc import interpreter
from template import numpy_dtype, parse

# Functions are within a few ulp (docs/numerics.md); the interpreter's own references are numpy's.
RELATIVE = {"f4": 2e-6, "f8": 2e-13, "c8": 4e-6, "c16": 1e-12}
# What is computed in f32 and rounded once is compared with the interpreter in f64: half an ulp, and the error in f32.
NARROW = ("f16", "bf16")
ERROR_IN_F32 = 0.01


@pytest.mark.parametrize("case, form", table.tests(), ids=table.test_id)
def test_op(case: table.Case, form: str) -> None:
    text = case.text(form)
    compiled = disc.compile(text, threads=2)
    for sizes in case.sizes if form == "dynamic" else case.sizes[:1]:
        inputs = case.inputs(sizes)
        got = compiled(*inputs)
        got = got if isinstance(got, tuple) else (got,)
        want = interpreter.run(text, inputs)
        assert len(got) == len(want)
        for i, dtype in enumerate(case.dtypes):
            mine = slice(i * len(case.results), (i + 1) * len(case.results))
            arguments = inputs[i * len(case.args) : (i + 1) * len(case.args)]
            is_rounded = dtype in NARROW and not case.exact
            wide = _in_f64(case, form, dtype, arguments) if is_rounded else want[mine]
            for x, y, z in zip(got[mine], want[mine], wide, strict=True):
                where = f"{case.op} {dtype} at {sizes}"
                assert x.shape == np.shape(y), f"{where}: shape {x.shape}, expected {np.shape(y)}"
                assert x.dtype == np.asarray(y).dtype, f"{where}: {x.dtype}, expected {np.asarray(y).dtype}"
                (_compare_rounded if is_rounded else _compare)(np.asarray(x), np.asarray(z), case, where)


def _in_f64(case: table.Case, form: str, dtype: str, inputs: list[np.ndarray]) -> list[np.ndarray]:
    """What the interpreter gives for the op in f64."""
    wide = replace(case, dtypes=("f64",))
    types = (numpy_dtype(parse(type, "f64")[1]) for type in case.args.values())
    return interpreter.run(wide.text(form), [x.astype(t) for x, t in zip(inputs, types, strict=True)])


def _compare_rounded(x: np.ndarray, y: np.ndarray, case: table.Case, where: str) -> None:
    """x is y, rounded to the type of x, after an error of ERROR_IN_F32 of its ulp."""
    info = ml_dtypes.finfo(x.dtype)
    exponent = np.maximum(np.frexp(y)[1] - 1, info.minexp)
    error = ERROR_IN_F32 * np.ldexp(1.0, exponent - info.nmant)
    if case.scaled:
        error = error + RELATIVE["f4"] * np.abs(y[np.isfinite(y)]).max(initial=0)
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = ((y + sign * error).astype(x.dtype).astype("f8") for sign in (-1, 1))
    wide = x.astype("f8")
    good = ((low <= wide) & (wide <= high)) | (np.isnan(wide) & np.isnan(y))
    assert good.all(), f"{where}: {wide[~good]}, expected {y[~good]} within 0.51 ulp"


def _compare(x: np.ndarray, y: np.ndarray, case: table.Case, where: str) -> None:
    if x.dtype.kind in "biu" or "int" in x.dtype.name:
        np.testing.assert_array_equal(x, y, err_msg=where)
        return
    name = x.dtype.name if x.dtype.kind == "V" else x.dtype.str[1:]
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    tolerance = 0 if case.exact else RELATIVE[name]
    x, y = x.astype(wide), y.astype(wide)
    largest = np.abs(y[np.isfinite(y)]).max(initial=0.25) if case.scaled else 0.25
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance * largest, err_msg=where)


def test_each_op_is_in_the_table() -> None:
    covered = {case.op for case in table.CASES} | set(table.ELSEWHERE)
    assert table.dialect_ops() - covered == set()
    for op, (_, test) in table.ELSEWHERE.items():
        files = [table.ROOT / test] if "." in test else sorted((table.ROOT / test).glob("*.mlir"))
        assert any(op in file.read_text() for file in files), f"{test} does not have {op}"


def test_the_page_is_up_to_date() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
    assert page.read_text() == table.page(), "run `python test/coverage/table.py`"
