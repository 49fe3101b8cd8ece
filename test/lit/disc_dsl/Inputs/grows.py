"""A pattern that applies to what it makes."""

from disc_dsl import Pass, Value, pattern, replace, rewrite, types_of
from disc_dsl.ops import dhlo


@pattern
def wrap(x: Value, y: Value):
    """maximum(x, y) -> maximum(maximum(x, y), y)"""
    root = dhlo.maximum(x, y)
    with rewrite(root):
        replace(root, dhlo.maximum(dhlo.maximum(x, y, results=types_of(root)), y))


PASS = Pass(on="func.func")
