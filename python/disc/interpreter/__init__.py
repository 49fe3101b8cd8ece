"""The reference interpreter: what a module means, op by op, in numpy. Slow, obvious, independent of the compiler.

It runs a framework's module and what every phase of the pipeline up to `cpu` makes of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from . import (  # noqa: F401  (each registers its ops)
    bitwise,
    buffers,
    complex_dialect,
    contractions,
    control,
    elementwise,
    functions,
    indexing,
    library,
    linalg,
    normalization,
    quantized,
    reductions,
    scalars,
    shape_dialect,
    shapes,
    special,
    tensor_dialect,
    vectors,
)
from . import broadcasting  # noqa: F401  (wraps the others' ops)
from .core import OPS, Call, CheckFailed, InterpreterError, Machine, location
from .types import Type, type_of

__all__ = ["OPS", "CheckFailed", "InterpreterError", "parse", "run", "signature"]


def parse(source: Any, name: str = "model.mlir") -> Any:
    """A module of `disc.mlir.ir` from text, a path of a `.mlir` file, or such a module. Raises InterpreterError."""
    try:
        from ..mlir import ir
    except ImportError as error:
        raise InterpreterError(f"the interpreter needs MLIR's Python bindings, `disc.mlir`: {error}") from None

    if isinstance(source, ir.Module):
        return source
    is_path = isinstance(source, Path) or (str(source).endswith(".mlir") and "\n" not in str(source))
    with ir.Context():
        try:
            return ir.Module.parseFile(str(source)) if is_path else ir.Module.parse(str(source))
        except ir.MLIRError as error:
            raise InterpreterError(str(error).replace('"-":', f"{name}:")) from None


def _entry(machine: Machine, entry: str) -> Any:
    """The function to run: `entry`, what the pipeline made of it, or the only public one."""
    for name in (entry, "disc_main"):
        if name in machine.symbols:
            return machine.symbols[name]
    functions_ = [f for f in machine.symbols.values() if f.name == "func.func" and "sym_visibility" not in f.attributes]
    if len(functions_) != 1:
        raise InterpreterError(f"expected a function `{entry}`; there are {sorted(machine.symbols)}")
    return functions_[0]


def _argument_attr(function: Any, index: int, name: str) -> Any:
    attrs = function.attributes
    own = attrs["arg_attrs"][index] if "arg_attrs" in attrs else {}
    return own[name] if name in own else None


def _constant_name(function: Any, index: int) -> str | None:
    attr = _argument_attr(function, index, "disc.constant")
    return None if attr is None else attr.value


def signature(source: Any, entry: str = "main") -> list[Type]:
    """The types of the entry's inputs (constants that come by name left out)."""
    machine = Machine(parse(source))
    function = _entry(machine, entry)
    types = []
    for i, argument in enumerate(function.regions[0].blocks[0].arguments):
        if _constant_name(function, i) is None:
            names = _argument_attr(function, i, "disc.dims") or []
            symbols = tuple(getattr(n, "value", "") for n in names)
            types.append(replace(type_of(argument.type), symbols=symbols))
    return types


def run(
    source: Any,
    inputs: Sequence[Any],
    entry: str = "main",
    *,
    constants: Mapping[str, np.ndarray] | None = None,
    trace: Callable[[Call, list], None] | None = None,
    timeout: float = math.inf,
) -> list[Any]:
    """The outputs of `entry` for `inputs`, as numpy arrays (ml_dtypes' for bf16, f8 and i4; tuples as tuples).

    source:    a `disc.mlir.ir.Module`, MLIR text or the path of a `.mlir` file; from any phase up to `cpu`
    inputs:    arrays of the entry's element types, one for each argument that is no named constant
    constants: arrays for arguments with `disc.constant`
    trace:     called after each op with its Call and its results
    timeout:   seconds

    Raises InterpreterError with op and place, CheckFailed where the program's own check of sizes fails.
    """
    module = parse(source)
    machine = Machine(module, trace)
    machine.constants = dict(constants or {})
    machine.deadline = time.monotonic() + timeout
    with module.context, np.errstate(all="ignore"):
        function = _entry(machine, entry)
        if function.attributes["sym_name"].value == "disc_main":
            machine.received = [_array(x) for x in inputs]
            machine.call("disc_main", [])
            return [machine.sent[i] for i in range(len(machine.sent))]
        given, args = iter(inputs), []
        for index, argument in enumerate(function.regions[0].blocks[0].arguments):
            name = _constant_name(function, index)
            where = f"{location(function)}: error: input {index}"
            if name is not None and name not in machine.constants:
                raise InterpreterError(f"{where}: constant `{name}` is not given")
            try:
                value = machine.constants[name] if name is not None else next(given)
            except StopIteration:
                raise InterpreterError(f"{where} is missing: {len(inputs)} were given") from None
            args.append(_checked(where, type_of(argument.type), value))
        extra = len(list(given))
        if extra:
            counts = f"expected {len(inputs) - extra} inputs, got {len(inputs)}"
            raise InterpreterError(f"{location(function)}: error: {counts}")
        return machine.call(function.attributes["sym_name"].value, args)


def _array(value: Any) -> Any:
    """A copy that cannot be written: programs do not write to their inputs."""
    if isinstance(value, tuple) or value is None:
        return value
    array = np.array(value)
    array.flags.writeable = False
    return array


def _checked(where: str, type_: Type, value: Any) -> Any:
    array = _array(value)
    if type_.dtype is None or not isinstance(array, np.ndarray):
        return array
    if array.dtype != type_.dtype:
        raise InterpreterError(f"{where}: expected elements of {type_.element} ({type_.dtype}), got {array.dtype}")
    shape = type_.shape or ()
    if len(shape) != array.ndim or any(s is not None and s != n for s, n in zip(shape, array.shape)):
        raise InterpreterError(f"{where}: expected {type_.text}, got shape {list(array.shape)}")
    return array
