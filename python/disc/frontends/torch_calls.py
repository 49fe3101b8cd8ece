"""How a torch model is called: its arguments as a list of tensors, and a list of tensors as its results."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any, Callable

import torch
import torch.utils._pytree as pytree
from torch.fx import Node

from ..errors import CompileError
from ..structure import TENSOR
from .torch_decompose import Program


def flatten_with(in_spec: pytree.TreeSpec) -> Callable[[tuple, dict], list]:
    """From (args, kwargs) to the list of inputs; TypeError where they have another structure than the example's."""
    # Tensors in a row are their own leaves; asking pytree takes longer than a small model.
    flat = pytree.tree_flatten(((None,) * in_spec.num_leaves, {}))[1] == in_spec
    names = in_spec.child(1).context

    def flatten(args: tuple, kwargs: dict) -> list:
        if flat and not kwargs and len(args) == in_spec.num_leaves and all(isinstance(x, torch.Tensor) for x in args):
            return list(args)
        if kwargs.keys() == set(names):  # in any order
            kwargs = {name: kwargs[name] for name in names}
        leaves, spec = pytree.tree_flatten((args, kwargs))
        if spec != in_spec:
            raise TypeError(f"expected inputs of structure {_shown(in_spec)}, as in the example, got {_shown(spec)}")
        return leaves

    return flatten


def _shown(spec: pytree.TreeSpec) -> str:
    """The structure of (args, kwargs) as a call writes it, a `*` for each tensor."""
    args, kwargs = pytree.tree_unflatten([_STAR] * spec.num_leaves, spec)
    return f"({', '.join([*map(repr, args), *(f'{name}={value!r}' for name, value in kwargs.items())])})"


class _Star:
    def __repr__(self) -> str:
        return "*"


_STAR = _Star()


_PLAIN = (type(None), bool, int, float, str)


def structure_of(spec: pytree.TreeSpec, leaves: list | None = None) -> Any:
    """The structure of disc.structure; leaves: TENSOR, or a value that is the same in every call (default: tensors)."""
    rest = iter([TENSOR] * spec.num_leaves if leaves is None else leaves)

    def key(name: Any) -> Any:
        return name if isinstance(name, _PLAIN) else str(name)

    def convert(spec: pytree.TreeSpec) -> Any:
        if spec.is_leaf():
            leaf = next(rest)
            return TENSOR if leaf is TENSOR else {"value": leaf if isinstance(leaf, _PLAIN) else str(leaf)}
        parts, context = [convert(child) for child in spec.children()], spec.context
        if spec.type is tuple or spec.type in (list, deque):
            return {"tuple" if spec.type is tuple else "list": parts}
        if spec.type in (dict, OrderedDict, defaultdict):
            names = context[1] if spec.type is defaultdict else context
            return {"dict": [[key(name), part] for name, part in zip(names, parts, strict=True)]}
        if spec.type is namedtuple:
            fields = [list(field) for field in zip(context._fields, parts, strict=True)]
            return {"named tuple": context.__name__, "fields": fields}
        # A registered class: its context is the fields' names, or a list of these and of those that are None.
        names, none = context, []
        if isinstance(context, (list, tuple)) and len(context) == 2 and isinstance(context[0], (list, tuple)):
            names, none = context
        if not isinstance(names, (list, tuple)) or not all(isinstance(n, str) for n in [*names, *none]):
            return {"tuple": parts}
        if len(names) != len(parts):
            return {"tuple": parts}
        fields = [[name, part] for name, part in zip(names, parts)] + [[name, {"value": None}] for name in none]
        return {"object": spec.type.__name__, "fields": fields}

    return convert(spec)


def take_tensors(program: Program) -> tuple[Callable[[list], Any], Any]:
    """Leaves only tensors among the results of `program.graph`; gives what makes the model's results of these, and
    their structure.

    Constants (None, numbers, strings) that the model returns beside them come back as they are. Raises CompileError
    where a number is returned that is not the same in every call.
    """
    (output,) = (node for node in program.graph.nodes if node.op == "output")
    (results,) = output.args
    places = []
    for number, result in enumerate(results):
        if not isinstance(result, Node):
            continue
        value = result.meta.get("val")
        if not isinstance(value, torch.Tensor):
            what = "a size" if isinstance(value, torch.SymInt) else type(value).__name__
            raise CompileError(
                f"result {number} (`{result.name}`): expected a tensor, got {what}, which differs from call to call;"
                " leave it out, or return it as a tensor (`torch.tensor(...)`)"
            )
        places.append(number)
    output.args = (tuple(results[i] for i in places),)
    out_spec = program.call_spec.out_spec
    constant = [None if i in places else result for i, result in enumerate(results)]

    def unflatten(outputs: list) -> Any:
        if out_spec.is_leaf():
            return outputs[0] if outputs else constant[0]
        leaves = outputs
        if len(places) < len(constant):
            leaves = constant.copy()
            for place, value in zip(places, outputs, strict=True):
                leaves[place] = value
        return pytree.tree_unflatten(leaves, out_spec)

    leaves = [TENSOR if i in places else result for i, result in enumerate(constant)]
    return unflatten, structure_of(out_spec, leaves)
