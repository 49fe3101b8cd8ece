"""In-place ops on values that nothing else shares memory with, as functional ones."""

from __future__ import annotations

from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import Graph, Node

aten = torch.ops.aten

# Composite ops are free to return a view of their operand; these do not.
_FRESH = (
    aten.linear.default,
    aten.matmul.default,
    aten.conv1d.default,
    aten.conv2d.default,
    aten.conv3d.default,
    aten.batch_norm.default,
    aten.layer_norm.default,
    aten.group_norm.default,
    aten.softmax.int,
)


# The functional ones give booleans, whatever their operands are.
_BOOLEAN = {"eq", "ne", "lt", "le", "gt", "ge", "not_equal", "less", "less_equal", "greater", "greater_equal"} | {
    f"logical_{op}" for op in ("and", "or", "xor", "not")
}


def functional(graph: Graph) -> Graph:
    """`graph`, or a copy of it in which in-place ops are functional where that is easily seen to be the same."""
    if not any(changes_operand(node) for node in graph.nodes):
        return graph
    copied = Graph()
    values: dict[Node, Any] = {}
    for node in graph.nodes:
        values[node] = copied.node_copy(node, values.__getitem__)
        values[node].name = node.name
    for node in copied.nodes:
        if changes_operand(node) and (target := _functional_of(node)) and _is_alone(node.args[0], node):
            changed, order = node.args[0], {other: at for at, other in enumerate(copied.nodes)}
            node.target = target
            changed.replace_all_uses_with(node, lambda user: order[user] > order[node])
    return copied


def changes_operand(node: Node) -> bool:
    """Whether `node` is an in-place op."""
    return node.op == "call_function" and isinstance(node.target, OpOverload) and node.target._schema.is_mutable


def _functional_of(node: Node) -> OpOverload | None:
    """The op that returns what `node` writes to its first operand, where that has the operand's type."""
    schema = node.target._schema
    name = schema.name.removeprefix("aten::")
    packet = getattr(aten, name.removesuffix("_"), None) if name.endswith("_") else None
    target = getattr(packet, schema.overload_name or "default", None)
    written = [argument.name for argument in schema.arguments if argument.alias_info]
    names = lambda op: [argument.name for argument in op._schema.arguments]
    if target is None or target._schema.is_mutable or written != ["self"] or names(target) != names(node.target):
        return None
    kind = node.meta["val"].dtype
    others = [a.meta["val"] if isinstance(a, Node) else a for a in (*node.args, *node.kwargs.values())]
    kept = all(_keeps(kind, value) for value in others) and (kind == torch.bool or name.rstrip("_") not in _BOOLEAN)
    return target if kept else None


def _keeps(kind: torch.dtype, value: Any) -> bool:
    """Whether an op of a tensor of type `kind` and of `value` has results of that type."""
    if isinstance(value, torch.Tensor):
        return value.dtype == kind
    return not isinstance(value, (float, complex, torch.SymFloat)) or kind.is_floating_point


def _is_alone(value: Any, writer: Node) -> bool:
    """Whether `value` lies in memory of its own, which no other node sees when `writer` changes it."""
    return isinstance(value, Node) and _is_fresh(value) and all(u is writer or _is_fresh(u) for u in value.users)


def _is_fresh(node: Node) -> bool:
    """Whether the result of `node` shares no memory with its operands."""
    if node.op == "output":
        return True
    if node.op != "call_function" or not isinstance(node.target, OpOverload):
        return False
    if changes_operand(node) or any(result.alias_info for result in node.target._schema.returns):
        return False
    return node.target in _FRESH or not is_composite(node.target)


def is_composite(op: OpOverload) -> bool:
    """Whether the dispatcher itself writes `op` in terms of others."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), "CompositeImplicitAutograd")
