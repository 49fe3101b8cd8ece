"""Special functions of CHLO in f64, from their textbook series (Abramowitz and Stegun, chapters 6, 7, 9, 23)."""

from __future__ import annotations

import math

from .core import Call, op
from .elementwise import arithmetic
from .functions import each

# Bernoulli numbers B2, B4, ... over (2k)!: Euler-Maclaurin's coefficients.
_BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330]


def _lgamma(x: float) -> float:
    if math.isinf(x):
        return math.inf
    try:
        return math.lgamma(x)
    except ValueError:
        return math.inf


def _digamma(x: float) -> float:
    """Recurrence up to 10, then ln x - 1/2x - sum B2k / (2k x^2k); reflection below 0; NaN at poles (6.3)."""
    if math.isnan(x) or x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.nan
    if x < 0:
        return _digamma(1.0 - x) - math.pi / math.tan(math.pi * math.fmod(x, 1.0))
    if math.isinf(x):
        return x
    total = 0.0
    while x < 10:
        total -= 1.0 / x
        x += 1.0
    series = sum(b / (2 * k * x ** (2 * k)) for k, b in enumerate(_BERNOULLI[:8], 1))
    return total + math.log(x) - 0.5 / x - series


def _zeta(s: float, q: float) -> float:
    """Hurwitz zeta by Euler-Maclaurin (23.2): N terms, the tail's integral and corrections."""
    if math.isnan(s) or math.isnan(q) or s < 1:
        return math.nan
    if s == 1:
        return math.inf
    if q <= 0:
        if q == math.floor(q):
            return math.inf if s == math.floor(s) and math.fmod(s, 2) == 0 else math.nan
        if s != math.floor(s):
            return math.nan
    if math.isinf(s):
        return 1.0 if q == 1 else (0.0 if q > 1 else math.inf)
    try:
        total, n = 0.0, 0
        while n < 12 or q + n < 12:
            total += (q + n) ** -s
            n += 1
        a = q + n
        total += a ** (1 - s) / (s - 1) + 0.5 * a**-s
        rising = s
        for k, b in enumerate(_BERNOULLI, 1):
            total += b / math.factorial(2 * k) * rising * a ** (-s - 2 * k + 1)
            rising *= (s + 2 * k - 1) * (s + 2 * k)
        return total
    except OverflowError:
        return math.inf


def _polygamma(n: float, x: float) -> float:
    """(-1)^(n+1) n! zeta(n + 1, x) (6.4.10); order 0 is digamma; other orders are NaN."""
    if math.isnan(n) or math.isnan(x) or n < 0 or n != math.floor(n):
        return math.nan
    if n == 0:
        return _digamma(x)
    try:
        return (1.0 if n % 2 else -1.0) * math.gamma(n + 1) * _zeta(n + 1, x)
    except OverflowError:
        return math.inf if n % 2 else -math.inf


def _erf_inv(y: float) -> float:
    """Newton's method on erfc's logarithm, from sqrt(-ln(1 - y^2)) downwards."""
    if math.isnan(y) or abs(y) > 1:
        return math.nan
    if abs(y) == 1:
        return math.copysign(math.inf, y)
    if abs(y) < 1e-8:
        return y * math.sqrt(math.pi) / 2
    target, x = abs(y), min(5.8, math.sqrt(-math.log1p(-abs(y)) + 1e-300))
    for _ in range(60):
        # 1 - |y| is exact for |y| >= 1/2, and there the tail is what keeps its digits.
        error = math.erf(x) - target if target < 0.5 else (1.0 - target) - math.erfc(x)
        step = error * math.sqrt(math.pi) / 2 * math.exp(x * x)
        x -= max(-0.5, min(0.5, step))
        if abs(step) < 1e-17 * abs(x):
            break
    return math.copysign(x, y)


def _bessel_i1e(x: float) -> float:
    """exp(-|x|) I1(x): the power series (9.6.10), all terms positive; from 30 on the asymptotic one (9.7.1)."""
    a = abs(x)
    if math.isnan(x):
        return x
    if a < 30:
        term, total, k = a / 2, 0.0, 0
        while total + term != total:
            total += term
            k += 1
            term *= (a / 2) ** 2 / (k * (k + 1))
        return math.copysign(total * math.exp(-a), x)
    if math.isinf(a):
        return math.copysign(0.0, x)
    term, total = 1.0, 0.0
    for k in range(1, 30):
        total += term
        term *= -(4.0 - (2 * k - 1) ** 2) / (k * 8.0 * a)
    return math.copysign(total / math.sqrt(2 * math.pi * a), x)


_FUNCTIONS = {"lgamma": _lgamma, "digamma": _digamma, "zeta": _zeta, "polygamma": _polygamma}
_FUNCTIONS |= {"erf_inv": _erf_inv, "bessel_i1e": _bessel_i1e}


def _register(name: str, function) -> None:
    @op(f"dhlo.{name}", elementwise=True)
    def special(c: Call, *xs):
        return arithmetic(c, lambda *values: each(function, *values), *xs)


for _name, _function in _FUNCTIONS.items():
    _register(_name, _function)
