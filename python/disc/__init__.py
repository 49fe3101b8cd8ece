"""DISC: compiles a machine-learning model once and runs it at every shape.

    import disc
    fast = disc.compile(model, (ids, mask), dynamic_shapes=({0: b, 1: s}, {0: b, 1: s}))
    fast(ids, mask)
"""

from .api import Compiled, compile, compile_count, cross_compile, load
from .dims import Dim
from .errors import CompileError, DiscError, ExecutionError
from .report import Report

__all__ = [
    "Compiled",
    "CompileError",
    "Dim",
    "DiscError",
    "ExecutionError",
    "Report",
    "compile",
    "compile_count",
    "cross_compile",
    "load",
]
