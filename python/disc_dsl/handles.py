"""What a pattern's author holds: typed stand-ins for values, ops, attributes and types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from .errors import DslError, here, suggestion
from .ods import AttrDef, OpDef


class Handle:
    """A stand-in that the pattern's text will name. Only `_`-names are ours: other names belong to ODS."""

    _kind = "?"

    def __init__(self, text: str | Callable[[], str] = "", name: str = "") -> None:
        self._text, self._name, self._place = text, name, here()
        self._of: Op | None = None  # the op whose result this is

    def _pdll(self) -> str:
        """The expression that names this handle in PDLL."""
        if self._name:
            return self._name
        return self._text() if callable(self._text) else self._text

    def __bool__(self) -> NoReturn:
        raise DslError("a handle has no truth value while the pattern is traced; put the condition in `require(...)`")

    def __eq__(self, other: object) -> NoReturn:
        raise DslError(
            "handles are not compared with `==`; use the same handle twice in the match, or `require(same_...(a, b))`"
        )

    __hash__ = object.__hash__


class Value(Handle):
    """One SSA value."""

    _kind = "Value"


class Values(Handle):
    """All values of a variadic group, or all results of an op."""

    _kind = "ValueRange"


class Type(Handle):
    """A type."""

    _kind = "Type"


class Types(Handle):
    """The types of several values."""

    _kind = "TypeRange"


class Attr(Handle):
    """An attribute. `Attr("#dhlo<comparison_direction EQ>")` is a literal in MLIR's spelling."""

    _kind = "Attr"

    def _pdll(self) -> str:
        if self._name or callable(self._text):
            return super()._pdll()
        text = self._text.replace("\\", "\\\\").replace('"', '\\"')
        return f'attr<"{text}">'


class Number:
    """Annotation of a native's parameter that takes an int or a float (or an `Attr`)."""


class BoundAttr(Attr):
    """`op.name`: matched only once something uses it, so that `absent(op.name)` can ask about it."""

    def __init__(self, op: Op, name: str) -> None:
        super().__init__()
        self._op, self._attr = op, name

    def _bind(self) -> None:
        self._op._attrs.setdefault(self._attr, self)


class Op(Handle):
    """An op of the match or of the rewrite."""

    _kind = "Op"

    def __init__(self, model: OpDef | None = None, matched: bool = True) -> None:
        super().__init__()
        self._model, self._matched = model, matched
        self._operands: list[Any] = []  # one entry a group: a handle, a list of handles, or None (not stated)
        self._attrs: dict[str, Any] = {}
        self._types: list[Handle | str] | None = None  # result types
        self._match_types: list[Handle] = []
        self._swappable = False
        self._bound: dict[str, BoundAttr] = {}
        self._unstated: dict[int, Handle] = {}

    def _literal(self, value: Any, model: AttrDef) -> Attr:
        from .attrs import attr_pdll

        return Attr(lambda: attr_pdll(value, model))

    def _result(self, index: int) -> Handle:
        assert self._model is not None
        whole = len(self._model.results) == 1 and self._model.results[0].kind != "single"
        kind = Value if self._model.results[index].kind == "single" else Values
        handle = kind(self._pdll if whole else lambda: f"{self._pdll()}.{index}")
        handle._of = self
        return handle

    def _value(self) -> Handle:
        """This op where a value is expected: its only result."""
        assert self._model is not None
        if len(self._model.results) != 1:
            names = ", ".join(f"`{g.name}`" for g in self._model.results) or "none"
            raise DslError(
                f"`{self._model.name}` has {len(self._model.results)} results ({names}); say which one is meant"
            )
        return self._result(0)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__dict__.get("_model") is None:
            raise AttributeError(name)
        model: OpDef = self._model  # type: ignore[assignment]
        name = name[:-1] if name.endswith("_") and name[:-1] in model.attributes else name
        if name in model.attributes:
            stated = self._attrs.get(name)
            if stated is not None and not isinstance(stated, BoundAttr):
                return stated if isinstance(stated, Attr) else self._literal(stated, model.attributes[name])
            if not self._matched:
                raise DslError(f"`{name}` of a created op was not given")
            return self._bound.setdefault(name, BoundAttr(self, name))
        for i, g in enumerate(model.results):
            if g.name == name:
                return self._result(i)
        for i, g in enumerate(model.operands):
            if g.name == name:
                stated = self._operands[i]
                if stated is not None and not isinstance(stated, list):
                    return stated
                if stated is None:
                    return self._unstated.setdefault(i, Values() if g.kind != "single" else Value())
                raise DslError(f"`{name}` was matched value by value; use those handles")
        known = [*model.attributes, *(g.name for g in (*model.results, *model.operands) if g.name)]
        raise DslError(f"`{model.name}` has no attribute, result or operand `{name}`{suggestion(name, known)}")

    def __iter__(self) -> Iterator[Handle]:
        assert self._model is not None
        if any(g.kind != "single" for g in self._model.results):
            raise DslError(f"`{self._model.name}` has a variable number of results; they cannot be unpacked")
        return iter([self._result(i) for i in range(len(self._model.results))])


class Condition:
    """An applied constraint; it counts only inside `require(...)`."""

    def __init__(self, native: Any, call: Callable[[], str], negated: bool = False) -> None:
        self.native, self.call, self.negated, self.place = native, call, negated, here()
        self.required = False

    def text(self) -> str:
        return ("not " if self.negated else "") + self.call()

    def __invert__(self) -> Condition:
        self.required = True  # replaced by its negation
        return Condition(self.native, self.call, not self.negated)

    def __bool__(self) -> NoReturn:
        raise DslError(
            f"constraint `{self.native.name}` has no truth value while the pattern is traced; put it in `require(...)`"
        )
