"""Compiler passes written in Python: patterns become PDLL, passes and pipelines become C++ registration."""

from .apply import apply
from .errors import DslError
from .handles import Attr, Number, Op, Type, Types, Value, Values
from .language import absent, default, either_order, erase, replace, require, rewrite
from .native import constraint, native_rewrite
from .passes import Pass, option
from .patterns import legal, pattern
from .pipeline import Phase, step, upstream
from .trace import types_of

__all__ = [
    "Attr", "DslError", "Number", "Op", "Pass", "Phase", "Type", "Types", "Value", "Values", "absent", "apply",
    "constraint", "default", "either_order", "erase", "legal", "native_rewrite", "option", "pattern", "replace",
    "require", "rewrite", "step", "types_of", "upstream",
]  # fmt: skip
