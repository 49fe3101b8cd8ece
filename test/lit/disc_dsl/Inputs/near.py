"""Patterns for near misses."""

from disc_dsl import Pass, Value, either_order, pattern, replace, require, rewrite
from disc_dsl.constraints import one_use, rank, splat
from disc_dsl.ops import dhlo


@pattern
def times_two(x: Value, two: Value):
    """x * 2 -> x + x"""
    root = either_order(dhlo.multiply(x, two))
    require(splat(two, 2))
    with rewrite(root):
        replace(root, dhlo.add(x, x))


@pattern
def join_two(a: Value, b: Value):
    """abs(concatenate(a, b, 1)) -> concatenate(a, b, 1)"""
    inner = dhlo.concatenate(a, b, dimension=1)
    root = dhlo.abs(inner)
    require(one_use(inner), rank(a, 2))
    with rewrite(root):
        replace(root, dhlo.concatenate(a, b, dimension=1))


@pattern
def less(x: Value, y: Value):
    """not(x < y) -> x >= y"""
    test = dhlo.compare(x, y, comparison_direction="LT")
    root = dhlo.not_(test)
    with rewrite(root):
        replace(root, dhlo.compare(x, y, comparison_direction="GE"))


PASS = Pass(on="func.func")
