"""An exported program in the ops that are lowered: each distinct op is traced once, equal ones share the trace.

`ExportedProgram.run_decompositions` traces the whole program again, several times as long as the export itself took.
Here an op is traced alone, on contiguous operands of its types and symbolic sizes, and its nodes are copied to where
the op stood; so identical layers cost what one costs. A program that writes in place, branches, or looks at strides
is traced as a whole, since only that makes it functional (but for what `torch_functional` sees through).
"""

from __future__ import annotations

import contextlib
import operator
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any, Iterator

import torch
import torch.utils._pytree as pytree
from torch._dispatch.python import enable_python_dispatcher
from torch._guards import detect_fake_mode
from torch._ops import OpOverload
from torch.export._trace import _ignore_backend_decomps
from torch.export.exported_program import _override_composite_implicit_decomp
from torch.fx import Graph, GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from ..errors import CompileError
from .torch_bodies import own_ops
from .torch_decompositions import KEPT, own
from .torch_functional import changes_operand, functional, is_composite

aten = torch.ops.aten


@dataclass
class Program:
    """What of torch's ExportedProgram is lowered."""

    graph: Graph
    graph_signature: Any
    state_dict: dict[str, Any]
    constants: dict[str, Any]
    range_constraints: dict[Any, Any]
    call_spec: Any


def decompose(program: torch.export.ExportedProgram) -> Program:
    """`program` in ops that are lowered. Raises CompileError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = functional(program.graph)
        graph = None if any(map(_needs_whole, given.nodes)) else _op_by_op(given)
        if graph is None:
            program = _whole(program)
            graph = program.graph
    return Program(
        graph=graph,
        graph_signature=program.graph_signature,
        state_dict=program.state_dict,
        constants=program.constants,
        range_constraints=_ranges(program),
        call_spec=program.call_spec,
    )


def _ranges(program: torch.export.ExportedProgram) -> dict[Any, Any]:
    """The ranges of sizes, with what decompositions have found out about them."""
    mode = _fake_mode(program.graph)
    if mode is None or mode.shape_env is None:
        return program.range_constraints
    env = mode.shape_env
    known = {**env.var_to_range, **program.range_constraints}
    return {symbol: bounds for symbol, bounds in known.items() if symbol not in env.replacements}


def _fake_mode(graph: Graph) -> Any:
    return detect_fake_mode([node.meta.get("val") for node in graph.nodes])


# Ops whose result depends on where their operand lies in memory.
_STRIDED = ("as_strided", "as_strided_copy", "as_strided_scatter", "sym_stride", "sym_storage_offset", "stride")


def _needs_whole(node: Node) -> bool:
    if node.op in ("get_attr", "call_module", "call_method"):
        return True
    if node.op != "call_function" or not isinstance(node.target, OpOverload):
        return isinstance(node.target, torch._ops.HigherOrderOperator)
    name = node.target._schema.name.removeprefix("aten::")
    if name in ("batch_norm", "instance_norm"):  # with stored statistics that this call changes
        return bool(node.args[5]) and node.args[3] is not None
    return node.target._schema.is_mutable or name in _STRIDED


def _whole(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """By torch's own means. A view of what lies otherwise in memory once decomposed (attention) is a reshape."""
    table = torch.export.default_decompositions()
    for op in KEPT:
        table.pop(op, None)
    table.update(own())
    try:
        return program.run_decompositions(table)
    except ValueError as error:
        views = [node for node in program.graph.nodes if node.target == aten.view.default]
        if "Cannot view" not in str(error) or not views:
            raise CompileError(f"torch could not decompose the model: {error}") from error
    for node in views:
        node.target = aten.reshape.default
    try:
        return program.run_decompositions(table)
    except Exception as error:
        raise CompileError(f"torch could not decompose the model: {error}") from error
    finally:
        for node in views:
            node.target = aten.view.default


def _op_by_op(graph: Graph) -> Graph | None:
    """None where an op cannot be traced alone."""
    mode = _fake_mode(graph)
    if mode is None:
        return None
    expansion = _Expansion(mode)
    try:
        with torch.no_grad(), _ignore_backend_decomps(), mode, enable_python_dispatcher(), expansion.overrides():
            for node in graph.nodes:
                expansion.add(node)
    except Exception:  # noqa: BLE001 - whatever it is, the whole program says it better
        return None
    expansion.graph.eliminate_dead_code()
    return expansion.graph


