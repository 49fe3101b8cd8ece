"""Compute f64 in f32; exponentials of vectors stay."""

from disc_dsl import Pass, Value, legal, pattern, replace, require, rewrite
from disc_dsl.constraints import rank
from disc_dsl.ops import dhlo


def narrow(maker):
    @pattern(name=f"narrow_{maker.mnemonic}", doc=f"{maker.mnemonic} of f64 -> of f32")
    def same(x: Value, y: Value):
        root = maker(x, y)
        with rewrite(root):
            replace(root, maker(x, y))

    return same


NARROW = [narrow(maker) for maker in (dhlo.add, dhlo.multiply)]


@pattern
def exponential(x: Value):
    """exp(x) -> tanh(x)"""
    root = dhlo.exponential(x)
    with rewrite(root):
        replace(root, dhlo.tanh(x))


@legal
def vectors(x: Value):
    """exp of a vector"""
    dhlo.exponential(x)
    require(rank(x, 1))


PASS = Pass(on="module", driver="conversion", types={"f64": "f32"})
