"""Native constraints and rewrites: one typed Python signature over a C++ function."""

from __future__ import annotations

import inspect
import json
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import DslError, Place
from .handles import Attr, Condition, Number, Op, Type, Types, Value, Values, kind_name

# Python annotation -> (PDLL kind, C++ parameter, C++ result, PDL argument type seen by the adaptor, conversion to the
# parameter)
_ATTR = "mlir::Attribute"
_KINDS: dict[Any, tuple[str, str, str, str, str]] = {
    Value: ("Value", "mlir::Value", "mlir::Value", "mlir::Value", "{}"),
    Values: ("ValueRange", "mlir::ValueRange", "llvm::SmallVector<mlir::Value>", "mlir::ValueRange", "{}"),
    Op: ("Op", "mlir::Operation *", "mlir::Operation *", "mlir::Operation *", "{}"),
    Type: ("Type", "mlir::Type", "mlir::Type", "mlir::Type", "{}"),
    Types: ("TypeRange", "mlir::TypeRange", "llvm::SmallVector<mlir::Type>", "mlir::TypeRange", "{}"),
    Attr: ("Attr", _ATTR, _ATTR, _ATTR, "{}"),
    Number: ("Attr", _ATTR, _ATTR, _ATTR, "{}"),
    bool: ("Attr", "bool", _ATTR, _ATTR, "llvm::cast<mlir::BoolAttr>({}).getValue()"),
    int: ("Attr", "int64_t", _ATTR, _ATTR, "llvm::cast<mlir::IntegerAttr>({}).getInt()"),
    float: ("Attr", "double", _ATTR, _ATTR, "llvm::cast<mlir::FloatAttr>({}).getValueAsDouble()"),
    str: ("Attr", "llvm::StringRef", _ATTR, _ATTR, "llvm::cast<mlir::StringAttr>({}).getValue()"),
    list[int]: (
        "Attr",
        "llvm::ArrayRef<int64_t>",
        _ATTR,
        _ATTR,
        "llvm::cast<mlir::DenseI64ArrayAttr>({}).asArrayRef()",
    ),
}


@dataclass(frozen=True, eq=False)
class Native:
    """A declared constraint or rewrite. Calling it inside a pattern records the call."""

    kind: str  # "constraint" or "rewrite"
    name: str
    cpp: str
    params: tuple[tuple[str, Any], ...]
    results: tuple[Any, ...]
    doc: str
    place: Place
    twin: Callable[..., Any] | None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from .language import call_native

        return call_native(self, args, kwargs)

    def condition(self, *args: Any) -> Condition:
        """The call of a constraint that is not yet required."""
        called: Condition = self(*args)
        return called

    def signature(self) -> str:
        """What a caller and the C++ side must agree on."""
        params, results = (
            ", ".join(kind_name(t) for t in kinds) for kinds in (dict(self.params).values(), self.results)
        )
        return f"{self.kind} ({params}) -> {results or ('bool' if self.kind == 'constraint' else 'None')}"

    def pdll_declaration(self) -> str:
        params = ", ".join(f"{n}: {_KINDS[t][0]}" for n, t in self.params)
        results = [_KINDS[t][0] for t in self.results]
        arrow = "" if not results else f" -> {results[0]}" if len(results) == 1 else f" -> ({', '.join(results)})"
        return f"{self.kind.capitalize()} {self.name}({params}){arrow};"

    def cpp_signature(self) -> tuple[str, list[str]]:
        args = [f"{_KINDS[t][1]} {n}".replace("* ", "*") for n, t in self.params]
        outs = [_KINDS[t][2] for t in self.results]
        result = "void" if not outs else outs[0] if len(outs) == 1 else f"std::tuple<{', '.join(outs)}>"
        if self.kind == "constraint":
            return (f"mlir::FailureOr<{result}>" if outs else "bool"), args
        return result, ["mlir::PatternRewriter &rewriter", *args]

    def cpp_adaptor(self) -> str:
        params = "".join(f", {_KINDS[t][3]} a{i}" for i, (_, t) in enumerate(self.params)).replace("* a", "*a")
        args = [_KINDS[t][4].format(f"a{i}") for i, (_, t) in enumerate(self.params)]
        if self.kind == "rewrite":
            call = f"{self.cpp}({', '.join(['rewriter', *args])})"
            return f"[](mlir::PatternRewriter &rewriter{params}) {{ return {call}; }}"
        call = f"{self.cpp}({', '.join(args)})"
        if not self.results:
            # The docstring is the reason printed by --debug-only=pattern-application and by explain.
            call = f"disc::check({call}, rewriter, {json.dumps(self.name + ': ' + self.doc)})"
        return f"[](mlir::PatternRewriter &rewriter{params}) {{ return {call}; }}"


def _declare(kind: str, cpp: str, fn: Callable[..., Any]) -> Native:
    code = fn.__code__
    place = Place(code.co_filename, code.co_firstlineno)
    hints = typing.get_type_hints(fn)
    params = []
    for name in inspect.signature(fn).parameters:
        if name not in hints:
            raise DslError(f"parameter `{name}` of `{fn.__name__}` has no type", place)
        if hints[name] not in _KINDS:
            known = "Value, Values, Op, Attr, Type, Types, Number, bool, int, float, str, list[int]"
            raise DslError(
                f"parameter `{name}` of `{fn.__name__}` has type `{hints[name]}`; expected one of {known}", place
            )
        params.append((name, hints[name]))
    ret = hints.get("return")
    outs: tuple[Any, ...] = ()
    if kind == "constraint" and ret is bool:
        outs = ()
    elif typing.get_origin(ret) is tuple:
        outs = typing.get_args(ret)
    elif ret not in (None, type(None)):
        outs = (ret,)
    bad = [r for r in outs if r not in (Value, Values, Op, Attr, Type, Types)]
    if bad or (kind == "constraint" and ret is None):
        raise DslError(
            f"`{fn.__name__}` returns `{ret}`; a {kind} returns handles" + (" or bool" if kind == "constraint" else ""),
            place,
        )
    doc = (inspect.getdoc(fn) or "").strip()
    if not doc:
        raise DslError(f"`{fn.__name__}` needs a docstring: it is the reason its user reads", place)
    return Native(kind, fn.__name__, cpp, tuple(params), outs, doc.splitlines()[0].rstrip("."), place, fn)


def constraint(*, cpp: str) -> Callable[[Callable[..., Any]], Native]:
    """Declares a native constraint: `@constraint(cpp="disc::hasRank") def rank(value: Value, n: int) -> bool`."""
    return lambda fn: _declare("constraint", cpp, fn)


def native_rewrite(*, cpp: str) -> Callable[[Callable[..., Any]], Native]:
    """Declares a native rewrite; its C++ function takes a `PatternRewriter &` first and may return handles."""
    return lambda fn: _declare("rewrite", cpp, fn)
