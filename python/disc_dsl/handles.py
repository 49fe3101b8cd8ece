"""What a pattern's author holds: typed stand-ins for values, ops, attributes and types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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

    def __invert__(self) -> Any:
        raise DslError(f"`~` negates a constraint inside `require(...)`, got a handle of kind {type(self).__name__}")


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


def kind_name(annotation: Any) -> str:
    """An annotation as an author writes it."""
    return annotation.__name__ if isinstance(annotation, type) and "[" not in str(annotation) else str(annotation)


@dataclass(frozen=True)
class OptionField:
    """An option of a pass: a field of its dataclass."""

    name: str
    type: Any  # bool, int, float, str or a list of them
    default: Any
    help: str

    @property
    def flag(self) -> str:
        return self.name.replace("_", "-")


_option_values: Mapping[str, Any] | None = None


@contextmanager
def option_values(values: Mapping[str, Any]) -> Iterator[None]:
    """Text made inside holds these values where it would name options."""
    global _option_values
    _option_values = values
    try:
        yield
    finally:
        _option_values = None


class OptionAttr(Attr):
    """`options.name`: a constant while the pass runs, which its options give."""

    def __init__(self, field: OptionField) -> None:
        super().__init__()
        self._field = field

    def _spelled(self, model: AttrDef | None) -> str:
        """In MLIR's syntax, as ODS wants it; without a value a mark that the pass replaces."""
        from .attrs import attr_mlir

        if _option_values is not None:
            return attr_mlir(_option_values[self._field.name], model)
        return f'{{like = {attr_mlir(self._field.default, model)}, option = "{self._field.flag}"}}'

    def _pdll(self) -> str:
        from .attrs import attr_pdll

        return attr_pdll(self)

    def __invert__(self) -> Any:
        from .constraints import is_set

        return ~is_set(self)


class Options:
    """A pattern's parameter whose type is the dataclass of the pass's options."""

    def __init__(self, name: str, fields: list[OptionField]) -> None:
        self._name, self._fields = name, {f.name: f for f in fields}

    def __getattr__(self, name: str) -> OptionAttr:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._fields:
            raise DslError(f"`{self._name}` has no option `{name}`{suggestion(name, self._fields)}")
        return OptionAttr(self._fields[name])


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

    def __iter__(self) -> Iterator[Any]:
        assert self._model is not None
        if any(g.kind != "single" for g in self._model.results):
            raise DslError(f"`{self._model.name}` has a variable number of results; they cannot be unpacked")
        return iter([self._result(i) for i in range(len(self._model.results))])


class Condition:
    """An applied constraint; it counts only inside `require(...)`."""

    def __init__(self, native: Any, args: list[Callable[[], str]], negated: bool = False) -> None:
        self.native, self.args, self.negated, self.place = native, args, negated, here()
        self.required = False

    def text(self) -> str:
        return ("not " if self.negated else "") + f"{self.native.name}({', '.join(a() for a in self.args)})"

    def __invert__(self) -> Condition:
        self.required = True  # replaced by its negation
        return Condition(self.native, self.args, not self.negated)

    def __and__(self, other: object) -> NoReturn:
        raise DslError("conditions are not joined by `&`: `require(a, b)` wants both")

    def __or__(self, other: object) -> NoReturn:
        raise DslError("conditions are not joined by `|`: write a pattern for each, or one native constraint")

    def __bool__(self) -> NoReturn:
        raise DslError(
            f"constraint `{self.native.name}` has no truth value while the pattern is traced; put it in `require(...)`"
        )
