"""Fold arithmetic identities."""

from disc_dsl import Pass, Value, either_order, pattern, replace, require, rewrite
from disc_dsl.constraints import is_float, is_int, same_type, splat
from disc_dsl.ops import dhlo


@pattern
def add_negative_zero(x: Value, zero: Value):
    """x + -0.0 -> x; the only float identity of +: 0.0 would turn -0.0 into 0.0"""
    root = either_order(dhlo.add(x, zero))
    require(is_float(x), splat(zero, -0.0), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern
def add_zero(x: Value, zero: Value):
    """x + 0 -> x for integers

    before:
        func.func @f(%x: tensor<?xi32>, %n: tensor<1xindex>) -> tensor<?xi32> {
          %c = dhlo.constant dense<0> : tensor<i32>
          %zero = dhlo.dynamic_broadcast_in_dim %c, %n, dims = [] : (tensor<i32>, tensor<1xindex>) -> tensor<?xi32>
          %r = dhlo.add %zero, %x : tensor<?xi32>
          return %r : tensor<?xi32>
        }
    after:
        func.func @f(%x: tensor<?xi32>, %n: tensor<1xindex>) -> tensor<?xi32> {
          return %x : tensor<?xi32>
        }
    """
    root = either_order(dhlo.add(x, zero))
    require(is_int(x), splat(zero, 0), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern
def subtract_zero(x: Value, zero: Value):
    """x - 0 -> x; holds for -0.0 too: -0.0 - 0.0 is -0.0"""
    root = dhlo.subtract(x, zero)
    require(splat(zero, 0), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern
def multiply_one(x: Value, one: Value):
    """x * 1 -> x"""
    root = either_order(dhlo.multiply(x, one))
    require(splat(one, 1), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern
def divide_one(x: Value, one: Value):
    """x / 1 -> x"""
    root = dhlo.divide(x, one)
    require(splat(one, 1), same_type(x, root))
    with rewrite(root):
        replace(root, x)


@pattern
def multiply_zero(x: Value, zero: Value):
    """x * 0 -> 0 for integers; a float x may be NaN or infinite"""
    root = either_order(dhlo.multiply(x, zero))
    require(is_int(x), splat(zero, 0), same_type(zero, root))
    with rewrite(root):
        replace(root, zero)


@pattern
def power_one(x: Value, one: Value):
    """x ** 1 -> x"""
    root = dhlo.power(x, one)
    require(splat(one, 1), same_type(x, root))
    with rewrite(root):
        replace(root, x)


def involution(maker):
    """f(f(x)) -> x"""

    @pattern(name=f"{maker.mnemonic}_twice", doc=f"{maker.mnemonic}({maker.mnemonic}(x)) -> x")
    def twice(x: Value):
        root = maker(maker(x))
        require(same_type(x, root))
        with rewrite(root):
            replace(root, x)

    return twice


INVOLUTIONS = [involution(maker) for maker in (dhlo.negate, dhlo.not_)]


def idempotent(maker):
    """f(f(x)) -> f(x)"""

    @pattern(name=f"{maker.mnemonic}_again", doc=f"{maker.mnemonic}({maker.mnemonic}(x)) -> {maker.mnemonic}(x)")
    def again(x: Value):
        inner = maker(x)
        root = maker(inner)
        require(same_type(inner, root))
        with rewrite(root):
            replace(root, inner)

    return again


IDEMPOTENTS = [idempotent(maker) for maker in (dhlo.abs, dhlo.floor, dhlo.ceil, dhlo.sign)]


PASS = Pass(on="func.func")
