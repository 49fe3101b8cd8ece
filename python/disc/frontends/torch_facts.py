"""What torch.export knows of sizes, as attributes of @main: named and derived sizes, ranges, likely values."""

from __future__ import annotations

import inspect
from typing import Any, Iterator

import torch

from ..dims import Dim

# torch gives sizes that may be anything this lower bound, since it keeps 0 and 1 apart; compiled code does not.
_ANY = 2


class Sizes:
    """Names for torch's symbols (`s27` is the user's `s`), and what is known of them."""

    def __init__(self, program: torch.export.ExportedProgram, specs: list[Any], dims: list[Dim]) -> None:
        """specs: for each tensor input, what `dynamic_shapes` says; dims: those of ours among them."""
        self._ranges = {str(symbol): bounds for symbol, bounds in program.range_constraints.items()}
        self._names: dict[str, str] = {}
        self._least: dict[str, int] = {}
        self._dims = {f"_{dim.name}" if dim.multiple_of > 1 else dim.name: dim for dim in dims}
        for value, spec in zip(_inputs(program), specs):
            for size, dim in zip(value.shape, _per_dim(spec, value.dim())):
                self._learn(size, dim)

    def _learn(self, size: Any, dim: Any) -> None:
        root = getattr(dim, "root", dim)  # of a derived dimension
        name = getattr(root, "__name__", None)
        symbols = _symbols(size)
        if not name or len(symbols) != 1:
            return
        self._names.setdefault(symbols[0], name)
        if isinstance(getattr(root, "min", None), int):
            self._least[symbols[0]] = root.min

    def attribute(self, value: torch.Tensor) -> str:
        """`"b", "2*s+1", ""`: a size each; "" where it is static, or no sum of multiples of symbols."""
        return ", ".join(f'"{self._text(size)}"' for size in value.shape)

    def _text(self, size: Any) -> str:
        terms = _linear(size)
        if not terms or not any(name for name, _ in terms):
            return ""
        text = ""
        for symbol, factor in terms:
            name = self._names.get(symbol, symbol)
            sign = "-" if factor < 0 else "+" if text else ""
            number = [] if name and abs(factor) == 1 else [str(abs(factor))]
            text += sign + "*".join(number + [name] * bool(name))
        return text

    def symbols(self, values: list[torch.Tensor]) -> str:
        """The attribute `disc.symbols` of a function of these inputs, or ""."""
        used = {s for value in values for size in value.shape for s in _symbols(size)}
        facts = []
        for symbol in sorted(used):
            name = self._names.get(symbol, symbol)
            known = self._facts(symbol, self._dims.get(name))
            if known:
                facts.append(f"{name} = {{{', '.join(known)}}}")
        return f"disc.symbols = {{{', '.join(facts)}}}" if facts else ""

    def _facts(self, symbol: str, dim: Dim | None) -> list[str]:
        known = []
        bounds = self._ranges.get(symbol)
        low = int(bounds.lower) if bounds is not None and bounds.lower.is_Integer else 0
        if low <= _ANY:
            low = self._least.get(symbol, 0)
        if low > 0:
            known.append(f"min = {low} : i64")
        if bounds is not None and bounds.upper.is_Integer:
            known.append(f"max = {int(bounds.upper)} : i64")
        if dim is not None and dim.likely:
            known.append(f"likely = array<i64: {', '.join(str(size // dim.multiple_of) for size in dim.likely)}>")
        return known


def _inputs(program: torch.export.ExportedProgram) -> list[torch.Tensor]:
    user = {s.arg.name for s in program.graph_signature.input_specs if s.kind.name == "USER_INPUT"}
    nodes = [n for n in program.graph.nodes if n.op == "placeholder" and n.name in user]
    return [n.meta["val"] for n in nodes if isinstance(n.meta.get("val"), torch.Tensor)]


def _symbols(size: Any) -> list[str]:
    if not isinstance(size, torch.SymInt) or not hasattr(size.node.expr, "free_symbols"):
        return []
    return sorted(str(symbol) for symbol in size.node.expr.free_symbols)


def _linear(size: Any) -> list[tuple[str, int]]:
    """(symbol, factor) terms whose sum is `size`, the constant last with symbol ""; empty where it is no such sum."""
    if not isinstance(size, torch.SymInt):
        return []
    expr = size.node.expr
    symbols = sorted(expr.free_symbols, key=str)
    factors = [expr.diff(symbol) for symbol in symbols]
    constant = expr.subs(dict.fromkeys(symbols, 0))
    if not all(getattr(factor, "is_Integer", False) for factor in [*factors, constant]):
        return []
    terms = [(str(symbol), int(factor)) for symbol, factor in zip(symbols, factors)]
    return terms + [("", int(constant))] * bool(constant)


def _per_dim(spec: Any, rank: int) -> list[Any]:
    if isinstance(spec, dict):
        return [spec.get(i) for i in range(rank)]
    return list(spec) if isinstance(spec, (list, tuple)) else [None] * rank


def tensor_specs(model: torch.nn.Module, args: tuple, kwargs: dict, spec: Any) -> list[Any]:
    """What `spec`, in torch.export's form, says of each tensor among the inputs, in their order."""
    if spec is None:
        return []
    values: Any = list(args) + list(kwargs.values())
    if isinstance(spec, dict):
        values = dict(inspect.signature(model.forward).bind(*args, **kwargs).arguments)
    return list(_walk(values, spec))


def _walk(value: Any, spec: Any) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield spec
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(item, spec.get(key) if isinstance(spec, dict) else None)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _walk(item, spec[i] if isinstance(spec, (list, tuple)) and i < len(spec) else None)
