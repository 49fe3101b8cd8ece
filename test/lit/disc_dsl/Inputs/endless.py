"""Two patterns that undo each other."""

from disc_dsl import Pass, Value, pattern, replace, rewrite
from disc_dsl.ops import dhlo


@pattern
def there(x: Value, y: Value):
    """maximum(x, y) -> minimum(x, y)"""
    root = dhlo.maximum(x, y)
    with rewrite(root):
        replace(root, dhlo.minimum(x, y))


@pattern
def back(x: Value, y: Value):
    """minimum(x, y) -> maximum(x, y)"""
    root = dhlo.minimum(x, y)
    with rewrite(root):
        replace(root, dhlo.maximum(x, y))


PASS = Pass(on="func.func")
