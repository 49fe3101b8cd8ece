"""Special functions, complex numbers, and the narrow floats that numpy lacks."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from programs import apply, program, run_all, ulp_error

EULER = 0.5772156649015329


def test_gamma_functions() -> None:
    x = np.concatenate([np.linspace(0.01, 30, 3000), np.linspace(-9.9, -0.1, 1000)]).astype(np.float32)
    x = x[x != np.rint(x)]
    got = apply('"chlo.lgamma"(%args)', ["f32"], "f32", x)
    want = np.array([math.lgamma(v) for v in x.astype(np.float64)])
    # Relative to 1 next to the zeros of the function.
    assert (np.abs(got - want) / np.maximum(1, np.abs(want))).max() <= 6e-8
    edges = np.array([1, 2, 0, -1, np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(
        apply('"chlo.lgamma"(%args)', ["f32"], "f32", edges), [0, 0, np.inf, np.inf, np.inf, np.nan]
    )


def test_digamma() -> None:
    # psi(1), psi(1/2), psi(n + 1) = psi(n) + 1/n, and the reflection psi(1 - x) - psi(x) = pi cot(pi x).
    x = np.array([1, 0.5, 2, 3, -0.5, 1e-20], np.float64)
    want = [-EULER, -EULER - 2 * math.log(2), 1 - EULER, 1.5 - EULER, 2 - EULER - 2 * math.log(2), -1e20]
    np.testing.assert_allclose(apply('"chlo.digamma"(%args)', ["f64"], "f64", x), want, rtol=1e-14)
    poles = np.array([0, -1, -7], np.float32)
    assert np.isnan(apply('"chlo.digamma"(%args)', ["f32"], "f32", poles)).all()


def test_zeta_and_polygamma() -> None:
    s, q = np.array([2, 4, 2, 1.5], np.float64), np.array([1, 1, 0.5, 1], np.float64)
    want = [math.pi**2 / 6, math.pi**4 / 90, math.pi**2 / 2, 2.6123753486854883]
    np.testing.assert_allclose(apply('"chlo.zeta"(%args)', ["f64", "f64"], "f64", s, q), want, rtol=1e-14)
    n, x = np.array([0, 1, 1, 2], np.float64), np.array([1, 1, 0.5, 1], np.float64)
    want = [-EULER, math.pi**2 / 6, math.pi**2 / 2, -2 * 1.2020569031595942]
    np.testing.assert_allclose(apply('"chlo.polygamma"(%args)', ["f64", "f64"], "f64", n, x), want, rtol=1e-13)


@pytest.mark.parametrize("dtype, numpy_type, bound", [("f32", np.float32, 0.7), ("f64", np.float64, 4)])
def test_inverse_of_erf(dtype: str, numpy_type: type, bound: float) -> None:
    """erf of the result is the argument, up to what an error of `bound` ulp in the result changes."""
    x = np.linspace(-0.999, 0.999, 5001).astype(numpy_type)
    got = apply('"chlo.erf_inv"(%args)', [dtype], dtype, x)
    back = np.array([math.erf(v) for v in got.astype(np.float64)])
    slope = 2 / math.sqrt(math.pi) * np.exp(-(got.astype(np.float64) ** 2))
    allowed = (bound + 0.01) * slope * np.spacing(np.abs(got)) + 2.3e-16
    assert (np.abs(back - x) <= allowed).all()
    edges = np.array([1, -1, 1.5, np.nan, 0], numpy_type)
    np.testing.assert_array_equal(
        apply('"chlo.erf_inv"(%args)', [dtype], dtype, edges), [np.inf, -np.inf, np.nan, np.nan, 0]
    )


def test_bfloat16_rounds_once() -> None:
    """bf16 arrays travel as 16-bit integers; every value through functions and back."""
    import disc
    import torch

    names = ["exponential", "tanh", "logistic", "log", "rsqrt"]
    lines = "\n".join(f"  %r{i} = stablehlo.{n} %x : tensor<?xbf16>" for i, n in enumerate(names))
    results = ", ".join(["tensor<?xbf16>"] * len(names))
    returned = ", ".join(f"%r{i}" for i in range(len(names)))
    text = f"func.func @main(%x: tensor<?xbf16>) -> ({results}) {{\n{lines}\n  return {returned} : {results}\n}}\n"
    x = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16).view(torch.bfloat16)
    wide = x.to(torch.float64)
    want = [wide.exp(), wide.tanh(), wide.sigmoid(), wide.log(), wide.rsqrt()]
    for name, got, exact in zip(names, disc.compile(text)(x), want, strict=True):
        assert got.dtype == torch.bfloat16
        rounded = exact.to(torch.bfloat16).to(torch.float64)
        unit = torch.ldexp(torch.ones_like(rounded), torch.frexp(rounded)[1].clamp(min=-125) - 8)
        error = ((got.to(torch.float64) - exact).abs() / unit)[torch.isfinite(rounded)]
        assert error.max() <= 0.51, name
        special = ~torch.isfinite(rounded)
        assert torch.equal(got[special].isnan(), exact[special].isnan()), name


COMPLEX: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "stablehlo.exponential": np.exp,
    "stablehlo.log": np.log,
    "stablehlo.log_plus_one": np.log1p,
    "stablehlo.sqrt": np.sqrt,
    "stablehlo.tanh": np.tanh,
    "stablehlo.sine": np.sin,
    "stablehlo.cosine": np.cos,
    "stablehlo.negate": np.negative,
    "chlo.sinh": np.sinh,
    "chlo.cosh": np.cosh,
    "chlo.asin": np.arcsin,
    "chlo.acos": np.arccos,
    "chlo.atan": np.arctan,
    "chlo.asinh": np.arcsinh,
    "chlo.acosh": np.arccosh,
    "chlo.atanh": np.arctanh,
}


def complex_samples(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-3, 1, count)
    return ((rng.normal(size=count) + 1j * rng.normal(size=count)) * scale).astype(np.complex64)


def test_complex_functions() -> None:
    z = complex_samples(2000, 0)
    for (name, fn), got in zip(COMPLEX.items(), run_all(list(COMPLEX), "complex<f32>", z), strict=True):
        want = fn(z.astype(np.complex128))
        assert (np.abs(got - want) <= 0.75 * np.finfo(np.float32).eps * np.abs(want)).all(), name


def test_complex_arithmetic() -> None:
    z, w = complex_samples(2000, 1), complex_samples(2000, 2)
    names = ["stablehlo.add", "stablehlo.subtract", "stablehlo.multiply", "stablehlo.divide"]
    a, b = z.astype(np.complex128), w.astype(np.complex128)
    for name, got, want in zip(names, run_all(names, "complex<f32>", z, w), [a + b, a - b, a * b, a / b], strict=True):
        assert (np.abs(got - want) <= 1.5 * np.finfo(np.float32).eps * np.abs(want)).all(), name


def test_complex_parts() -> None:
    z = complex_samples(100, 3)
    ops = tuple(f'"stablehlo.{n}"(%args)' for n in ("real", "imag", "abs"))
    real, imag, length = program(ops, ("complex<f32>",), ("f32", "f32", "f32"))(z)
    np.testing.assert_array_equal(real, z.real)
    np.testing.assert_array_equal(imag, z.imag)
    assert ulp_error(length, np.abs(z.astype(np.complex128))).max() <= 0.51
    np.testing.assert_array_equal(apply('"stablehlo.complex"(%args)', ["f32", "f32"], "complex<f32>", real, imag), z)


def test_complex_arctangent_of_two() -> None:
    y, x = np.array([1, -1, 1 + 2j], np.complex128), np.array([0, 0, 3 + 0.5j], np.complex128)
    got = apply('"stablehlo.atan2"(%args)', ["complex<f64>", "complex<f64>"], "complex<f64>", y, x)
    want = -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))
    np.testing.assert_allclose(got, want, rtol=1e-14)
