"""Every construct of the language once."""

from disc_dsl import (
    Attr,
    Pass,
    Value,
    Values,
    absent,
    constraint,
    default,
    either_order,
    erase,
    native_rewrite,
    pattern,
    replace,
    require,
    rewrite,
    types_of,
)  # fmt: skip
from disc_dsl.constraints import iota_list, one_use, rank, splat
from disc_dsl.ops import dhlo, lmhlo_disc


@constraint(cpp="user::sizes")
def sizes(x: Value) -> Attr:
    """the value has sizes"""


@native_rewrite(cpp="user::widen")
def widen(x: Value, by: float, order: list[int]) -> tuple[Value, Attr]:
    """`x` widened"""


@pattern(benefit=10)
def linear(x: Value, w: Value, bias: Value, out: Value):
    """x * w + bias -> one library call"""
    product = dhlo.multiply(x, w)
    root = either_order(dhlo.add(product, bias))
    require(one_use(product), rank(bias, 1), ~splat(bias, 0.5))
    same = dhlo.linear(x, out, transpose=True)
    require(one_use(same))
    with rewrite(root, same):
        call = lmhlo_disc.library_call([x, w, bias], [out], target="linear", ints=[1, 0], results=types_of(root))
        replace(root, call)
        replace(same, dhlo.not_(x, results=types_of(same)))


@pattern
def top(x: Value, rest: Values):
    """a computed match, results of several kinds"""
    values, indices = dhlo.top_k(x, k=1)
    root = dhlo.compare(values, indices, comparison_direction="EQ")
    shape = sizes(x)
    require(iota_list(shape))
    other = dhlo.concatenate(rest, dimension=2)
    top_compare = dhlo.linear(root, other, transpose=False)
    require(absent(top_compare.bias), absent(top_compare.config))
    with rewrite(top_compare):
        wide, order = widen(x, 2, [0, 1])
        moved = dhlo.transpose(wide, permutation=order, results=types_of(x))
        flag = dhlo.compare(moved, wide, comparison_direction=root.comparison_direction, results=types_of(root))
        erase(root)
        replace(top_compare, dhlo.linear(flag, moved, config=default(top_compare.config, "x"), transpose=True))


def doubled(maker):
    @pattern(name=f"{maker.mnemonic}_self", doc=f"{maker.mnemonic}(x, x) -> x")
    def same(x: Value):
        root = maker(x, x)
        with rewrite(root):
            replace(root, x)

    return same


DOUBLED = [doubled(m) for m in (dhlo.add, dhlo.multiply)]

PASS = Pass(on="func.func")
