"""Patterns for near misses."""

from disc_dsl import Pass, Value, either_order, pattern, replace, require, rewrite, types_of
from disc_dsl.constraints import is_float, one_use, rank, splat
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


@pattern
def beside(x: Value, a: Value, b: Value):
    """x + concatenate(a, b, 1) -> concatenate(a, b, 1) + x: an attribute, in either order"""
    inner = dhlo.concatenate(a, b, dimension=1)
    root = either_order(dhlo.add(x, inner))
    with rewrite(root):
        replace(root, dhlo.add(inner, x))


@pattern
def signed(x: Value):
    """abs(x) * x -> x * abs(x): a handle used twice"""
    size = dhlo.abs(x)
    root = either_order(dhlo.multiply(size, x))
    with rewrite(root):
        replace(root, dhlo.multiply(x, size))


@pattern
def second(x: Value):
    """convert(indices of top_k(x, 1)) -> convert(its values): which result"""
    values, indices = dhlo.top_k(x, k=1)
    root = dhlo.convert(indices)
    with rewrite(root):
        replace(root, dhlo.convert(values, results=types_of(root)))


@pattern
def same_types(x: Value, y: Value):
    """abs(convert(x) to the type of y + y) -> y: a type that another op binds"""
    inner = dhlo.convert(x, results=types_of(y))
    total = dhlo.add(inner, y)
    root = dhlo.abs(total)
    require(is_float(x), one_use(inner))
    with rewrite(root):
        replace(root, y)


PASS = Pass(on="func.func")
