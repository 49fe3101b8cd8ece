"""Compiler passes written in Python: patterns become PDLL, passes and pipelines become C++ registration."""

from .errors import DslError
from .handles import Attr, Number, Op, Type, Types, Value, Values
from .native import constraint, native_rewrite
from .passes import Pass, option
from .pipeline import Phase, step, upstream
from .trace import absent, default, either_order, erase, pattern, replace, require, rewrite, types_of

__all__ = [
    "Attr", "DslError", "Number", "Op", "Pass", "Phase", "Type", "Types", "Value", "Values", "absent", "constraint", "default",
    "either_order", "erase", "native_rewrite", "option", "pattern", "replace", "require", "rewrite", "step", "types_of", "upstream",
]  # fmt: skip
