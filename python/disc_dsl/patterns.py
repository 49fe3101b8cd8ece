"""`@pattern` and `@legal`: running an author's function once, with handles for arguments."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from collections.abc import Callable
from typing import Any

from .errors import DslError, Place
from .handles import Attr, Op, Options, Type, Types, Value, Values
from .passes import option_fields
from .trace import Statement, Trace, tracing


class Pattern:
    """A traced pattern: what it said, and where. With `legality` it rewrites nothing: what it matches is legal."""

    def __init__(
        self, fn: Callable[..., None], benefit: int, name: str | None, doc: str | None, legality: bool = False
    ) -> None:
        self.name, self.benefit, self.legality = name or fn.__name__, benefit, legality
        self.place = Place(fn.__code__.co_filename, fn.__code__.co_firstlineno)
        self.doc = (doc or inspect.getdoc(fn) or "").strip()
        if not self.doc:
            raise DslError(f"pattern `{self.name}` needs a docstring: `before -> after`", self.place)
        if not self.name.isidentifier():
            raise DslError(f"pattern name `{self.name}` is not an identifier", self.place)
        if not 1 <= benefit <= 65535:
            raise DslError(f"benefit of `{self.name}` is {benefit}; expected 1 to 65535", self.place)
        self.trace = Trace(legality)
        self._run(fn)
        self._check()

    def _argument(self, name: str, kind: Any) -> Any:
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            self.trace.options = kind
            return Options(name, option_fields(kind))
        if kind not in (Value, Values, Attr, Type, Types):
            raise DslError(
                f"parameter `{name}` of pattern `{self.name}` needs a type: "
                "Value, Values, Attr, Type, Types or a dataclass of options",
                self.place,
            )
        handle = kind(name)
        self.trace.params.append(handle)
        return handle

    def _run(self, fn: Callable[..., None]) -> None:
        t, hints = self.trace, typing.get_type_hints(fn)
        args = [self._argument(name, hints.get(name)) for name in inspect.signature(fn).parameters]

        def profile(frame: Any, event: str, _: Any) -> None:
            if event == "return" and frame.f_code is fn.__code__:
                t.local_names.update(frame.f_locals)

        before = sys.getprofile()
        sys.setprofile(profile)
        try:
            with tracing(t):
                fn(*args)
        finally:
            sys.setprofile(before)

    def _check(self) -> None:
        t = self.trace
        if t.legality:
            t.root = root = next((x for x in reversed(t.match) if isinstance(x, Op)), None)
            t.rewrite.append(Statement(lambda: f"is_legal({root._pdll() if root is not None else ''})"))
        if t.root is None:
            what = "matches no op" if t.legality else "has no `with rewrite(root):` block"
            raise DslError(f"pattern `{self.name}` {what}", self.place)
        for p in t.params:
            if id(p) not in t.used:
                raise DslError(
                    f"parameter `{p._text}` of pattern `{self.name}` is used nowhere in the match", self.place
                )
        for c in t.conditions:
            if not c.required:
                raise DslError(f"constraint `{c.native.name}` is applied outside `require(...)`", c.place)


def pattern(fn: Any = None, *, benefit: int = 1, name: str | None = None, doc: str | None = None) -> Any:
    """Makes a rewrite pattern of a function: match, `require`, `with rewrite(root)`.

    Among matching patterns the higher benefit goes first.
    """
    if fn is None:
        return lambda f: Pattern(f, benefit, name, doc)
    return Pattern(fn, benefit, name, doc)


def legal(fn: Any = None, *, name: str | None = None, doc: str | None = None) -> Any:
    """In a dialect conversion: the last op that the function matches is legal where it matches, illegal elsewhere."""
    if fn is None:
        return lambda f: Pattern(f, 1, name, doc, legality=True)
    return Pattern(fn, 1, name, doc, legality=True)
