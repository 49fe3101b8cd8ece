"""Express negate by subtract; abs has no pattern."""

from disc_dsl import Pass, Value, pattern, replace, rewrite
from disc_dsl.ops import dhlo


@pattern
def negate(x: Value):
    """-x -> (x - x) - x"""
    root = dhlo.negate(x)
    with rewrite(root):
        replace(root, dhlo.subtract(dhlo.subtract(x, x), x))


PASS = Pass(driver="conversion", illegal=["dhlo.negate", "dhlo.abs"])
