"""Small StableHLO programs for the numeric tests, and how their results are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import disc
import numpy as np

# Lengths that end in the middle of every vector width.
LENGTHS = (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 8192, 8193)

DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}

SPECIAL = [
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    1e-45,
    -1e-45,
    1e-39,
    3.4e38,
    -3.4e38,
    88.72,
    88.73,
]


def tensor(dtype: str, shape: str = "?x") -> str:
    """The MLIR type of a tensor with one dynamic dimension."""
    return f"tensor<{shape}{dtype}>"


def program_text(ops: tuple[str, ...], operands: tuple[str, ...], results: tuple[str, ...]) -> str:
    """A program that applies each op of `ops` to the same arguments: one result an op.

    Ops are in generic form with `%args` for the operands, say `"stablehlo.add"(%args)`.
    """
    names = ", ".join(f"%a{i}" for i in range(len(operands)))
    types = ", ".join(tensor(t) for t in operands)
    outs = ", ".join(tensor(t) for t in results)
    lines = [
        f"    %r{i} = {op.replace('%args', names)} : ({types}) -> {tensor(result)}"
        for i, (op, result) in enumerate(zip(ops, results, strict=True))
    ]
    arguments = ", ".join(f'%a{i}: {tensor(t)} {{disc.dims = ["n"]}}' for i, t in enumerate(operands))
    returned = ", ".join(f"%r{i}" for i in range(len(ops)))
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> ({outs}) {{\n{body}\n    return {returned} : {outs}\n}}\n"


@cache
def program(ops: tuple[str, ...], operands: tuple[str, ...], results: tuple[str, ...]) -> Callable[..., Any]:
    """The compiled program_text."""
    return disc.compile(program_text(ops, operands, results))


def apply(op: str, operands: Sequence[str], result: str, *args: np.ndarray) -> np.ndarray:
    """The result of one elementwise op on arrays."""
    return program((op,), tuple(operands), (result,))(*args)


def run_all(ops: Sequence[str], dtype: str, *args: np.ndarray) -> list[np.ndarray]:
    """The results of ops whose operands and results all have the element type `dtype`."""
    results = program(
        tuple(f'"stablehlo.{op}"(%args)' if "." not in op else f'"{op}"(%args)' for op in ops),
        (dtype,) * len(args),
        (dtype,) * len(ops),
    )(*args)
    return list(results) if len(ops) > 1 else [results]


def float_samples(dtype: Any, count: int, seed: int = 0) -> np.ndarray:
    """Special values, floats spread evenly over all bit patterns, and values of moderate size."""
    rng = np.random.default_rng(seed)
    bits = np.dtype(dtype).itemsize * 8
    spread = rng.integers(0, 1 << bits, count, dtype=np.uint64).astype(f"u{bits // 8}").view(dtype)
    with np.errstate(over="ignore"):
        special = np.array(SPECIAL).astype(dtype)
    return np.concatenate(
        [special, spread, rng.uniform(-20, 20, count).astype(dtype), rng.uniform(-1, 1, count).astype(dtype)]
    )


def ulp_error(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """The distance of `got` from the more precise `want` in units of got's last place; infinite where one of them is special."""
    dtype = got.dtype
    with np.errstate(all="ignore"):
        rounded = want.astype(dtype)
        unit = np.spacing(np.abs(rounded)).astype(want.dtype)
        error = np.abs(got.astype(want.dtype) - want) / unit
        finite = np.isfinite(rounded)
        same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    return np.where(finite, error, np.where(same, 0, np.inf)).astype(np.float64)


def same_bits(got: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Where two arrays of floats are equal, zeros by their signs and any NaN with any NaN."""
    return ((got == want) & (np.signbit(got) == np.signbit(want))) | (np.isnan(got) & np.isnan(want))
