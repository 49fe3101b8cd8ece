"""Running an author's function once, with handles for arguments, and keeping what it said."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .attrs import attr_pdll, dialect_text
from .errors import DslError, Place, here, suggestion
from .handles import Attr, BoundAttr, Condition, Handle, Number, Op, Type, Types, Value, Values
from .native import Native
from .ods import AttrDef, Group, OpDef

_MAX_VARIANTS = 8
_current: Trace | None = None


class Statement:
    """A line whose text is made when all names are known; `defines` is the handle that it names, if any."""

    def __init__(self, text: Callable[[], str], defines: Handle | None = None) -> None:
        self.text, self.defines, self.place = text, defines, here()


class Trace:
    """What one pattern function said, in its order."""

    def __init__(self) -> None:
        self.phase = "match"
        self.params: list[Handle] = []
        self.all_ops: list[Op] = []
        self.local_names: dict[str, Any] = {}  # the function's variables when it returned
        self.match: list[Op | Condition | Statement] = []
        self.rewrite: list[Statement] = []
        self.root: Op | None = None
        self.natives: dict[str, Native] = {}
        self.used: set[int] = set()
        self.types: dict[int, list[Handle]] = {}  # of a param or an op, by id
        self.conditions: list[Condition] = []

    def uses(self, handle: Handle) -> None:
        """The match or the rewrite names the handle: it must be bound."""
        self.used.add(id(handle))
        if isinstance(handle, BoundAttr):
            handle._bind()

    def calls(self, native: Native) -> None:
        known = self.natives.setdefault(native.name, native)
        if known is not native and (known.cpp, known.params) != (native.cpp, native.params):
            raise DslError(f"two natives are called `{native.name}`: {known.place} and {native.place}")


def trace() -> Trace:
    if _current is None:
        raise DslError("this belongs inside a function marked `@pattern`")
    return _current


# Operands, attributes, types -----------------------------------------------------------------------------------------


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
    if len(loose) == 1 and groups[loose[0]].kind == "variadic" and (extra > 0 or (extra < 0 and not kwargs and loose[0] < len(args))):
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
    return ", ".join(f"`{g.name}`" + ("..." if g.kind == "variadic" else "?" if g.kind == "optional" else "") for g in groups) or "none"


def _bind_attrs(model: OpDef, kwargs: dict[str, Any]) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    for name, value in kwargs.items():
        plain = name.removesuffix("_")
        if plain not in model.attributes:
            known = [*model.attributes, *(g.name for g in model.operands), "results"]
            raise DslError(f"`{model.name}` has no attribute `{name}`{suggestion(name, known)}")
        if isinstance(value, Handle) and not isinstance(value, Attr):
            raise DslError(f"attribute `{name}` of `{model.name}` takes a Python value or an `Attr`, got a {type(value).__name__}")
        if isinstance(value, Attr):
            trace().uses(value)
        else:
            attr_pdll(value, model.attributes[plain])  # refuses what is no attribute, at this line
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
        op._attrs[name] = _created_attr(value, model.attributes[name])
    missing = [a.name for a in model.attributes.values() if a.required and a.name not in op._attrs and not a.name.endswith("SegmentSizes")]
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
            require(constraints.is_attr(op._bound[name], text))


def _created_attr(value: Any, model: AttrDef) -> Any:
    from . import constraints

    text = dialect_text(value, model)
    if text is None:
        return value
    made: Attr = constraints.parse_attr(text)
    made._text = model.name
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


# Conditions and natives ----------------------------------------------------------------------------------------------


def _native_arg(native: Native, name: str, expected: Any, value: Any) -> Callable[[], str]:
    if expected in (Value, Values) and isinstance(value, Op):
        value = value._value()
    if expected in (Types, Type) and isinstance(value, list) and len(value) == 1:
        value = value[0]
    if expected in (Values, Types) and isinstance(value, (list, tuple)):
        parts = [_native_arg(native, name, Value if expected is Values else Type, v) for v in value]
        return lambda: "(" + ", ".join(p() for p in parts) + ")"
    if isinstance(value, Handle):
        wanted = Attr if expected in (Number, bool, int, float, str, list[int]) else expected
        widened = (expected is Values and isinstance(value, Value)) or (expected is Types and isinstance(value, Type))
        if not isinstance(value, wanted) and not widened:
            raise DslError(f"`{name}` of `{native.name}` takes a {wanted.__name__}, got a {type(value).__name__}")
        trace().uses(value)
        return value._pdll
    ok = {int: int, str: str, bool: bool, Number: (int, float), float: (int, float), list[int]: (list, tuple), Attr: (int, float, str, bool, list)}
    if expected not in ok or not isinstance(value, ok[expected]) or (isinstance(value, bool) and expected not in (bool, Attr)):
        raise DslError(f"`{name}` of `{native.name}` takes {getattr(expected, '__name__', expected)}, got {value!r}")
    literal = attr_pdll(float(value) if expected is float else value)
    return lambda: literal


def call_native(native: Native, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    t = trace()
    names = [n for n, _ in native.params]
    try:
        bound = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]).bind(*args, **kwargs)
    except TypeError as e:
        raise DslError(f"`{native.name}({', '.join(names)})`: {e}") from None
    texts = [_native_arg(native, n, kind, bound.arguments[n]) for n, kind in native.params]
    wrong = "a constraint belongs to the match" if native.kind == "constraint" else "a native rewrite belongs inside `with rewrite(...)`"
    if (native.kind == "constraint") != (t.phase == "match"):
        raise DslError(f"`{native.name}`: {wrong}")
    t.calls(native)

    def call() -> str:
        return f"{native.name}({', '.join(x() for x in texts)})"

    if native.kind == "constraint" and not native.results:
        condition = Condition(native, call)
        t.conditions.append(condition)
        return condition
    holder = Handle(native.name)
    results = [r(lambda i=i: holder._pdll() + (f".{i}" if len(native.results) > 1 else "")) for i, r in enumerate(native.results)]
    if len(results) == 1:
        holder = results[0]
        holder._text = native.name
    let = (lambda: f"let {holder._pdll()} = {call()}") if results else call
    steps: list[Any] = t.match if native.kind == "constraint" else t.rewrite
    steps.append(Statement(let, holder if results else None))
    return None if not results else results[0] if len(results) == 1 else tuple(results)


def require(*conditions: Condition) -> None:
    """Conditions of the match, all of which must hold."""
    t = trace()
    if t.phase != "match":
        raise DslError("`require` belongs to the match, before `with rewrite(...)`")
    for c in conditions:
        if not isinstance(c, Condition):
            raise DslError(f"`require` takes constraints, got {type(c).__name__}")
        c.required = True
        t.match.append(c)


def absent(thing: Handle) -> Condition:
    """The optional operand or attribute is not there."""
    from . import constraints

    t = trace()
    if isinstance(thing, BoundAttr):
        return constraints.attr_absent(thing._op, thing._attr)
    if isinstance(thing, Values):
        t.uses(thing)
        return constraints.no_values(thing)
    raise DslError("`absent` takes an optional operand or attribute of a matched op: `absent(op.name)`")


def default(thing: Handle, value: Any) -> Handle:
    """The optional attribute, or `value` where it is not there; used in the rewrite."""
    from . import constraints

    if not isinstance(thing, BoundAttr):
        raise DslError("`default` takes an optional attribute of a matched op: `default(op.name, value)`")
    assert thing._op._model is not None
    model = thing._op._model.attributes[thing._attr]
    made = _created_attr(value, model)
    literal = made if isinstance(made, Attr) else Attr(lambda: attr_pdll(value, model))
    return constraints.attr_or(thing._op, thing._attr, literal)


def either_order(op: Op) -> Op:
    """Matches the op with its two operands in either order."""
    if not isinstance(op, Op) or not op._matched or len(op._operands) != 2:
        raise DslError("`either_order` takes a matched op with two operands")
    op._swappable = True
    if 2 ** sum(o._swappable for o in trace().match if isinstance(o, Op)) > _MAX_VARIANTS:
        raise DslError(f"`either_order` makes more than {_MAX_VARIANTS} variants of one pattern; write a native constraint instead")
    return op


# The rewrite ---------------------------------------------------------------------------------------------------------


@contextmanager
def rewrite(root: Op, *others: Op) -> Iterator[None]:
    """What happens to a match. `others` are further ops that the block replaces or erases."""
    t = trace()
    if t.phase != "match":
        raise DslError("a pattern has one `with rewrite(...)` block")
    for op in (root, *others):
        if not isinstance(op, Op) or not op._matched:
            raise DslError("`rewrite` takes ops of the match")
    from . import constraints

    for other in others:
        require(constraints.independent(root, other))
    t.root, t.phase = root, "rewrite"
    yield
    t.phase = "done"


def _rewriting(what: str, op: Op) -> Trace:
    t = trace()
    if t.phase != "rewrite":
        raise DslError(f"`{what}` belongs inside `with rewrite(...)`")
    if not isinstance(op, Op):
        raise DslError(f"`{what}` takes an op, got a {type(op).__name__}")
    return t


def replace(op: Op, *values: Handle) -> None:
    """Replaces all results of a matched op, then erases it."""
    t = _rewriting("replace", op)
    assert op._model is not None
    fixed = all(g.kind == "single" for g in op._model.results)
    if len(values) == 1 and isinstance(values[0], Op):
        new = values[0]
        if new._types is None and not new._matched:
            new._types = list(types_of(op))
        text: Callable[[], str] = new._pdll
    else:
        if fixed and len(values) != len(op._model.results):
            raise DslError(f"`{op._model.name}` has {len(op._model.results)} results, got {len(values)} values")
        flat = [v._value() if isinstance(v, Op) else v for v in values]
        for v in flat:
            if not isinstance(v, (Value, Values)):
                raise DslError(f"`replace` takes values, got a {type(v).__name__}")
        text = lambda: flat[0]._pdll() if len(flat) == 1 else "(" + ", ".join(v._pdll() for v in flat) + ")"
    t.rewrite.append(Statement(lambda: f"replace {op._pdll()} with {text()}"))


def erase(op: Op) -> None:
    """Erases an op whose results nothing uses any more."""
    t = _rewriting("erase", op)
    t.rewrite.append(Statement(lambda: f"erase {op._pdll()}"))


# Patterns ------------------------------------------------------------------------------------------------------------


class Pattern:
    """A traced pattern: what it said, and where."""

    def __init__(self, fn: Callable[..., None], benefit: int, name: str | None, doc: str | None) -> None:
        self.name, self.benefit = name or fn.__name__, benefit
        self.place = Place(fn.__code__.co_filename, fn.__code__.co_firstlineno)
        self.doc = (doc or inspect.getdoc(fn) or "").strip()
        if not self.doc:
            raise DslError(f"pattern `{self.name}` needs a docstring: `before -> after`", self.place)
        if not self.name.isidentifier():
            raise DslError(f"pattern name `{self.name}` is not an identifier", self.place)
        if not 1 <= benefit <= 65535:
            raise DslError(f"benefit of `{self.name}` is {benefit}; expected 1 to 65535", self.place)
        self.trace = Trace()
        self._run(fn)

    def _run(self, fn: Callable[..., None]) -> None:
        global _current
        t, hints = self.trace, typing.get_type_hints(fn)
        for name in inspect.signature(fn).parameters:
            kind = hints.get(name)
            if kind not in (Value, Values, Attr, Type, Types):
                raise DslError(f"parameter `{name}` of pattern `{self.name}` needs a type: Value, Values, Attr, Type or Types", self.place)
            t.params.append(kind(name))

        def profile(frame: Any, event: str, _: Any) -> None:
            if event == "return" and frame.f_code is fn.__code__:
                t.local_names.update(frame.f_locals)

        before = sys.getprofile()
        _current = t
        sys.setprofile(profile)
        try:
            fn(*t.params)
        finally:
            sys.setprofile(before)
            _current = None
        self._check()

    def _check(self) -> None:
        t = self.trace
        if t.root is None:
            raise DslError(f"pattern `{self.name}` has no `with rewrite(root):` block", self.place)
        for p in t.params:
            if id(p) not in t.used:
                raise DslError(f"parameter `{p._text}` of pattern `{self.name}` is used nowhere in the match", self.place)
        for c in t.conditions:
            if not c.required:
                raise DslError(f"constraint `{c.native.name}` is applied outside `require(...)`", c.place)


def pattern(fn: Any = None, *, benefit: int = 1, name: str | None = None, doc: str | None = None) -> Any:
    """Makes a rewrite pattern of a function: match, `require`, `with rewrite(root)`. Among matching patterns the higher benefit goes first."""
    if fn is None:
        return lambda f: Pattern(f, benefit, name, doc)
    return Pattern(fn, benefit, name, doc)
