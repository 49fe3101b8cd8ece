"""Constructs of the language on real ops."""

from disc_dsl import (
    Attr,
    Pass,
    Value,
    Values,
    absent,
    default,
    pattern,
    replace,
    require,
    rewrite,
)
from disc_dsl.constraints import iota_list, static_shape
from disc_dsl.ops import dhlo


@pattern(benefit=3)
def swap_two(a: Value, b: Value, dim: Attr):
    """concatenate(a, b) -> concatenate(b, a): exactly two"""
    root = dhlo.concatenate(a, b, dimension=dim)
    with rewrite(root):
        replace(root, dhlo.concatenate(b, a, dimension=dim))


@pattern
def lift_many(xs: Values):
    """negate(concatenate(...)) -> concatenate(...): any number"""
    inner = dhlo.concatenate(xs, dimension=0)
    root = dhlo.negate(inner)
    require(~static_shape(root))
    with rewrite(root):
        replace(root, dhlo.concatenate(xs, dimension=inner.dimension))


@pattern
def compare_flipped(x: Value, y: Value):
    """x < y -> y > x: attributes of a dialect, an optional one"""
    root = dhlo.compare(x, y, comparison_direction="LT")
    require(absent(root.compare_type))
    with rewrite(root):
        kind = default(root.compare_type, "FLOAT")
        replace(root, dhlo.compare(y, x, comparison_direction="GT", compare_type=kind))


@pattern
def largest(x: Value):
    """convert(indices of top_k(x, 1)) -> convert(its values): several results"""
    values, indices = dhlo.top_k(x, k=1)
    root = dhlo.convert(indices)
    with rewrite(root):
        replace(root, dhlo.convert(values))


@pattern
def transpose_nothing(x: Value):
    """transpose(x, [0, 1, ...]) -> abs(x)"""
    root = dhlo.transpose(x)
    require(iota_list(root.permutation))
    with rewrite(root):
        replace(root, dhlo.abs(x))


PASS = Pass(driver="walk")
