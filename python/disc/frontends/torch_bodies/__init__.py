"""Bodies in StableHLO for torch's ops that torch-mlir lacks, or lowers wrongly for sizes that are unknown.

Each such op of the imported module becomes a call of a private function before torch-mlir lowers the rest; afterwards,
when types are StableHLO's, the function's body is written. A body is a Python function that is registered under the
op's name in torch's dialect; constant operands reach it as Python values, others as arguments of the function.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import Any, Callable

from .text import Body, Type, Value

Emitter = Callable[..., Any]
_EMITTERS: dict[str, Emitter] = {}
_FAMILIES = ("counting", "elementwise", "indexing", "reductions", "scalars", "scans", "selection", "sorting", "windows")


def body(*names: str) -> Callable[[Emitter], Emitter]:
    """Registers a body for the ops of these names, e.g. "aten.nonzero"; called with a Body and the op's operands.

    Returns the results, one Value or a sequence of them.
    """

    def register(emitter: Emitter) -> Emitter:
        for name in names:
            _EMITTERS["torch." + name] = emitter
        return emitter

    return register


_OPS = {
    "sym_max": "(SymInt a, SymInt b) -> SymInt",
    "sym_min": "(SymInt a, SymInt b) -> SymInt",
    "slice": "(Tensor x, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
    "prefix": "(Tensor x, int dim, SymInt end) -> Tensor",
    "in_range": "(Tensor index, Tensor x, int dim, str op) -> Tensor",
    "not_empty": "(Tensor x, int[] dims) -> Tensor",
}
# Ops that read or write `x` along `dim` at positions of an index: where these three are among the operands.
_INDEXED = {
    "gather.default": (0, 1, 2),
    "scatter.src": (0, 1, 2),
    "scatter.value": (0, 1, 2),
    "scatter.reduce": (0, 1, 2),
    "scatter.value_reduce": (0, 1, 2),
    "scatter_add.default": (0, 1, 2),
    "scatter_reduce.two": (0, 1, 2),
    "index_select.default": (0, 1, 2),
    "embedding.default": (0, None, 1),
}


def own_ops() -> Any:
    """The namespace of our ops, which are defined once."""
    import torch

    for name, schema in _OPS.items():
        if not hasattr(torch.ops.disc, name):
            torch.library.define(f"disc::{name}", schema)
    return torch.ops.disc


def retarget(graph: Any) -> None:
    """Gives nodes that torch-mlir does not import, or lowers wrongly, ops of ours that have a body.

    These are functions of sizes that its importer does not know, and slices whose bounds may lie outside. Positions
    that are read or written pass a check.
    """
    import torch
    import torch.utils._pytree as pytree

    ops = own_ops()
    for node in graph.nodes:
        value = node.meta["val"] = pytree.tree_map_only(torch.Tensor, _settled, node.meta.get("val"))
        if isinstance(value, torch.Tensor) and node.meta.get("tensor_meta") is not None:
            node.meta["tensor_meta"] = node.meta["tensor_meta"]._replace(shape=value.shape)
    _drop_positions(graph)
    functions = {torch.sym_max: ops.sym_max.default, torch.sym_min: ops.sym_min.default}
    for node in graph.nodes:
        if node.op != "call_function":
            continue
        if node.target in functions:
            node.target = functions[node.target]
        elif node.target is torch.ops.aten.slice.Tensor:
            sizes = [str(size) for size in node.meta["val"].shape]
            if any("Max(" in size or "Min(" in size or size == "0" or size.startswith("u") for size in sizes):
                node.target = ops.slice.default
            elif _is_prefix(node):
                node.target, node.args = ops.prefix.default, (node.args[0], node.args[1], node.args[3])
        elif at := _INDEXED.get(str(node.target).removeprefix("aten.")):
            _check_index(graph, ops.in_range.default, node, *at)


def _is_prefix(node: Any) -> bool:
    """Whether a slice is the first elements, and their number is computed; torch-mlir takes a number 0 for none."""
    x, dim, start, end, step = (*node.args, *(None, 0, None, None, 1)[len(node.args) :])
    length = node.meta["val"].shape[dim]
    return not node.kwargs and not start and step == 1 and hasattr(end, "meta") and str(end.meta["val"]) == str(length)


def _check_index(graph: Any, check: Any, node: Any, x: int, dim: int | None, index: int) -> None:
    name = str(node.target).removeprefix("aten.").split(".")[0]
    operands = (node.args[index], node.args[x], 0 if dim is None else node.args[dim], name)
    with graph.inserting_before(node):
        checked = graph.call_function(check, operands)
    checked.meta = {**node.args[index].meta, "stack_trace": node.meta.get("stack_trace")}
    node.update_arg(index, checked)


def _drop_positions(graph: Any) -> None:
    """Largest elements whose positions nobody asks for are found without them."""
    import operator

    import torch

    aten = torch.ops.aten
    plain = {
        aten.max_pool2d_with_indices.default: aten.max_pool2d.default,
        aten.max_pool3d_with_indices.default: aten.max_pool3d.default,
    }
    for node in list(graph.nodes):
        users = list(node.users)
        if node.target in plain and all(user.target is operator.getitem and user.args[1] == 0 for user in users):
            node.target, node.meta["val"] = plain[node.target], node.meta["val"][0]
            node.meta.pop("tensor_meta", None)
            for user in users:
                user.replace_all_uses_with(node)
                graph.erase_node(user)


def _settled(value: Any) -> Any:
    """`value` with sizes that the export has found to be constant as numbers, so that callers are held to them."""
    import torch

    sizes = [size.node.maybe_as_int() if isinstance(size, torch.SymInt) else size for size in value.shape]
    if all(isinstance(now, torch.SymInt) == (size is None) for size, now in zip(sizes, value.shape)):
        return value
    with value.fake_mode:
        return torch.empty([now if size is None else size for size, now in zip(sizes, value.shape)], dtype=value.dtype)


@dataclass(frozen=True)
class _Argument:
    """The operand is argument `number` of the function."""

    number: int


@dataclass
class Outlined:
    """One call: `function` is declared in the module, `operands` is the operand list with _Arguments in it.

    op, place: what it stands for in the model, and where (`file:line`).
    """

    function: str
    emitter: Emitter
    operands: list[Any]
    op: str
    place: str


def outline(module: Any) -> list[Outlined]:
    """Replaces ops that have a body by calls of functions that are declared only."""
    from torch_mlir import ir

    for family in _FAMILIES:
        importlib.import_module(f".{family}", __name__)
    found: list[Any] = []

    def visit(op: Any) -> Any:
        if _name(op) in _EMITTERS:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    outlined = []
    with module.context:
        for number, op in enumerate(found):
            outlined.append(_call(ir, module, op, f"disc.body.{number}"))
    return outlined


def define(text: str, outlined: list[Outlined]) -> str:
    """`text` with the bodies of the functions that it declares."""
    for entry in outlined:
        pattern = rf"func\.func private @{re.escape(entry.function)}\((.*?)\)(?: -> (.*))?\n"
        match = re.search(pattern, text)
        if not match:
            raise ValueError(f"the lowered module does not declare @{entry.function}")
        results = (match[2] or "").strip()
        if results.startswith("("):
            results = results[1:-1]
        parameters, returned = ([Type.parse(t) for t in _types(listed)] for listed in (match[1], results))
        function = Body(entry.function, parameters, returned, entry.op, entry.place)
        values = entry.emitter(function, *(_fill(operand, function) for operand in entry.operands))
        values = [] if values is None else [values] if isinstance(values, Value) else list(values)
        text = text[: match.start()] + function.finish(values) + text[match.end() :]
    return text


def place_of(location: str) -> str:
    """`file:line` of a torch-mlir location: the innermost frame outside of torch, or the innermost."""
    frames = re.findall(r'"([^"]+)":(\d+)', location)
    own = [frame for frame in frames if not re.search(r"/(site|dist)-packages/torch/", frame[0])]
    return ":".join((own or frames or [("unknown place",)])[0])


def _name(op: Any) -> str:
    name = op.operation.name
    return str(op.operation.attributes["name"].value) if name == "torch.operator" else name


def _call(ir: Any, module: Any, op: Any, function: str) -> Outlined:
    arguments: list[Any] = []
    operands = [_operand(value, arguments) for value in op.operation.operands]
    types = [value.type for value in op.operation.results]
    with op.operation.location:
        signature = ir.FunctionType.get([value.type for value in arguments], types)
        attributes = {
            "sym_name": ir.StringAttr.get(function),
            "function_type": ir.TypeAttr.get(signature),
            "sym_visibility": ir.StringAttr.get("private"),
        }
        with ir.InsertionPoint(module.body):
            ir.Operation.create("func.func", attributes=attributes, regions=1)
        with ir.InsertionPoint(op.operation):
            callee = {"callee": ir.FlatSymbolRefAttr.get(function)}
            call = ir.Operation.create("func.call", results=types, operands=arguments, attributes=callee)
    for old, new in zip(op.operation.results, call.results):
        old.replace_all_uses_with(new)
    name, place = _name(op), place_of(str(op.operation.location))
    op.operation.erase()
    told = "" if name.startswith("torch.disc.") else name.removeprefix("torch.aten.").split(".")[0]
    return Outlined(function, _EMITTERS[name], operands, told, place)


def _operand(value: Any, arguments: list[Any]) -> Any:
    """A Python value where `value` is constant, a list where it is one, else an _Argument."""
    owner = value.owner
    name = owner.name if hasattr(owner, "name") else ""
    if name == "torch.constant.none":
        return None
    if name in ("torch.constant.int", "torch.constant.float", "torch.constant.str", "torch.constant.bool"):
        return owner.attributes["value"].value
    if name == "torch.prim.ListConstruct":
        return [_operand(element, arguments) for element in owner.operands]
    for number, known in enumerate(arguments):
        if known == value:
            return _Argument(number)
    arguments.append(value)
    return _Argument(len(arguments) - 1)


def _fill(operand: Any, function: Body) -> Any:
    if isinstance(operand, list):
        return [_fill(element, function) for element in operand]
    return function.arguments[operand.number] if isinstance(operand, _Argument) else operand


def _types(text: str) -> list[str]:
    """`text` split at its commas; a complex or dense type holds none."""
    return [part for part in (piece.strip() for piece in text.split(",")) if part]