_EXTREMES = (
    aten.amax.default,
    aten.amin.default,
    aten.max.default,
    aten.min.default,
    aten.max.dim,
    aten.min.dim,
    aten.argmax.default,
    aten.argmin.default,
)


class _Alone(Exception):
    """An op needs more than its own trace."""


class _Expansion:
    """The graph that is made, and the traces of the ops seen so far."""

    def __init__(self, mode: Any) -> None:
        self.graph = Graph()
        self._mode = mode
        self._values: dict[Node, Any] = {}  # of the old graph -> node or nodes of the new one
        self._roots: dict[Any, tuple[Node, int, torch.SymInt]] = {}  # symbol -> tensor, dimension, size
        self._sizes: dict[Any, Node] = {}
        self._traces: dict[Any, tuple[GraphModule, list[Any]]] = {}
        self._operands: dict[Any, torch.Tensor] = {}
        own_table = own()
        self._table = {**torch._decomp._core_aten_decompositions_post_autograd(), **own_table}
        for op in KEPT:
            self._table.pop(op, None)
        self._composite = {op: _keep for op in KEPT if is_composite(op)}
        self._composite |= {op: written for op, written in own_table.items() if is_composite(op)}

    def overrides(self) -> contextlib.AbstractContextManager:
        """Composite ops that are kept, or written by us, inside of others too."""
        return _override_composite_implicit_decomp(self._composite)

    def add(self, node: Node) -> None:
        if node.op == "call_function" and node.target is operator.getitem:
            source = self._values[node.args[0]]
            if not isinstance(source, Node):
                self._values[node] = source[node.args[1]]
                return
        with self._checked(node):
            if node.op == "call_function" and self._is_decomposed(node.target):
                made = self._expand(node)
            else:
                made = self._copy(node, self._values, node)
        self._values[node] = made
        self._remember_sizes(node)

    @contextlib.contextmanager
    def _checked(self, node: Node) -> Iterator[None]:
        """The operand of a maximum or minimum is one with elements; torch's own decompositions see to it themselves."""
        if node.target not in _EXTREMES:
            yield
            return
        x = node.args[0]
        dims = [] if len(node.args) < 2 or node.args[1] is None else node.args[1]
        given = self._values[x]
        dims = list(dims) if isinstance(dims, (list, tuple)) else [dims]
        made = self.graph.call_function(own_ops().not_empty.default, (given, dims))
        made.meta = {**given.meta, "stack_trace": node.meta.get("stack_trace")}
        self._values[x] = made
        yield
        self._values[x] = given

    def _is_decomposed(self, target: Any) -> bool:
        if not isinstance(target, OpOverload) or target in KEPT or target.name().startswith("aten::sym_"):
            return False
        return target in self._table or is_composite(target)

    def _copy(self, node: Node, values: dict[Node, Any], origin: Node) -> Node:
        """`node` with operands from `values`, placed where `origin` came from."""
        args = torch.fx.node.map_arg(node.args, values.__getitem__)
        kwargs = torch.fx.node.map_arg(node.kwargs, values.__getitem__)
        copied = self.graph.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        if node.op == "placeholder":
            copied.name = node.name  # which the signature has, also where it is a word of Python's (`input`)
        copied.meta = dict(node.meta)
        if "stack_trace" in origin.meta:
            copied.meta["stack_trace"] = origin.meta["stack_trace"]
        return copied

    def _remember_sizes(self, node: Node) -> None:
        value, made = node.meta.get("val"), self._values[node]
        if isinstance(value, torch.Tensor) and isinstance(made, Node):
            for dim, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                    self._roots.setdefault(size.node.expr, (made, dim, size))

    def _size(self, symbol: Any) -> Node:
        """The node that is the size `symbol`."""
        if symbol not in self._sizes:
            tensor, dim, value = self._roots[symbol]
            with self.graph.inserting_after(_last_placeholder(self.graph, tensor)):
                self._sizes[symbol] = self.graph.call_function(aten.sym_size.int, (tensor, dim))
            self._sizes[symbol].meta["val"] = value
        return self._sizes[symbol]

    def _expand(self, node: Node) -> Any:
        leaves, spec = pytree.tree_flatten((node.args, node.kwargs))
        values = [leaf.meta["val"] if isinstance(leaf, Node) else leaf for leaf in leaves]
        key = (node.target, str(spec), *map(_key, values), _fresh(node, values))
        if key not in self._traces:
            self._traces[key] = self._trace(node.target, values, spec)
        trace, symbols = self._traces[key]
        operands = [self._values[leaf] for leaf, value in zip(leaves, values) if _is_traced(value)]
        return self._inline(trace, [*operands, *map(self._size, symbols)], node)

    def _trace(self, target: OpOverload, values: list[Any], spec: Any) -> tuple[GraphModule, list[Any]]:
        """The trace of `target`, a function of its tensors and sizes and then of the returned symbols."""
        used: Counter[Any] = Counter()
        inputs = [self._operand(value, used) for value in values if _is_traced(value)]
        symbols = sorted({s for value in inputs for s in _symbols(value) if s in self._roots}, key=str)

        def call(*given: Any) -> Any:
            rest = iter(given)
            args, kwargs = pytree.tree_unflatten([next(rest) if _is_traced(v) else v for v in values], spec)
            return target(*args, **kwargs)

        sizes = [self._roots[symbol][2] for symbol in symbols]
        trace = make_fx(call, decomposition_table=self._table)(*inputs, *sizes)
        if any(changes_operand(node) for node in trace.graph.nodes):
            raise _Alone
        return trace, symbols

    def _operand(self, value: Any, used: Counter[Any]) -> Any:
        """A contiguous tensor like `value`, as compiled values have no strides; another one for each use."""
        if not isinstance(value, torch.Tensor):
            return value
        kind = _key(value)
        key = kind, used[kind]
        used[kind] += 1
        if key not in self._operands:
            self._operands[key] = torch.empty(value.shape, dtype=value.dtype, device=value.device)
        return self._operands[key]

    def _inline(self, trace: GraphModule, operands: list[Any], origin: Node) -> Any:
        values: dict[Node, Any] = {}
        rest = iter(operands)
        for node in trace.graph.nodes:
            if node.op == "placeholder":
                values[node] = next(rest)
            elif node.op == "get_attr":
                values[node] = self._constant(getattr(trace, node.target), origin)
            elif node.op == "output":
                break
            else:
                values[node] = self._copy(node, values, origin)
        made = set(values.values()) - set(operands)
        result = torch.fx.node.map_arg(node.args[0], values.__getitem__)
        single = isinstance(result, Node)
        for new, value in zip([result] if single else result, [origin.meta["val"]] if single else origin.meta["val"]):
            if new in made:
                new.meta["val"] = value
        return result

    def _constant(self, value: torch.Tensor, origin: Node) -> Node:
        """A number that a decomposition made a tensor of."""
        if value.numel() != 1:
            raise _Alone
        made = self.graph.call_function(aten.full.default, (list(value.shape), value.item()), {"dtype": value.dtype})
        made.meta = {"val": self._mode.from_tensor(value), "stack_trace": origin.meta.get("stack_trace")}
        return made


def _keep(*_: Any, **__: Any) -> Any:
    return NotImplemented


def _is_traced(value: Any) -> bool:
    return isinstance(value, (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool))


def _key(value: Any) -> Any:
    """What a trace depends on of an operand."""
    if isinstance(value, torch.Tensor):
        return value.dtype, value.device, tuple(map(_key, value.shape))
    if _is_traced(value):
        return value.node.expr
    return type(value), repr(value)


def _symbols(value: Any) -> set[Any]:
    if isinstance(value, torch.Tensor):
        return set().union(*map(_symbols, value.shape))
    return set(value.node.expr.free_symbols) if _is_traced(value) else set()


def _fresh(node: Node, values: list[Any]) -> Node | None:
    """`node` where it makes sizes that depend on data, which no other node has; else None."""
    results = [value for value in pytree.tree_leaves(node.meta.get("val")) if _is_traced(value)]
    known = set().union(*map(_symbols, values))
    return node if set().union(*map(_symbols, results)) - known else None


def _last_placeholder(graph: Graph, node: Node) -> Node:
    """`node`, or the last placeholder where it is one: placeholders come first."""
    if node.op != "placeholder":
        return node
    return [other for other in graph.nodes if other.op == "placeholder"][-1]
