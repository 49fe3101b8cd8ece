"""Each line of the coverage table, compiled once and compared with the interpreter at all its sizes."""

from pathlib import Path

import disc
import numpy as np
import pytest
import table
from disc import interpreter

# Functions are within a few ulp (docs/numerics.md); the interpreter's own references are numpy's.
RELATIVE = {"f4": 2e-6, "f8": 2e-13, "f2": 2e-3, "bfloat16": 1.6e-2, "c8": 4e-6, "c16": 1e-12}


@pytest.mark.parametrize("case, form", table.tests(), ids=table.test_id)
def test_op(case: table.Case, form: str) -> None:
    text = case.text(form)
    compiled = disc.compile(text, threads=2)
    for sizes in case.sizes if form == "dynamic" else case.sizes[:1]:
        inputs = case.inputs(sizes)
        got = compiled(*inputs)
        got = got if isinstance(got, tuple) else (got,)
        for i, (x, y) in enumerate(zip(got, interpreter.run(text, inputs), strict=True)):
            dtype = case.dtypes[i // len(case.results)]
            assert x.shape == np.shape(y), f"{case.op} {dtype} at {sizes}: shape {x.shape}, expected {np.shape(y)}"
            _compare(np.asarray(x), np.asarray(y), case, f"{case.op} {dtype} at {sizes}")


def _compare(x: np.ndarray, y: np.ndarray, case: table.Case, where: str) -> None:
    assert x.dtype == y.dtype, f"{where}: {x.dtype}, expected {y.dtype}"
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
