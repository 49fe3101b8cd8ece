"""Runs a module of MLIR's bindings op by op on numpy arrays.

A value is an array (0-d for scalars), a Python tuple for a tuple, None for a token; a buffer is a written array.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import DiscError
from .branches import BRANCHES, successor
from .types import Type, elements, kind, narrow_float, type_of

OPS: dict[str, Callable] = {}
ELEMENTWISE: set[str] = set()
TERMINATORS = {"dhlo.return", "func.return", "scf.yield", "shape.assuming_yield", "lmhlo_disc.yield", "scf.condition"}
TERMINATORS |= {"tensor.yield", "scf.reduce"} | BRANCHES


def canonical_name(name: str) -> str:
    """Ops of StableHLO in generic form keep their name when they are parsed: they are dhlo's."""
    dialect, _, mnemonic = name.partition(".")
    return f"dhlo.{mnemonic}" if dialect in ("stablehlo", "mhlo", "chlo") else name


# Wraps an op's function when it is looked up; quantized.py puts its own here.
WRAP: list[Callable[[Callable, Call], Callable]] = [lambda function, call: function]


class InterpreterError(DiscError):
    """The interpreter cannot go on; the text names op and place."""


class CheckFailed(InterpreterError):
    """The program's own check failed: sizes that do not fit."""


def op(*names: str, elementwise: bool = False) -> Callable:
    """Registers `function(c, *operands)` for ops. It returns the result, or a list where there are several.

    elementwise: its scalar form may be run on arrays of any shape at once.
    """

    def register(function: Callable) -> Callable:
        for name in names:
            if name in OPS:
                raise ValueError(f"`{name}` is registered twice")
            OPS[name] = function
        if elementwise:
            ELEMENTWISE.update(names)
        return function

    return register


