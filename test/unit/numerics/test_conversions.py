"""dhlo.convert saturates, rounds once and knows signedness."""

from __future__ import annotations

import numpy as np
import pytest
from programs import DTYPES, apply, float_samples, program

INTS = ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"]
FLOATS = ["f16", "f32", "f64"]
EDGES = [
    3e9,
    -1.5,
    256.7,
    -2.18,
    127.5,
    -128.9,
    255.9,
    2147483520,
    2**31,
    -(2**31),
    2**32,
    9.2e18,
    2.0**63,
    2.0**64,
    1e30,
    -1e30,
]


def convert(dtype: str, to: str, x: np.ndarray) -> np.ndarray:
    return apply('"stablehlo.convert"(%args)', [dtype], to, x)


def integers(dtype: str) -> np.ndarray:
    info = np.iinfo(DTYPES[dtype])
    rng = np.random.default_rng(0)
    values = rng.integers(info.min, info.max, 2000, dtype=info.dtype, endpoint=True)
    shifted = values >> rng.integers(0, info.bits, 2000).astype(info.dtype)
    # Halfway between two f32 or f16 values, and next to it.
    ties = [
        (1 << k) + (1 << (k - p)) + d for p in (8, 11, 24, 53) for k in range(p + 1, info.bits - 1) for d in (-1, 0, 1)
    ]
    edges = [0, 1, info.max, info.max - 1, info.min, info.min + 1, *ties]
    return np.concatenate([np.array(edges).astype(info.dtype) if edges else values, values, shifted])


# Casts out of range are what these tests are about.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize("dtype", FLOATS)
def test_float_to_integer_saturates(dtype: str) -> None:
    x = np.concatenate([np.array(EDGES, np.float64).astype(DTYPES[dtype]), float_samples(DTYPES[dtype], 2000)])
    ops = ('"stablehlo.convert"(%args)',) * len(INTS)
    for to, got in zip(INTS, program(ops, (dtype,), tuple(INTS))(x), strict=True):
        info = np.iinfo(DTYPES[to])
        values = x.astype(np.float64).tolist()
        limits = {np.inf: info.max, -np.inf: info.min}
        want = [
            0 if np.isnan(v) else limits[v] if v in limits else max(info.min, min(info.max, int(v))) for v in values
        ]
        bad = np.flatnonzero(got != np.array(want, dtype=info.dtype))
        assert bad.size == 0, f"{to} of {x[bad[0]]!r}: {got[bad[0]]}"


@pytest.mark.parametrize("dtype", INTS)
def test_integer_to_float_and_integer(dtype: str) -> None:
    x = integers(dtype)
    targets = [t for t in [*INTS, *FLOATS] if t != dtype]
    with np.errstate(over="ignore"):
        for to, got in zip(
            targets, program(('"stablehlo.convert"(%args)',) * len(targets), (dtype,), tuple(targets))(x), strict=True
        ):
            assert (got == x.astype(DTYPES[to])).all(), to


def test_double_to_half_rounds_once() -> None:
    """1 + 2^-11 + 2^-45 is above the tie between two halves, but rounds down to the tie on the way through f32."""
    x = np.array(
        [
            1 + 2.0**-11 + 2.0**-45,
            1 + 3 * 2.0**-11 - 2.0**-45,
            65519.999999,
            65520.0,
            2.0**-25 + 2.0**-60,
            2.0**-25,
            -1e-300,
        ]
    )
    assert (convert("f64", "f16", x) == x.astype(np.float16)).all()


def test_booleans() -> None:
    x = np.array([np.nan, 0.0, -0.0, 0.5, -3, np.inf, 1e-45], np.float32)
    assert convert("f32", "i1", x).tolist() == [True, False, False, True, True, True, True]
    assert convert("i32", "i1", np.array([0, 256, -1], np.int32)).tolist() == [False, True, True]
    flags = np.array([True, False, True])
    for to in ("f32", "f16", "i8", "ui64", "f64"):
        assert convert("i1", to, flags).tolist() == [1, 0, 1]


def test_complex() -> None:
    z = np.array([1 + 2j, -3.5j, 0], np.complex64)
    assert convert("complex<f32>", "f32", z).tolist() == [1, 0, 0]
    assert convert("complex<f32>", "complex<f64>", z).tolist() == z.tolist()
    assert convert("i32", "complex<f32>", np.array([3, -4], np.int32)).tolist() == [3, -4]


def test_bitcast() -> None:
    x = float_samples(np.float32, 1000)
    got = apply('"stablehlo.bitcast_convert"(%args)', ["f32"], "ui32", x)
    assert (got == x.view(np.uint32)).all()
