"""Minimax polynomials for passes/cpu/scalar: weighted least squares with Lawson's reweighting, in mpmath.

`fit(f, powers, lo, hi, weight)` makes max |weight(x) * (f(x) - sum c[k] * x**powers[k])| over [lo, hi] small. Coefficients are rounded to
the working type one after the other, lowest first, and the others are fitted again around them, so that rounding costs little.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import mpmath as mp

mp.mp.dps = 50
Fn = Callable[[mp.mpf], mp.mpf]


def to_f32(x: mp.mpf) -> mp.mpf:
    """x rounded to the nearest float (through double: harmless for coefficients)."""
    return mp.mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_f64(x: mp.mpf) -> mp.mpf:
    """x rounded to the nearest double."""
    return mp.mpf(float(x))


def lawson(rows: list[list[mp.mpf]], rhs: list[mp.mpf], steps: int) -> tuple[list[mp.mpf], mp.mpf]:
    """The weighted solution of rows * c = rhs with the smallest maximal error among `steps` reweightings."""
    n = len(rows[0])
    share = [mp.mpf(1) / len(rows)] * len(rows)
    best: tuple[list[mp.mpf], mp.mpf] = ([], mp.inf)
    for _ in range(steps):
        a = mp.matrix(n, n)
        y = mp.matrix(n, 1)
        for row, value, w in zip(rows, rhs, share, strict=True):
            for i in range(n):
                wr = w * row[i]
                y[i] += wr * value
                for j in range(i, n):
                    a[i, j] += wr * row[j]
        for i in range(n):
            for j in range(i):
                a[i, j] = a[j, i]
        c = list(mp.lu_solve(a, y))
        errors = [abs(v - sum(k * r for k, r in zip(c, row, strict=True))) for row, v in zip(rows, rhs, strict=True)]
        worst = max(errors)
        if worst < best[1]:
            best = (c, worst)
        share = [w * e for w, e in zip(share, errors, strict=True)]
        total = sum(share)
        if total == 0:
            break
        share = [w / total for w in share]
    return best


def fit(
    f: Fn,
    powers: Sequence[int],
    lo: float,
    hi: float,
    weight: Fn = lambda _: mp.mpf(1),
    rounding: Callable[[mp.mpf], mp.mpf] = to_f32,
    steps: int = 12,
) -> tuple[list[float], float]:
    """Rounded coefficients, in the order of `powers`, and the largest weighted error of the approximation they give."""
    count = 10 * len(powers)
    middle, half = (mp.mpf(lo) + mp.mpf(hi)) / 2, (mp.mpf(hi) - mp.mpf(lo)) / 2
    nodes = [middle + half * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    weights = [weight(x) for x in nodes]
    rows = [[w * x**p for p in powers] for w, x in zip(weights, nodes, strict=True)]
    rhs = [w * f(x) for w, x in zip(weights, nodes, strict=True)]
    known: list[mp.mpf] = []
    for _ in powers:
        k = len(known)
        rest = [v - sum(c * r for c, r in zip(known, row[:k], strict=True)) for v, row in zip(rhs, rows, strict=True)]
        c, _ = lawson([row[k:] for row in rows], rest, steps)
        known.append(rounding(c[0]))
    error = max(abs(v - sum(c * r for c, r in zip(known, row, strict=True))) for v, row in zip(rhs, rows, strict=True))
    return [float(c) for c in known], float(error)
