"""What one pattern function said: the steps of its match and of its rewrite.

Operands, attributes and types are checked against ODS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .attrs import attr_pdll, dialect_text
from .errors import DslError, Place, here, suggestion
from .handles import Attr, BoundAttr, Condition, Handle, Op, Type, Types, Value, Values
from .native import Native
from .ods import AttrDef, Group, OpDef


class Statement:
    """A line whose text is made when all names are known; `defines`: the handle that it names, `call`: the native that
    it calls.
    """

    def __init__(self, text: Callable[[], str], defines: Handle | None = None, call: Condition | None = None) -> None:
        self.text, self.defines, self.call, self.place = text, defines, call, here()


class Trace:
    """What one pattern function said, in its order."""

    def __init__(self, legality: bool = False) -> None:
        self.phase, self.legality = "match", legality
        self.options: type[Any] | None = None  # the dataclass of the pass's options, where the pattern reads them
        self.params: list[Handle] = []
        self.all_ops: list[Op] = []
        self.local_names: dict[str, Any] = {}  # the function's variables when it returned
        self.match: list[Op | Condition | Statement] = []
        self.rewrite: list[Statement] = []
        self.root: Op | None = None
        self.others_removed: list[Place] = []  # where ops other than the root are replaced or erased
        self.natives: dict[str, Native] = {}
        self.used: set[int] = set()
        self.rewrite_uses: list[Handle] = []
        self.types: dict[int, list[Handle]] = {}  # of a param or an op, by id
        self.conditions: list[Condition] = []

    def uses(self, handle: Handle) -> None:
        """The match or the rewrite names the handle: it must be bound."""
        self.used.add(id(handle))
        if self.phase == "rewrite":
            self.rewrite_uses.append(handle)
        if isinstance(handle, BoundAttr):
            handle._bind()

    def calls(self, native: Native) -> None:
        known = self.natives.setdefault(native.name, native)
        if known is not native and (known.cpp, known.params) != (native.cpp, native.params):
            raise DslError(f"two natives are called `{native.name}`: {known.place} and {native.place}")


_current: Trace | None = None


def trace() -> Trace:
    if _current is None:
        raise DslError("this belongs inside a function marked `@pattern`")
    return _current


@contextmanager
def tracing(t: Trace) -> Iterator[None]:
    """Everything said inside goes to `t`."""
    global _current
    _current = t
    try:
        yield
    finally:
        _current = None


def _one(value: Any, model: OpDef, group: Group) -> Handle:
    if isinstance(value, Op):
        value = value._value()
    if not isinstance(value, Value) and not (isinstance(value, Values) and group.kind != "single"):
        what = f"a handle of kind {type(value).__name__}" if isinstance(value, Handle) else f"{value!r}"
        raise DslError(f"operand `{group.name}` of `{model.name}` takes a value, got {what}")
    trace().uses(value)
    return value


def _bind_operands(model: OpDef, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    groups = model.operands
    loose = [i for i, g in enumerate(groups) if g.kind != "single"]
    given: dict[int, Any] = {}
    extra = len(args) - len(groups)
    if (
        len(loose) == 1
        and groups[loose[0]].kind == "variadic"
        and (extra > 0 or (extra < 0 and not kwargs and loose[0] < len(args)))
    ):
        at, n = loose[0], len(args) - len(groups) + 1
        args = (*args[:at], list(args[at : at + max(n, 0)]), *args[at + max(n, 0) :])
    if len(args) > len(groups):
        raise DslError(f"`{model.name}` takes {len(groups)} operands ({_names(groups)}), got {len(args)}")
    given.update(enumerate(args))
    for i, g in enumerate(groups):
        word = g.name if g.name in kwargs else g.name + "_"
        if word in kwargs and g.name not in model.attributes:
            if i in given:
                raise DslError(f"operand `{g.name}` of `{model.name}` is given twice")
            given[i] = kwargs.pop(word)
    bound: list[Any] = []
    for i, g in enumerate(groups):
        value = given.get(i)
        if value is None and g.kind == "single":
            raise DslError(f"`{model.name}` takes {len(groups)} operands ({_names(groups)}): `{g.name}` is missing")
        if isinstance(value, (list, tuple)):
            if g.kind == "single":
                raise DslError(f"operand `{g.name}` of `{model.name}` takes one value, got {len(value)}")
            bound.append([_one(v, model, g) for v in value])
        elif value is None:
            bound.append(None)
        else:
            one = _one(value, model, g)
            bound.append(one if g.kind == "single" or isinstance(one, Values) else [one])
    return bound


def _names(groups: tuple[Group, ...]) -> str:
    return (
        ", ".join(
            f"`{g.name}`" + ("..." if g.kind == "variadic" else "?" if g.kind == "optional" else "") for g in groups
        )
        or "none"
    )


def _bind_attrs(model: OpDef, kwargs: dict[str, Any]) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    for name, value in kwargs.items():
        plain = name.removesuffix("_")
        if plain not in model.attributes and not ("." in name and trace().phase == "rewrite"):
            known = [*model.attributes, *(g.name for g in model.operands), "results"]
            raise DslError(f"`{model.name}` has no attribute `{name}`{suggestion(name, known)}")
        if isinstance(value, Handle) and not isinstance(value, Attr):
            raise DslError(
                f"attribute `{name}` of `{model.name}` takes a Python value or an `Attr`, got a {type(value).__name__}"
            )
        if isinstance(value, Attr):
            trace().uses(value)
        else:
            attr_pdll(value, model.attributes.get(plain))  # refuses what is no attribute, at this line
        attrs[plain] = value
    return attrs


def _flat_types(results: Any) -> list[Handle | str]:
    if isinstance(results, (list, tuple)):
        return [t for r in results for t in _flat_types(r)]
    if isinstance(results, (Type, Types)):
        trace().uses(results)
        return [results]
    if isinstance(results, str):
        return [f'type<"{results}">']
    raise DslError(f"`results` takes types: `types_of(...)`, a `Type` handle or a type as text; got {results!r}")


def make_op(model: OpDef, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Op:
    """Called by `dialect.op(...)`: a step of the match, or an op that the rewrite creates."""
    t = trace()
    if t.phase == "done":
        raise DslError("nothing follows the `with rewrite(...)` block")
    op = Op(model, matched=t.phase == "match")
    results = kwargs.pop("results", None)
    op._operands = _bind_operands(model, args, kwargs)
    op._attrs = _bind_attrs(model, kwargs)
    op._types = None if results is None else _flat_types(results)
    t.all_ops.append(op)
    if t.phase == "match":
        t.match.append(op)
        op._match_types = types_of(op)
        _match_dialect_attrs(op)
        return op
    for name, value in op._attrs.items():
        op._attrs[name] = created_attr(value, name, model.attributes.get(name))
    missing = [
        a.name
        for a in model.attributes.values()
        if a.required and a.name not in op._attrs and not a.name.endswith("SegmentSizes")
    ]
    if missing:
        raise DslError(f"`{model.name}` needs attribute `{missing[0]}`")
    if not model.results:
        op._types = []
    from .emit import created_op

    t.rewrite.append(Statement(lambda: created_op(op)))
    return op


def _match_dialect_attrs(op: Op) -> None:
    from . import constraints

    assert op._model is not None
    for name, value in list(op._attrs.items()):
        text = dialect_text(value, op._model.attributes[name])
        if text is not None:
            op._attrs[name] = op._bound[name] = BoundAttr(op, name)
            same = constraints.is_attr(op._bound[name], text)
            same.required = True
            trace().match.append(same)


def created_attr(value: Any, name: str, model: AttrDef | None) -> Any:
    from . import constraints

    text = dialect_text(value, model)
    if text is None:
        return value
    made: Attr = constraints.parse_attr(text)
    made._text = name
    return made


def types_of(thing: Handle) -> list[Handle]:
    """The types of a matched op's results, or of a value or values of the match."""
    t = trace()
    if id(thing) not in t.types:
        if isinstance(thing, Op):
            if not thing._matched:
                raise DslError("the types of a created op are what its `results=` said")
            assert thing._model is not None
            several = len(thing._model.results) > 1
            made: list[Handle] = []
            for i, g in enumerate(thing._model.results):
                kind = Type if g.kind == "single" else Types
                suffix = ("_type" if kind is Type else "_types") + (str(i) if several else "")
                made.append(kind(lambda s=suffix: thing._pdll() + s))  # type: ignore[misc]
            t.types[id(thing)] = made
        elif any(thing is p for p in t.params) and isinstance(thing, (Value, Values)):
            kind, suffix = (Type, "_type") if isinstance(thing, Value) else (Types, "_types")
            t.types[id(thing)] = [kind(lambda: thing._pdll() + suffix)]
        else:
            raise DslError("`types_of` takes an op of the match or a parameter of the pattern")
    return t.types[id(thing)]
