"""Ops of every known dialect: `from disc_dsl.ops import dhlo`, then `dhlo.add(x, y)`.

Inside a match a call describes an op to find, inside `with rewrite(...)` one to create. A name that is a Python keyword
takes a trailing underscore: `dhlo.and_`.
"""

from __future__ import annotations

from typing import Any

from ..errors import DslError, suggestion
from ..handles import Op
from ..ods import OpDef, load
from ..trace import make_op


class OpMaker:
    """`dialect.op`: calling it states an op."""

    def __init__(self, model: OpDef) -> None:
        self.model = model
        self.name, self.mnemonic = model.name, model.mnemonic

    def __call__(self, *args: Any, **kwargs: Any) -> Op:
        return make_op(self.model, args, kwargs)

    def __getattr__(self, name: str) -> OpMaker:
        return _op(f"{self.model.name}.{name}")

    def __repr__(self) -> str:
        return f"<op {self.name}>"


def _op(name: str) -> OpMaker:
    ops = load()
    for candidate in (name, name.rstrip("_")):
        if candidate in ops:
            return OpMaker(ops[candidate])
    dialect, _, mnemonic = name.partition(".")
    near = suggestion(mnemonic, [n.split(".", 1)[1] for n in ops if n.startswith(dialect + ".")])
    raise DslError(f"dialect `{dialect}` has no op `{mnemonic}`{near}")


class Dialect:
    """A dialect's ops as attributes."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> OpMaker:
        if name.startswith("__"):
            raise AttributeError(name)
        return _op(f"{self._name}.{name}")

    def __dir__(self) -> list[str]:
        return sorted(n.split(".", 1)[1] for n in load() if n.startswith(self._name + "."))


def __getattr__(name: str) -> Dialect:
    if name.startswith("__"):
        raise AttributeError(name)
    dialects = {n.split(".", 1)[0] for n in load()}
    if name not in dialects:
        raise DslError(f"unknown dialect `{name}`{suggestion(name, dialects)}; known: {', '.join(sorted(dialects))}")
    return Dialect(name)
