"""What an author writes besides ops: conditions, natives, `rewrite`, `replace`, `erase`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .attrs import attr_pdll
from .errors import DslError, here
from .handles import Attr, BoundAttr, Condition, Handle, Number, Op, OptionAttr, Type, Types, Value, Values, kind_name
from .native import Native
from .trace import Statement, Trace, created_attr, trace, types_of

_MAX_VARIANTS = 8
# What a native's parameter takes besides handles.
_LITERALS: dict[Any, tuple[type, ...]] = {
    bool: (bool,),
    int: (int,),
    float: (int, float),
    str: (str,),
    Number: (int, float),
    list[int]: (list, tuple),
    Attr: (int, float, str, bool, list),
}


def _native_arg(native: Native, name: str, expected: Any, value: Any) -> Callable[[], str]:
    if expected in (Value, Values) and isinstance(value, Op):
        value = value._value()
    if expected in (Types, Type) and isinstance(value, list) and len(value) == 1:
        value = value[0]
    if expected in (Values, Types) and isinstance(value, (list, tuple)):
        parts = [_native_arg(native, name, Value if expected is Values else Type, v) for v in value]
        return lambda: "(" + ", ".join(p() for p in parts) + ")"
    if isinstance(value, Handle):
        wanted: type[Handle] = Attr if expected in (Number, bool, int, float, str, list[int]) else expected
        widened = (expected is Values and isinstance(value, Value)) or (expected is Types and isinstance(value, Type))
        if not isinstance(value, wanted) and not widened:
            raise DslError(f"`{name}` of `{native.name}` takes a {wanted.__name__}, got a {type(value).__name__}")
        if isinstance(value, OptionAttr) and expected not in (Attr, value._field.type, Number):
            raise DslError(
                f"`{name}` of `{native.name}` takes {kind_name(expected)}, "
                f"option `{value._field.name}` is {kind_name(value._field.type)}"
            )
        trace().uses(value)
        return value._pdll
    python = _LITERALS.get(expected, ())
    if not isinstance(value, python) or (isinstance(value, bool) and expected not in (bool, Attr)):
        raise DslError(f"`{name}` of `{native.name}` takes {kind_name(expected)}, got {value!r}")
    number: Any = value
    literal = attr_pdll(float(number) if expected is float else value)
    return lambda: literal


def call_native(native: Native, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    t = trace()
    names = [n for n, _ in native.params]
    try:
        bound = inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]).bind(
            *args, **kwargs
        )
    except TypeError as e:
        raise DslError(f"`{native.name}({', '.join(names)})`: {e}") from None
    texts = [_native_arg(native, n, kind, bound.arguments[n]) for n, kind in native.params]
    wrong = (
        "a constraint belongs to the match"
        if native.kind == "constraint"
        else "a native rewrite belongs inside `with rewrite(...)`"
    )
    if (native.kind == "constraint") != (t.phase == "match"):
        raise DslError(f"`{native.name}`: {wrong}")
    t.calls(native)

    if native.kind == "constraint" and not native.results:
        condition = Condition(native, texts)
        t.conditions.append(condition)
        return condition
    holder = Handle(native.name)
    results = [
        r(lambda i=i: holder._pdll() + (f".{i}" if len(native.results) > 1 else ""))
        for i, r in enumerate(native.results)
    ]
    if len(results) == 1:
        holder = results[0]
        holder._text = native.name
    call = Condition(native, texts)
    let = (lambda: f"let {holder._pdll()} = {call.text()}") if results else call.text
    steps: list[Any] = t.match if native.kind == "constraint" else t.rewrite
    steps.append(Statement(let, holder if results else None, call))
    return None if not results else results[0] if len(results) == 1 else tuple(results)


def require(*conditions: Condition) -> None:
    """Conditions of the match, all of which must hold."""
    t = trace()
    if t.phase != "match":
        raise DslError("`require` belongs to the match, before `with rewrite(...)`")
    from . import constraints

    for c in conditions:
        if isinstance(c, OptionAttr) and c._field.type is bool:
            c = constraints.is_set.condition(c)
        if not isinstance(c, Condition):
            raise DslError(f"`require` takes constraints, got {type(c).__name__}")
        c.required = True
        t.match.append(c)


def absent(thing: Handle) -> Condition:
    """The optional operand or attribute is not there."""
    from . import constraints

    t = trace()
    if isinstance(thing, BoundAttr):
        return constraints.attr_absent.condition(thing._op, thing._attr)
    if isinstance(thing, Values):
        t.uses(thing)
        return constraints.no_values.condition(thing)
    raise DslError("`absent` takes an optional operand or attribute of a matched op: `absent(op.name)`")


def default(thing: Handle, value: Any) -> Attr:
    """The optional attribute, or `value` where it is not there; used in the rewrite."""
    from . import constraints

    if not isinstance(thing, BoundAttr):
        raise DslError("`default` takes an optional attribute of a matched op: `default(op.name, value)`")
    assert thing._op._model is not None
    model = thing._op._model.attributes[thing._attr]
    made = created_attr(value, model.name, model)
    literal = made if isinstance(made, Attr) else Attr(lambda: attr_pdll(value, model))
    made_here: Attr = constraints.attr_or(thing._op, thing._attr, literal)
    return made_here


def either_order(op: Op) -> Op:
    """Matches the op with its two operands in either order."""
    if not isinstance(op, Op) or not op._matched or len(op._operands) != 2:
        raise DslError("`either_order` takes a matched op with two operands")
    op._swappable = True
    if 2 ** sum(o._swappable for o in trace().match if isinstance(o, Op)) > _MAX_VARIANTS:
        raise DslError(
            f"`either_order` makes more than {_MAX_VARIANTS} variants of one pattern; write a native constraint instead"
        )
    return op


@contextmanager
def rewrite(root: Op, *others: Op) -> Iterator[None]:
    """What happens to a match. `others` are further ops that the block replaces or erases."""
    t = trace()
    if t.legality:
        raise DslError("a `@legal` function says what is legal; it rewrites nothing")
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
    if op is not t.root:
        t.others_removed.append(here())
    return t


def _tuple(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else "(" + ", ".join(texts) + ")"


def replace(op: Op, *values: Handle) -> None:
    """Replaces all results of a matched op, then erases it."""
    t = _rewriting("replace", op)
    assert op._model is not None
    fixed = all(g.kind == "single" for g in op._model.results)
    if len(values) == 1 and isinstance(values[0], Op):
        new = values[0]
        if new._types is None and not new._matched:
            types = types_of(op)
            for type_ in types:
                t.uses(type_)
            new._types = [*types]
        text = new._pdll
    else:
        if fixed and len(values) != len(op._model.results):
            raise DslError(f"`{op._model.name}` has {len(op._model.results)} results, got {len(values)} values")
        flat = [v._value() if isinstance(v, Op) else v for v in values]
        for v in flat:
            if not isinstance(v, (Value, Values)):
                raise DslError(f"`replace` takes values, got a {type(v).__name__}")
            t.uses(v)

        def text() -> str:
            return _tuple([v._pdll() for v in flat])

    t.rewrite.append(Statement(lambda: f"replace {op._pdll()} with {text()}"))


def erase(op: Op) -> None:
    """Erases an op whose results nothing uses any more."""
    t = _rewriting("erase", op)
    t.rewrite.append(Statement(lambda: f"erase {op._pdll()}"))
