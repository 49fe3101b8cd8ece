"""A pattern that replaces two ops."""

from disc_dsl import Pass, Value, pattern, replace, require, rewrite, types_of
from disc_dsl.constraints import one_use
from disc_dsl.ops import dhlo


@pattern
def two_roots(x: Value):
    """exp(x), log(x) -> tanh(x), tanh(x)"""
    first = dhlo.exponential(x)
    second = dhlo.log(x)
    require(one_use(first), one_use(second))
    with rewrite(first, second):
        new = dhlo.tanh(x, results=types_of(first))
        replace(first, new)
        replace(second, new)


@pattern
def two_floors(x: Value):
    """floor(x), floor(x) -> ceil(x), twice"""
    first = dhlo.floor(x)
    second = dhlo.floor(x)
    with rewrite(first, second):
        new = dhlo.ceil(x, results=types_of(first))
        replace(first, new)
        replace(second, new)


@pattern
def chained(x: Value):
    """sqrt(x), x + sqrt(x) -> rsqrt(x), twice: never, one feeds the other"""
    first = dhlo.sqrt(x)
    second = dhlo.add(x, first)
    with rewrite(first, second):
        new = dhlo.rsqrt(x, results=types_of(first))
        replace(first, new)
        replace(second, new)


PASS = Pass(on="func.func")