class Call:
    """One op, as its function sees it."""

    def __init__(self, machine: Machine, mlir_op: Any) -> None:
        self.machine, self.op, self.name = machine, mlir_op, canonical_name(mlir_op.name)
        self.types: list[Type] = [type_of(r.type) for r in mlir_op.results]
        self.operand_types: list[Type] = [type_of(o.type) for o in mlir_op.operands]
        self.inputs = [machine.slot(o) for o in mlir_op.operands]
        self.outputs = [machine.slot(r) for r in mlir_op.results]
        self._attrs: dict[str, Any] = {}
        self._blocks: list[Block] | None = None
        self.env: dict[int, Any] = {}
        self.memo: dict[str, Any] = {}
        # What quantized results are computed in, set by quantized.py.
        self.expressed: list[np.dtype | None] | None = None

    def fail(self, message: str, error: type = InterpreterError) -> InterpreterError:
        return error(f"{location(self.op)}: error: `{self.name}`: {message}")

    def dtype(self, result: int = 0) -> np.dtype:
        if self.expressed and self.expressed[result]:
            return self.expressed[result]
        return self.machine.dtype(self.types[result].dtype)

    # Attributes.

    def attr(self, name: str) -> Any:
        """The attribute, or None."""
        if name not in self._attrs:
            attrs = self.op.attributes
            self._attrs[name] = attrs[name] if name in attrs else None
        return self._attrs[name]

    def value(self, name: str, default: Any = None) -> Any:
        """A number, bool or string."""
        attr = self.attr(name)
        return default if attr is None else attr.value

    def ints(self, name: str, default: Sequence[int] = ()) -> list[int]:
        """An array attribute as a flat list."""
        attr = self.attr(name)
        if attr is None:
            return list(default)
        if str(attr).startswith("dense<"):
            return [int(v) for v in elements(self.op, name).ravel()]
        return [int(getattr(v, "value", v)) for v in attr]

    def word(self, name: str, default: str = "") -> str:
        """`LT` of `#dhlo<comparison_direction LT>`."""
        attr = self.attr(name)
        return default if attr is None else re.findall(r"\w+", str(attr))[-1]

    def fields(self, name: str) -> dict[str, Any]:
        """`#dhlo.gather<offset_dims = [1], index_vector_dim = 1>` as a dictionary of lists and ints."""
        if name not in self.memo:
            pairs = re.findall(r"(\w+) = (\[[^\]]*\]|-?\w+)", str(self.attr(name)))
            numbers = {key: [int(v) for v in re.findall(r"-?\d+", text)] for key, text in pairs}
            self.memo[name] = {key: numbers[key] if text[0] == "[" else numbers[key][0] for key, text in pairs}
        return self.memo[name]

    # Shapes.

    def shape(self, *known: int, result: int = 0) -> tuple[int, ...]:
        """The result's shape, its dynamic sizes being `known`, in order."""
        dims = iter(known)
        return tuple(next(dims) if size is None else size for size in self.types[result].shape)

    # Regions.

    def blocks(self) -> list[Block]:
        if self._blocks is None:
            self._blocks = [self.machine.block(r.blocks[0]) for r in self.op.regions if len(r.blocks)]
        return self._blocks

    def region(self, index: int, *args: Any) -> list[Any]:
        """Runs the region's block; the operands of its terminator."""
        return self.machine.run_block(self.blocks()[index], args, self.env)

    def map_region(self, index: int, *args: np.ndarray, widen: bool = False) -> list[np.ndarray]:
        """The region, which works on scalars, for every position of arrays of one shape.

        widen: it computes on f32 where it says f16, bf16 or f8, and on f64 where all it does is add.
        """
        block, machine = self.blocks()[index], self.machine
        shape = args[0].shape if args else ()
        saved = machine.batch, machine.wider
        machine.wider = widen or machine.wider
        try:
            if block.elementwise:
                machine.batch = True
                results = machine.run_block(block, args, self.env)
                return [np.broadcast_to(r, shape).copy() for r in results]
            machine.batch = False
            dtypes = [machine.dtype(t) for t in block.yields]
            out = [np.empty(shape, dtype) for dtype in dtypes]
            for at in np.ndindex(shape):
                for to, r in zip(out, machine.run_block(block, [a[at] for a in args], self.env), strict=True):
                    to[at] = r
            return out
        finally:
            machine.batch, machine.wider = saved


class Block:
    """The ops of a block, looked up once."""

    def __init__(self, machine: Machine, mlir_block: Any) -> None:
        self.arguments = [machine.slot(a) for a in mlir_block.arguments]
        self.types = [type_of(a.type) for a in mlir_block.arguments]
        self.steps: list[tuple[Callable, Call]] = []
        self.terminator: Call | None = None
        self.elementwise = True
        self.yields: list[np.dtype | None] = []
        for mlir_op in mlir_block.operations:
            operation = mlir_op.operation
            name = canonical_name(operation.name)
            if name in TERMINATORS:
                self.terminator = Call(machine, operation)
                self.yields = [t.dtype for t in self.terminator.operand_types]
                break
            function = OPS.get(name)
            if function is None:
                raise InterpreterError(f"{location(operation)}: error: no interpretation of op `{name}`")
            self.elementwise &= name in ELEMENTWISE
            call = Call(machine, operation)
            self.steps.append((WRAP[0](function, call), call))
        self.elementwise &= all(t.shape in ((), None) for t in self.types)
        # The name of the only op, where it combines the two arguments and is the result.
        self.single = None
        if len(self.steps) == 1 and self.terminator and len(self.arguments) == 2:
            call = self.steps[0][1]
            if set(call.inputs) == set(self.arguments) and call.outputs == self.terminator.inputs:
                self.single = call.name


