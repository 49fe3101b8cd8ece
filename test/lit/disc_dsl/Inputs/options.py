"""Patterns that read options of the pass."""

from dataclasses import dataclass

from disc_dsl import Pass, Value, option, pattern, replace, require, rewrite
from disc_dsl.constraints import rank, splat
from disc_dsl.ops import dhlo


@dataclass(frozen=True)
class Options:
    max_rank: int = option(2, help="the rank of what is dropped")
    number: float = option(1.0, help="the factor that is dropped")
    exact: bool = option(False, help="keep logarithms")
    dim: int = option(0, help="the dimension to concatenate")


@pattern
def drop_factor(x: Value, one: Value, options: Options):
    """x * number -> x"""
    root = dhlo.multiply(x, one)
    require(splat(one, options.number), rank(x, options.max_rank))
    with rewrite(root):
        replace(root, x)


@pattern
def drop_log(x: Value, options: Options):
    """log(x) -> x"""
    root = dhlo.log(x)
    require(~options.exact)
    with rewrite(root):
        replace(root, x)


@pattern
def along(x: Value, y: Value, options: Options):
    """concatenate(x, y) -> concatenate(y, x), along dim"""
    root = dhlo.concatenate(x, y, dimension=options.dim)
    with rewrite(root):
        replace(root, dhlo.concatenate(y, x, dimension=options.dim))


PASS = Pass(on="func.func", driver="walk", options=Options)
