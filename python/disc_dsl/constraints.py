"""Constraints and small rewrites that every pass may use; their C++ is passes/natives/Constraints.cpp.

A body is the Python twin: it takes MLIR's Python objects and serves where patterns run through MLIR's bindings.
"""
# mypy: disable-error-code="attr-defined,no-any-return,call-overload,arg-type,empty-body"

from __future__ import annotations

import math
from typing import Any

from .handles import Attr, Number, Op, Type, Value, Values
from .native import constraint, native_rewrite


def _element(value: Any) -> Any:
    """The element type of a value of MLIR's Python bindings, or its type."""
    return getattr(value.type, "element_type", value.type)


def _held(value: Any) -> Any:
    """The attribute of the constant that defines a value; None for others."""
    op = value.owner
    return op.attributes["value"] if getattr(op, "name", "").endswith(".constant") else None


@constraint(cpp="disc::oneUse")
def one_use(op: Op) -> bool:
    """the op's results have exactly one use in all"""
    return sum(len(list(r.uses)) for r in op.results) == 1


@constraint(cpp="disc::hasRank")
def rank(value: Value, n: int) -> bool:
    """the value is a ranked tensor of the given rank"""
    return value.type.rank == n


_REPEATING = {f"dhlo.{name}" for name in ("broadcast_in_dim", "dynamic_broadcast_in_dim", "reshape", "dynamic_reshape")}


def _repeated(value: Any) -> Any:
    """What a value repeats: with dynamic sizes a splat is a broadcast constant."""
    while getattr(value.owner, "name", "") in _REPEATING:
        value = value.owner.operands[0]
    return value


@constraint(cpp="disc::isSplat")
def splat(value: Value, number: Number) -> bool:
    """the value is a constant, or one broadcast, whose elements all equal the number (0.0 and -0.0 differ)"""
    held = _held(_repeated(value))
    if held is None or not getattr(held, "is_splat", True):
        return False
    number_held = held.get_splat_value().value if hasattr(held, "is_splat") else held.value
    return number_held == number and math.copysign(1, number_held) == math.copysign(1, number)


@constraint(cpp="disc::isConstant")
def constant(value: Value) -> bool:
    """the value is a constant"""
    return _held(value) is not None


@constraint(cpp="disc::isStaticShape")
def static_shape(value: Value) -> bool:
    """every size of the value is known at compile time"""
    return value.type.has_static_shape


@constraint(cpp="disc::sameType")
def same_type(a: Value, b: Value) -> bool:
    """the two values have the same type"""
    return a.type == b.type


@constraint(cpp="disc::sameShape")
def same_shape(a: Value, b: Value) -> bool:
    """the two values have the same sizes, all known or the same SSA value"""


@constraint(cpp="disc::sameElementType")
def same_element_type(a: Value, b: Value) -> bool:
    """the two values have the same element type"""
    return _element(a) == _element(b)


@constraint(cpp="disc::hasDimOne")
def has_dim_one(value: Value) -> bool:
    """some size of the value is known to be 1"""
    return 1 in value.type.shape


@constraint(cpp="disc::isFloat")
def is_float(value: Value) -> bool:
    """the elements are floating-point numbers"""
    return str(_element(value)).startswith(("f", "bf"))


@constraint(cpp="disc::isInt")
def is_int(value: Value) -> bool:
    """the elements are integers"""
    return str(_element(value)).lstrip("su").startswith("i")


@constraint(cpp="disc::isElementType")
def element_type(value: Value, name: str) -> bool:
    """the element type is spelled so"""
    return str(_element(value)) == name


@constraint(cpp="disc::hasType")
def is_type(value: Value, type: Type) -> bool:
    """the value has the given type"""
    return value.type == type


@constraint(cpp="disc::isIdentityList")
def iota_list(values: Attr) -> bool:
    """the list of numbers is 0, 1, 2, ..."""
    return list(values) == list(range(len(values)))


@constraint(cpp="disc::sameAttr")
def same_attr(a: Attr, b: Attr) -> bool:
    """the two attributes are equal"""
    return a == b


@constraint(cpp="disc::hasOneElement")
def one_element(value: Value) -> bool:
    """the value has exactly one element"""
    return value.type.has_static_shape and math.prod(value.type.shape) == 1


@constraint(cpp="disc::attrAbsent")
def attr_absent(op: Op, name: str) -> bool:
    """the optional attribute is not there"""
    return name not in op.attributes


@constraint(cpp="disc::noValues")
def no_values(values: Values) -> bool:
    """the optional operand is not there"""
    return len(values) == 0


@constraint(cpp="disc::isSet")
def is_set(option: bool) -> bool:
    """the option of the pass is true"""
    return option


@constraint(cpp="disc::independent")
def independent(root: Op, other: Op) -> bool:
    """the two ops are distinct, in one block, and `other` can move to where `root` is"""


@native_rewrite(cpp="disc::attrOr")
def attr_or(op: Op, name: str, otherwise: Attr) -> Attr:
    """the attribute of the op, or `otherwise` where it is not there"""
    return op.attributes.get(name, otherwise)


@constraint(cpp="disc::isAttr")
def is_attr(attr: Attr, text: str) -> bool:
    """the attribute is spelled so"""
    return str(attr) == text


@native_rewrite(cpp="disc::parseAttr")
def parse_attr(text: str) -> Attr:
    """the attribute that is spelled so"""