class Machine:
    """A module and the state of its run."""

    def __init__(self, module: Any, trace: Callable[[Call, list], None] | None = None) -> None:
        self.module, self.trace = module, trace
        self.symbols = {}
        for mlir_op in module.body.operations:
            attrs = mlir_op.operation.attributes
            if "sym_name" in attrs:
                self.symbols[attrs["sym_name"].value] = mlir_op.operation
        self._slots: dict[Any, int] = {}
        self._blocks: dict[Any, Block] = {}
        self._functions: dict[str, list[tuple[Any, Block]]] = {}
        self.batch = False
        self.wider = False
        self.deadline = math.inf
        self.received: list[Any] = []
        self.sent: dict[int, Any] = {}
        self.constants: dict[str, Any] = {}
        self.globals: dict[str, np.ndarray] = {}

    def slot(self, value: Any) -> int:
        return self._slots.setdefault(value, len(self._slots))

    def block(self, mlir_block: Any) -> Block:
        return Block(self, mlir_block)

    def dtype(self, dtype: np.dtype | None) -> np.dtype | None:
        if self.wider and dtype is not None and narrow_float(dtype):
            return np.dtype(np.float32)
        return dtype

    def call(self, name: str, args: Sequence[Any]) -> list[Any]:
        """Runs a function by name."""
        if name not in self._functions:
            function = self.symbols.get(name)
            if function is None or not len(function.regions[0].blocks):
                raise InterpreterError(f"no function `{name}` with a body; there are {sorted(self.symbols)}")
            self._functions[name] = [(block, self.block(block)) for block in function.regions[0].blocks]
        blocks, env = self._functions[name], {}
        block = blocks[0][1]
        while True:
            values = self.run_block(block, args, env)
            if block.terminator is None or block.terminator.name not in BRANCHES:
                return values
            target, args = successor(block.terminator, values)
            block = next(own for mlir_block, own in blocks if mlir_block == target)

    def run_block(self, block: Block, args: Sequence[Any], env: dict[int, Any]) -> list[Any]:
        if time.monotonic() > self.deadline:
            raise InterpreterError("the interpreter did not finish in time")
        for slot, arg in zip(block.arguments, args, strict=True):
            env[slot] = arg
        for function, call in block.steps:
            call.env = env
            args = [env[slot] for slot in call.inputs]
            if not self.batch and call.name in ELEMENTWISE:
                shapes = {a.shape for a in args if a.shape}
                if len(shapes) > 1:
                    raise call.fail(f"operands have different sizes: {[list(a.shape) for a in args]}", CheckFailed)
            try:
                results = function(call, *args)
            except InterpreterError:
                raise
            except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, RecursionError) as error:
                raise call.fail(f"{type(error).__name__}: {error}") from error
            if len(call.outputs) == 1 and not isinstance(results, list):
                results = [results]
            results = results or []
            if len(results) != len(call.outputs):
                raise call.fail(f"expected {len(call.outputs)} results, the interpreter made {len(results)}")
            for i, slot in enumerate(call.outputs):
                env[slot] = self._checked(call, i, results[i])
            if self.trace:
                self.trace(call, [env[slot] for slot in call.outputs])
        return [env[slot] for slot in block.terminator.inputs] if block.terminator else []

    def _checked(self, call: Call, index: int, value: Any) -> Any:
        type_ = call.types[index]
        if type_.dtype is None:
            return value
        value = np.asarray(value)
        if value.dtype != self.dtype(type_.dtype):
            raise call.fail(f"expected elements of {type_.element}, the interpreter made {value.dtype}")
        if self.batch:
            return value
        shape = type_.shape or ()
        if len(shape) != value.ndim or any(s is not None and s != v for s, v in zip(shape, value.shape)):
            # Sizes that come from inputs may contradict the type.
            error = CheckFailed if len(shape) == value.ndim else InterpreterError
            raise call.fail(f"the result has shape {list(value.shape)}, its type is {type_.text}", error)
        return value


def location(mlir_op: Any) -> str:
    """`file:line:col`."""
    text = str(mlir_op.location)
    match = re.search(r'"([^"]*)":(\d+):(\d+)', text)
    return f"{match[1]}:{match[2]}:{match[3]}" if match else text


def is_float(array: np.ndarray) -> bool:
    return kind(array.dtype) == "f"
