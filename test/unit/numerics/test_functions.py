"""Functions of floats stay within the bounds that docs/numerics.md states."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from programs import LENGTHS, apply, float_samples, program, run_all, same_bits, ulp_error

Fn = Callable[[np.ndarray], np.ndarray]

# op: (f32 bound, f64 bound, reference)
UNARY: dict[str, tuple[float, float, Fn]] = {
    "exponential": (1.1, 1.1, np.exp),
    "exponential_minus_one": (1.7, 2, np.expm1),
    "log": (1, 1, np.log),
    "log_plus_one": (1.5, 1.5, np.log1p),
    "tanh": (2.6, 3, np.tanh),
    "logistic": (2.5, 2.5, lambda x: 1 / (1 + np.exp(-x))),
    "sqrt": (0.5, 0.5, np.sqrt),
    "rsqrt": (1.5, 1.5, lambda x: 1 / np.sqrt(x)),
    "cbrt": (0.51, 4, np.cbrt),
    "sine": (0.51, 1, np.sin),
    "cosine": (0.51, 1, np.cos),
    "tan": (0.51, 1, np.tan),
    "floor": (0, 0, np.floor),
    "ceil": (0, 0, np.ceil),
    "round_nearest_even": (0, 0, np.rint),
    "round_nearest_afz": (0, 0, lambda x: np.where(np.abs(x) < 2.0**52, np.copysign(np.trunc(np.abs(x) + 0.5), x), x)),
    "sign": (0, 0, lambda x: np.where(x == 0, x, np.sign(x))),
    "abs": (0, 0, np.abs),
    "negate": (0, 0, np.negative),
}
CHLO: dict[str, tuple[float, float, Fn]] = {
    "sinh": (0.51, 3.5, np.sinh),
    "cosh": (0.51, 3.5, np.cosh),
    "asinh": (0.51, 2, np.arcsinh),
    "acosh": (0.51, 2, np.arccosh),
    "atanh": (0.51, 2, np.arctanh),
    "atan": (0.51, 1, np.arctan),
    "asin": (0.51, 1, np.arcsin),
    "acos": (0.51, 1, np.arccos),
    "erf": (1.8, 1.5, np.vectorize(math.erf, otypes=[np.float64])),
    "erfc": (0.52, 4, np.vectorize(math.erfc, otypes=[np.float64])),
}


def reference(fn: Fn, x: np.ndarray) -> np.ndarray:
    """fn in extended precision, or in double for trigonometric functions of f32, which numpy reduces exactly there."""
    trigonometric = fn in (np.sin, np.cos, np.tan) and x.dtype != np.float64
    with np.errstate(all="ignore"):
        return fn(x.astype(np.float64 if trigonometric or isinstance(fn, np.vectorize) else np.longdouble))


def samples(dtype: type, trigonometric: bool) -> np.ndarray:
    x = float_samples(dtype, 1 << 14)
    # numpy's extended-precision sine has no exact reduction.
    return np.where(np.abs(x) > 1e6, dtype(1.5), x) if trigonometric and dtype is np.float64 else x


@pytest.mark.parametrize("dtype, column", [("f32", 0), ("f64", 1)])
@pytest.mark.parametrize("table, dialect", [(UNARY, "stablehlo"), (CHLO, "chlo")])
def test_bounds(table: dict[str, tuple[float, float, Fn]], dialect: str, dtype: str, column: int) -> None:
    numpy_type = np.float32 if dtype == "f32" else np.float64
    for trigonometric in (False, True):
        names = [n for n, row in table.items() if (row[2] in (np.sin, np.cos, np.tan)) == trigonometric]
        if not names:
            continue
        x = samples(numpy_type, trigonometric)
        for name, got in zip(names, run_all([f"{dialect}.{n}" for n in names], dtype, x), strict=True):
            want = reference(table[name][2], x)
            error = ulp_error(got, want)
            worst = int(np.argmax(error))
            assert error[worst] <= table[name][column], f"{name} of {x[worst]!r}: {got[worst]!r}, not {want[worst]!r}"
            zeros = (want == 0) & (got == 0)
            assert (np.signbit(got) == np.signbit(want))[zeros].all(), f"{name} loses the sign of a zero"


@pytest.mark.parametrize("dtype", ["f16"])
def test_half_rounds_once(dtype: str) -> None:
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    names = ["exponential", "log", "tanh", "logistic", "sqrt", "rsqrt", "sine", "cbrt"]
    for name, got in zip(names, run_all(names, dtype, x), strict=True):
        assert ulp_error(got, reference(UNARY[name][2], x)).max() <= 0.51, name


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("op, fn", [("power", np.power), ("atan2", np.arctan2)])
def test_two_operands(op: str, fn: Callable[[np.ndarray, np.ndarray], np.ndarray], dtype: str) -> None:
    numpy_type = np.float32 if dtype == "f32" else np.float64
    x = float_samples(numpy_type, 1 << 13, seed=1)
    y = np.random.default_rng(2).permutation(x)
    special = x[:18]
    x, y = np.concatenate([np.repeat(special, 18), x]), np.concatenate([np.tile(special, 18), y])
    with np.errstate(all="ignore"):
        want = fn(x.astype(np.longdouble), y.astype(np.longdouble))
    got = apply(f'"stablehlo.{op}"(%args)', [dtype, dtype], dtype, x, y)
    error = ulp_error(got, want)
    worst = int(np.argmax(error))
    assert error[worst] <= (0.51 if dtype == "f32" else 1), f"{op} of {x[worst]!r}, {y[worst]!r}: {got[worst]!r}"


def test_tails_agree_with_bodies() -> None:
    """A value's result does not depend on where in the array it stands."""
    names = ["exponential", "tanh", "logistic", "log", "sine"]
    x = float_samples(np.float32, 4096)[: LENGTHS[-1]]
    whole = run_all(names, "f32", x)
    for length in LENGTHS[:-2]:
        for full, part in zip(whole, run_all(names, "f32", x[:length]), strict=True):
            assert same_bits(full[:length], part).all()


def test_next_after() -> None:
    x = float_samples(np.float32, 1 << 12)
    y = np.random.default_rng(3).permutation(x)
    got = apply('"chlo.next_after"(%args)', ["f32", "f32"], "f32", x, y)
    with np.errstate(invalid="ignore"):
        want = np.nextafter(x, y)
    assert same_bits(got, want).all()


def test_reduce_precision_to_bfloat16() -> None:
    x = float_samples(np.float32, 1 << 14)
    op = '"stablehlo.reduce_precision"(%args) {exponent_bits = 8 : i32, mantissa_bits = 7 : i32}'
    got = apply(op, ["f32"], "f32", x)
    bits = x.view(np.uint32).astype(np.uint64)
    want = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    assert same_bits(got, np.where(np.isnan(x), x, want)).all()


def test_reduce_precision_without_mantissa() -> None:
    """Powers of two remain, and NaN, which the format lacks, becomes an infinity."""
    op = '"stablehlo.reduce_precision"(%args) {exponent_bits = 5 : i32, mantissa_bits = 0 : i32}'
    got = apply(op, ["f64"], "f64", np.array([np.nan, 1.3, 3.1, 1e9, -1e-9]))
    np.testing.assert_array_equal(got, [np.inf, 1, 4, np.inf, 0])


def test_is_finite() -> None:
    x = float_samples(np.float32, 100)
    assert (program(('"stablehlo.is_finite"(%args)',), ("f32",), ("i1",))(x) == np.isfinite(x)).all()
