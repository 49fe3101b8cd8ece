"""A pass whose file is called like one of MLIR's."""

from disc_dsl import Pass, Value, pattern, replace, rewrite
from disc_dsl.ops import dhlo


@pattern
def twice(x: Value):
    """-(-x) -> x"""
    root = dhlo.negate(dhlo.negate(x))
    with rewrite(root):
        replace(root, x)


PASS = Pass(on="func.func")
