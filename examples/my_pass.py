"""Fold x * 1; send add and tanh to one library call."""

from disc_dsl import Attr, Pass, Value, either_order, pattern, replace, require, rewrite, types_of
from disc_dsl.constraints import one_use, same_type, splat
from disc_dsl.ops import dhlo


@pattern
def times_one(x: Value, one: Value):
    """x * 1 -> x"""
    root = either_order(dhlo.multiply(x, one))
    require(splat(one, 1), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern(benefit=2)
def add_tanh(x: Value, y: Value):
    """tanh(x + y) -> one library call"""
    total = dhlo.add(x, y)
    root = dhlo.tanh(total)
    require(one_use(total), ~splat(y, 0))
    with rewrite(root):
        library = {"disc.library": Attr("unit")}  # the runtime finds the function by its name
        call = dhlo.custom_call(x, y, call_target_name="vendor.add_tanh", **library, results=types_of(root))
        replace(root, call)


PASS = Pass(on="func.func")
