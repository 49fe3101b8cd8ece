"""fft against numpy: every kind, rank 1 to 3, lengths with small and large prime factors, 0 and 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import disc
import numpy as np
import pytest
from disc.errors import ExecutionError

LENGTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 23, 25, 27, 30, 31, 49, 60, 64, 97, 101, 120, 121, 128]
LENGTHS += [169, 210, 243, 256, 289, 343, 509, 512, 1000, 1024, 1031, 2310, 4096, 4099]
SHAPES = [(3, 4), (1, 5), (17, 2), (8, 8), (2, 1), (4, 3, 5), (1, 1, 1), (2, 19, 6), (16, 8, 4)]
# The spectrum relative to its largest value; f32 is rounded once a dimension.
TOLERANCE = {"f32": 3e-7, "f64": 4e-15}
REAL: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
COMPLEX: dict[str, Any] = {"f32": np.complex64, "f64": np.complex128}


def fft(kind: str, real: str, lengths: tuple[int, ...]) -> Callable[..., Any]:
    """A program with two dynamic dimensions before the transformed ones."""
    spectrum = [*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0]

    def tensor(sizes: Any, element: str) -> str:
        return f"tensor<?x?x{''.join(f'{size}x' for size in sizes)}{element}>"

    before = tensor(spectrum if kind == "IRFFT" else lengths, real if kind == "RFFT" else f"complex<{real}>")
    after = tensor(spectrum if kind == "RFFT" else lengths, real if kind == "IRFFT" else f"complex<{real}>")
    return disc.compile(f"""func.func @main(%x: {before}) -> {after} {{
      %r = stablehlo.fft %x, type = {kind}, length = {list(lengths)} : ({before}) -> {after}
      return %r : {after}
    }}""")


def check(kind: str, real: str, lengths: tuple[int, ...], batches: list[tuple[int, int]]) -> None:
    program = fft(kind, real, lengths)
    random = np.random.default_rng(len(lengths) + lengths[-1])
    axes = tuple(range(2, 2 + len(lengths)))
    for batch in batches:
        shape = [*batch, *lengths]
        if kind == "IRFFT":
            shape[-1] = shape[-1] // 2 + 1
        x = random.standard_normal(shape)
        if kind != "RFFT":
            x = x + 1j * random.standard_normal(shape)
        x = x.astype(REAL[real] if kind == "RFFT" else COMPLEX[real])
        reference = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}[kind]
        wide = x.astype(np.complex128 if kind != "RFFT" else np.float64)
        want = reference(wide, s=lengths, axes=axes) if kind == "IRFFT" else reference(wide, axes=axes)
        got = program(x)
        assert got.shape == want.shape
        assert got.dtype == (REAL[real] if kind == "IRFFT" else COMPLEX[real])
        if want.size:
            assert np.abs(got - want).max() <= TOLERANCE[real] * np.abs(want).max(), (lengths, batch)


@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
@pytest.mark.parametrize("real", ["f32", "f64"])
def test_lengths(kind: str, real: str) -> None:
    for length in LENGTHS:
        check(kind, real, (length,), [(2, 3)])


@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
@pytest.mark.parametrize("real", ["f32", "f64"])
def test_ranks_and_batches(kind: str, real: str) -> None:
    for shape in SHAPES:
        check(kind, real, shape, [(1, 1), (0, 3), (5, 1), (3, 7)])


@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
def test_length_zero(kind: str) -> None:
    program = fft(kind, "f32", (0,))
    x = np.zeros((2, 3, 0), np.float32 if kind == "RFFT" else np.complex64)
    assert program(x).shape == (2, 3, 0)


def test_imaginary_parts_that_cannot_be_are_not_read() -> None:
    program = fft("IRFFT", "f64", (6,))
    x = np.arange(4).astype(complex)
    x.imag = [np.nan, 2, 3, np.nan]  # a product with 1j would spoil the real parts
    want = np.fft.irfft(np.arange(4) + 1j * np.array([0, 2, 3, 0]))
    np.testing.assert_allclose(program(x[None, None])[0, 0], want, rtol=1e-14, atol=1e-15)


def test_large_batch_does_not_depend_on_threads() -> None:
    text = """func.func @main(%x: tensor<?x60xcomplex<f32>>) -> tensor<?x60xcomplex<f32>> {
      %r = stablehlo.fft %x, type = FFT, length = [60] : (tensor<?x60xcomplex<f32>>) -> tensor<?x60xcomplex<f32>>
      return %r : tensor<?x60xcomplex<f32>>
    }"""
    x = np.random.default_rng(0).standard_normal((3000, 120)).astype(np.float32).view(np.complex64)
    results = [disc.compile(text, threads=threads)(x) for threads in (1, 4)]
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_allclose(results[0], np.fft.fft(x), rtol=0, atol=1e-5)


def test_dynamic_sizes_that_do_not_fit() -> None:
    program = disc.compile("""func.func @main(%x: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
      %r = stablehlo.fft %x, type = FFT, length = [8] : (tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
      return %r : tensor<?x?xcomplex<f32>>
    }""")
    x = np.ones((2, 8), np.complex64)
    np.testing.assert_allclose(program(x), np.fft.fft(x), atol=1e-6)
    with pytest.raises(ExecutionError, match="`fft` at .*: dimension 1 of `operand` is 7, expected 8"):
        program(x[:, :7])
