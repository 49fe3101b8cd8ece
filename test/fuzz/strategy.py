"""The hypothesis strategy: a program, and inputs for several sizes of it."""

from __future__ import annotations

import ml_dtypes  # noqa: F401  (registers bfloat16 with numpy)
import numpy as np
import sizes
from hypothesis import strategies as st
from ops import OPS
from program import DTYPES, EXACT, FLOATS, SMALL, Program

SYMBOLS = ("a", "b", "c")
NUMPY = {"f32": "f4", "f64": "f8", "f16": "f2", "bf16": "bfloat16", "i1": "?", "ui32": "u4", "ui8": "u1"}
NUMPY |= {f"i{8 * n}": f"i{n}" for n in (1, 2, 4, 8)}
SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-3, 3.7e4]


@st.composite
def programs(draw, max_ops: int = 12) -> Program:
    program = Program()
    # Some programs broadcast at run time, which the others never do.
    symbols = SYMBOLS + sizes.UNITS if draw(st.booleans()) else SYMBOLS
    dims = st.one_of(st.sampled_from(symbols), st.sampled_from(symbols), st.integers(0, 5))
    for _ in range(draw(st.integers(1, 3))):
        shape = tuple(draw(st.lists(dims, max_size=3)))
        dtype = draw(st.sampled_from(("f32", "f32", "i32", *DTYPES)))
        grade = draw(st.sampled_from([SMALL, EXACT])) if dtype in FLOATS else EXACT
        program.arguments.append(program.fresh(dtype, shape, grade))
    program.values += program.arguments
    for _ in range(draw(st.integers(1, max_ops))):
        draw(st.sampled_from(OPS))(draw, program)
    # What nobody else can see is an output, so that no op is dead by accident.
    used = "\n".join(line.split(" = ", 1)[-1] + " " for line in program.lines)
    leaves = [v for v in program.values if v not in program.arguments and not _is_used(v.name, used)]
    program.outputs = (leaves or program.values)[-4:]
    return program


def _is_used(name: str, text: str) -> bool:
    return any(f"{name}{end}" in text for end in (" ", ",", ")"))


def inputs(program: Program, symbols: dict[str, int], seed: int) -> list[np.ndarray]:
    """Arrays for the arguments; symbols have the given sizes."""
    random = np.random.default_rng(seed)
    arrays = []
    for argument in program.arguments:
        shape = tuple(sizes.evaluate(d, symbols) for d in argument.dims)
        values = random.integers(-16, 17, shape) / 4.0
        if argument.dtype in FLOATS and argument.grade == EXACT:
            special = random.random(shape) < 0.3
            values = np.where(special, random.choice(SPECIAL, shape), values * random.random(shape))
        if argument.dtype.startswith("u"):
            values = np.abs(values)
        if argument.dtype == "i1":
            values = values > 0
        arrays.append(np.asarray(values).astype(NUMPY[argument.dtype]))
    return arrays
