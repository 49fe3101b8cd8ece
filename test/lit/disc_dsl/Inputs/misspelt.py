"""An op's name is misspelt."""

from disc_dsl import Pass, Value, pattern, replace, rewrite
from disc_dsl.ops import dhlo


@pattern
def times_one(x: Value, one: Value):
    """x * 1 -> x"""
    root = dhlo.multipy(x, one)
    with rewrite(root):
        replace(root, x)


PASS = Pass(on="func.func")
