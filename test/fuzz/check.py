"""Compiles one fuzzed program once, runs it at several sizes, and compares with the reference interpreter."""

from __future__ import annotations

import disc
import numpy as np
from disc import interpreter
from program import APPROX, Program
from strategy import inputs

# Sizes of the symbols a, b, c, and of those that are 1 or the same; one artifact serves them all.
SHAPES = [
    dict(a=3, b=5, c=2, a1=1, a2=3, a3=1, b1=5, b2=1),
    dict(a=0, b=1, c=4, a1=0, a2=1, a3=0, b1=1, b2=1),
    dict(a=17, b=2, c=9, a1=17, a2=1, a3=1, b1=1, b2=2),
    dict(a=4, b=6, c=1, a1=1, a2=1, a3=4, b1=6, b2=6),
    # rows of whole vectors and a tail, more of them than go together
    dict(a=35, b=24, c=18, a1=35, a2=1, a3=35, b1=1, b2=24),
]
# A function's bound is a few ulp (docs/numerics.md); rounding to the narrow types comes on top.
RELATIVE = {"f32": 1e-6, "f64": 1e-13, "f16": 2e-3, "bf16": 1.6e-2}


def check(program: Program, seed: int) -> None:
    """Raises AssertionError, with the program's text, where compiled code and interpreter differ."""
    text = program.text()
    compiled = disc.compile(text, threads=2)
    for symbols in SHAPES:
        arrays = inputs(program, symbols, seed)
        got = compiled(*arrays)
        got = got if isinstance(got, tuple) else (got,)
        want = interpreter.run(text, arrays)
        for i, (value, x, y) in enumerate(zip(program.outputs, got, want, strict=True)):
            where = f"output {i} at sizes {symbols}\n{text}"
            x, y = np.asarray(x), np.asarray(y)
            assert (x.shape, x.dtype) == (y.shape, y.dtype), f"{x.dtype}{x.shape}, expected {y.dtype}{y.shape}: {where}"
            tolerance = RELATIVE.get(value.dtype, 0) if value.grade == APPROX else 0
            assert _equal(x, y, tolerance), f"compiled:\n{x}\ninterpreter:\n{y}\n{where}"


def _equal(x: np.ndarray, y: np.ndarray, tolerance: float) -> bool:
    if x.dtype.kind in "biu":
        return bool(np.array_equal(x, y))
    wide_x, wide_y = x.astype("f8"), y.astype("f8")
    smallest = float(np.finfo("f4").tiny) if x.dtype.itemsize <= 4 else 0.0
    return bool(np.allclose(wide_x, wide_y, rtol=tolerance, atol=tolerance * smallest, equal_nan=True))
