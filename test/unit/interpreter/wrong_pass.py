"""Turn sums of products into differences: a bug for bisect to find."""

from disc_dsl import Pass, Value, pattern, replace, rewrite
from disc_dsl.ops import dhlo


@pattern
def sum_to_difference(x: Value, y: Value, z: Value):
    """x * y + z -> x * y - z, which is wrong"""
    product = dhlo.multiply(x, y)
    root = dhlo.add(product, z)
    with rewrite(root):
        replace(root, dhlo.subtract(product, z))


PASS = Pass(on="func.func")
