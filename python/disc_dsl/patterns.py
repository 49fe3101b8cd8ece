"""`@pattern`: running an author's function once, with handles for arguments."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable
from typing import Any

from .errors import DslError, Place
from .handles import Attr, Type, Types, Value, Values
from .trace import Trace, tracing


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
        t, hints = self.trace, typing.get_type_hints(fn)
        for name in inspect.signature(fn).parameters:
            kind = hints.get(name)
            if kind not in (Value, Values, Attr, Type, Types):
                raise DslError(
                    f"parameter `{name}` of pattern `{self.name}` needs a type: Value, Values, Attr, Type or Types",
                    self.place,
                )
            t.params.append(kind(name))

        def profile(frame: Any, event: str, _: Any) -> None:
            if event == "return" and frame.f_code is fn.__code__:
                t.local_names.update(frame.f_locals)

        before = sys.getprofile()
        sys.setprofile(profile)
        try:
            with tracing(t):
                fn(*t.params)
        finally:
            sys.setprofile(before)
        self._check()

    def _check(self) -> None:
        t = self.trace
        if t.root is None:
            raise DslError(f"pattern `{self.name}` has no `with rewrite(root):` block", self.place)
        for p in t.params:
            if id(p) not in t.used:
                raise DslError(
                    f"parameter `{p._text}` of pattern `{self.name}` is used nowhere in the match", self.place
                )
        for c in t.conditions:
            if not c.required:
                raise DslError(f"constraint `{c.native.name}` is applied outside `require(...)`", c.place)


def pattern(fn: Any = None, *, benefit: int = 1, name: str | None = None, doc: str | None = None) -> Any:
    """Makes a rewrite pattern of a function: match, `require`, `with rewrite(root)`. Among matching patterns the higher benefit goes first."""
    if fn is None:
        return lambda f: Pattern(f, benefit, name, doc)
    return Pattern(fn, benefit, name, doc)
