"""Type stubs of disc_dsl.ops: completion and checks in an editor."""

from __future__ import annotations

import keyword

from .ods import OpDef, load

_HEAD = """# Generated from the dialects' .td files by `disc-dsl stubs`; do not edit.
from typing import Any

from disc_dsl.handles import Attr, Op, Value, Values

Attribute = Attr | bool | int | float | str | list[Any]
"""
_KINDS = {"single": "Value | Op", "optional": "Value | Op | None = None"}


def _safe(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _method(op: OpDef) -> str:
    if any(g.kind == "variadic" for g in op.operands):
        params = ["*operands: Value | Op | Values | list[Value]"]
    else:
        params = [f"{_safe(g.name)}: {_KINDS[g.kind]}" for g in op.operands]
        params += ["*"] if op.attributes or op.results else []
    operands = {g.name for g in op.operands}
    params += [f"{_safe(n)}: Attribute = ..." for n in op.attributes if n not in operands]
    params += ["results: Any = ..."] if op.results else []
    return f"    def {_safe(op.mnemonic)}({', '.join(['self', *params])}) -> Op: ..."


def stubs() -> str:
    """The text of `disc_dsl/ops/__init__.pyi`."""
    dialects: dict[str, list[OpDef]] = {}
    for op in load().values():
        if op.mnemonic.isidentifier():
            dialects.setdefault(op.name.split(".")[0], []).append(op)
    out = [_HEAD]
    for name, ops in sorted(dialects.items()):
        out += [f"class _{name}:", *map(_method, ops), f"\n{name}: _{name}\n"]
    return "\n".join(out)
