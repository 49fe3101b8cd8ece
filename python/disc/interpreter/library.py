"""RAL's library functions by name, as `ral/kernels/Kernels.h` says: inputs and integers in, outputs out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from .contractions import Layout, Window, convolve, operand, rounded
from .core import Call, CheckFailed, op
from .linalg import cholesky, fft, triangular_solve
from .numerics import round_to
from .reductions import dynamic_reduce_window

LIBRARY: dict[str, Callable] = {}


def library(name: str) -> Callable:
    """Registers `function(ins, ints, shapes, dtypes)` with the shapes and element types of the outputs."""

    def register(function: Callable) -> Callable:
        LIBRARY[name] = function
        return function

    return register


@library("ral.gemm")
def gemm_(ins, ints, shapes, dtypes):
    x, y = (np.swapaxes(a, -1, -2) if flag else a for a, flag in zip(ins, [*ints, 0, 0]))
    return [rounded(operand(x, dtypes[0]) @ operand(y, dtypes[0]), dtypes[0])]


@library("ral.conv")
def conv_(ins, ints, shapes, dtypes):
    rank, groups, i, o, *rest = ints
    space = [str(d) for d in range(rank)]
    weights = dict(zip([i, o, *rest[:rank]], ["i", "o", *space]))
    window = np.array(rest[rank:]).reshape(rank, 5)
    low = ins[2][:, 0] if len(ins) == 3 else window[:, 4]
    x, w = ins[:2]
    sizes = np.array([w.shape[d] for d in rest[:rank]])
    reach = (np.array(shapes[0][1:-1]) - 1) * window[:, 0] + (sizes - 1) * window[:, 2] + 1
    high = reach - low - ((np.array(x.shape[1:-1]) - 1) * window[:, 1] + 1)
    last = ["b", *space, "f"]
    layout = Layout(last, [weights[d] for d in range(rank + 2)], last)
    steps = Window(*window[:, :3].T, window[:, 3] != 0, np.stack([low, high], 1))
    return [convolve(x, w, dtypes[0], layout, steps, groups, 1)]


@library("ral.fft")
def fft_(ins, ints, shapes, dtypes):
    return [fft(ins[0], bool(ints[0]), ints[1:], shapes[0], dtypes[0])]


@library("ral.cholesky")
def cholesky_(ins, ints, shapes, dtypes):
    return [round_to(cholesky(ins[0], bool(ints[0])), dtypes[0])]


@library("ral.triangular_solve")
def triangular_solve_(ins, ints, shapes, dtypes):
    left, lower, unit, transpose, conjugate = map(bool, ints)
    how = "ADJOINT" if conjugate else "TRANSPOSE" if transpose else "NO_TRANSPOSE"
    return [round_to(triangular_solve(*ins, left, lower, unit, how), dtypes[0])]


@library("ral.random_state")
def random_state_(ins, ints, shapes, dtypes):
    """Any state: it is RAL's counter."""
    return [np.zeros(shapes[0], dtypes[0])]


def known(c: Call, target: str) -> Callable:
    if target not in LIBRARY:
        raise c.fail(f"no interpretation of the library function `{target}`; known are {', '.join(sorted(LIBRARY))}")
    return LIBRARY[target]


@op("lmhlo_disc.library_call")
def library_call(c: Call, *operands):
    from .buffers import finish

    inputs = c.ints("operandSegmentSizes")[0]
    ins, outs = operands[:inputs], operands[inputs:]
    function = known(c, c.value("target"))
    return finish(c, function(ins, c.ints("ints"), [o.shape for o in outs], [o.dtype for o in outs]), outs)


def shape_assertion(c: Call, holds, *values) -> list:
    if not holds:
        told = [str(int(v)) for v in values]
        value = lambda m: "{" if m[0] == "{{" else told[int(m[1])] if int(m[1]) < len(told) else m[0]
        raise c.fail(re.sub(r"\{\{|\{(\d+)\}", value, c.value("error_message")), CheckFailed)
    return []


@op("dhlo.custom_call")
def custom_call(c: Call, *values: Sequence):
    """Annotations that compute nothing, what JAX writes as calls, and calls of the library with integers in a
    dictionary.
    """
    target = c.value("call_target_name")
    if target == "shape_assertion":
        return shape_assertion(c, *values)
    if target == "stablehlo.dynamic_reduce_window":
        return dynamic_reduce_window(c, *values)
    if target in ("Sharding", "annotate_device_placement", "xla.sdy.FuncResultSharding"):
        return list(values)
    function = known(c, target)
    config = c.attr("backend_config")
    if config is not None or not all(type_.static for type_ in c.types):
        raise c.fail("no interpretation of a custom call with a configuration or sizes of its own")
    return function(values, [], [t.shape for t in c.types], [t.dtype for t in c.types])
