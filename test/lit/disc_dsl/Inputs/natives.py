"""A native that disc-opt lacks, and one that it has in another form."""

from disc_dsl import Pass, Value, constraint, pattern, replace, require, rewrite
from disc_dsl.ops import dhlo


@constraint(cpp="vendor::likes")
def likes(x: Value, n: int) -> bool:
    """the vendor likes it"""


@constraint(cpp="disc::hasRank")
def rank(x: Value, n: str) -> bool:
    """a rank"""


@pattern
def liked(x: Value):
    """-x -> abs(x)"""
    root = dhlo.negate(x)
    require(likes(x, 1), rank(x, "one"))
    with rewrite(root):
        replace(root, dhlo.abs(x))


PASS = Pass()
