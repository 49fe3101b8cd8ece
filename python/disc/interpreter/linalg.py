"""Linear algebra, Fourier transforms, random bits (StableHLO specification: cholesky, fft, rng, ...)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .core import Call, op
from .numerics import round_to, wide
from .random import philox, threefry
from .shapes import sizes
from .types import kind


def cholesky(a: np.ndarray, lower: bool) -> np.ndarray:
    """Reads one triangle, the other one of the result is 0; NaN where a is not positive definite."""
    x = wide(a)
    out = np.zeros_like(x)
    for at in np.ndindex(a.shape[:-2]):
        m = np.tril(x[at]) if lower else np.tril(np.conj(x[at].T))
        n = m.shape[0]
        f = np.zeros_like(m)
        for j in range(n):
            pivot = (m[j, j] - (f[j, :j] * np.conj(f[j, :j])).sum()).real
            f[j, j] = np.sqrt(pivot) if pivot > 0 else np.nan
            for i in range(j + 1, n):
                f[i, j] = (m[i, j] - (f[i, :j] * np.conj(f[j, :j])).sum()) / f[j, j]
        out[at] = f if lower else np.conj(f.T)
    return out


@op("dhlo.cholesky")
def cholesky_(c: Call, a):
    return round_to(cholesky(a, c.value("lower", False)), c.dtype())


def triangular_solve(a: np.ndarray, b: np.ndarray, left: bool, lower: bool, unit: bool, how: str) -> np.ndarray:
    """op(a) x = b, or x op(a) = b; by substitution, on one triangle of a."""
    out = np.empty(b.shape, wide(b).dtype)
    for at in np.ndindex(b.shape[:-2]):
        m = np.tril(wide(a[at])) if lower else np.triu(wide(a[at]))
        if unit:
            np.fill_diagonal(m, 1)
        m = {"TRANSPOSE": m.T, "ADJOINT": np.conj(m.T)}.get(how, m)
        is_lower = lower == (how not in ("TRANSPOSE", "ADJOINT"))
        rhs = wide(b[at])
        if not left:
            m, rhs, is_lower = m.T, rhs.T, not is_lower
        x, n = np.zeros_like(rhs), m.shape[0]
        for i in range(n) if is_lower else range(n - 1, -1, -1):
            x[i] = (rhs[i] - m[i] @ x) / m[i, i]
        out[at] = x if left else x.T
    return out


@op("dhlo.triangular_solve")
def triangular_solve_(c: Call, a, b):
    flags = [c.value(name) for name in ("left_side", "lower", "unit_diagonal")]
    return round_to(triangular_solve(a, b, *flags, c.word("transpose_a")), c.dtype())


def fft(x: np.ndarray, inverse: bool, length: Sequence[int], shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Over the last dimensions; real input gives, and real output takes, the first half of the spectrum."""
    if 0 in shape or 0 in x.shape:
        return np.zeros(shape, dtype)
    axes = list(range(x.ndim - len(length), x.ndim))
    if kind(dtype) == "f":
        function = np.fft.irfftn
    elif kind(x.dtype) == "f":
        function = np.fft.rfftn
    else:
        function = np.fft.ifftn if inverse else np.fft.fftn
    return function(wide(x), length, axes).astype(dtype)


@op("dhlo.fft")
def fft_(c: Call, x):
    inverse = c.word("fft_type") in ("IFFT", "IRFFT")
    shape = [n if t is None else t for n, t in zip(x.shape, c.types[0].shape)]
    return fft(x, inverse, c.ints("fft_length"), shape, c.dtype())


@op("dhlo.rng")
def rng(c: Call, a, b, shape):
    """Any numbers of the distribution: the specification leaves the algorithm open."""
    generator, dims, dtype = np.random.default_rng(0), sizes(c, shape), c.dtype()
    if c.word("rng_distribution") == "NORMAL":
        return round_to(generator.normal(float(a), max(float(b), 0.0), dims), dtype)
    if kind(dtype) == "f":
        return round_to(float(a) + (float(b) - float(a)) * generator.random(dims), dtype)
    return generator.integers(int(a), max(int(b), int(a) + 1), dims).astype(dtype)


@op("dhlo.rng_bit_generator")
def rng_bit_generator(c: Call, state):
    """XLA's bits. DEFAULT is Philox; Threefry's two words are neighbours in the first even or the largest dimension."""
    how, dtype, shape = c.word("rng_algorithm"), c.dtype(1), tuple(c.shape(result=1))
    wide = dtype.itemsize == 8
    count = int(np.prod(shape, dtype=np.int64))
    if how == "THREE_FRY" and not wide:
        dim = next((d for d, n in enumerate(shape) if n % 2 == 0), int(np.argmax(shape)) if shape else 0)
        whole = shape or (1,)
        half = (*whole[:dim], (whole[dim] + 1) // 2, *whole[dim + 1 :])
        new_state, stream = threefry(state, 2 * int(np.prod(half, dtype=np.int64)))
        pairs = np.moveaxis(stream.reshape(*half, 2), -1, dim + 1)
        stream = pairs.reshape(*half[:dim], 2 * half[dim], *half[dim + 1 :]).take(range(whole[dim]), dim)
    else:
        new_state, stream = (threefry if how == "THREE_FRY" else philox)(state, count * (2 if wide else 1))
    if wide:
        stream = stream[0::2].astype(np.uint64) | stream[1::2].astype(np.uint64) << np.uint64(32)
    raw = np.ascontiguousarray(stream.astype(f"u{dtype.itemsize}"))
    return [new_state, raw.view(dtype).reshape(shape)]
