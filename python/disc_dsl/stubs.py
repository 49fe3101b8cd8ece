"""Type stubs of disc_dsl.ops: completion and checks in an editor."""

from __future__ import annotations

import keyword

from .ods import OpDef, load

_HEAD = """# Generated from the dialects' .td files by `python -m disc_dsl stubs`; do not edit.
from typing import Any

from disc_dsl.handles import Attr, Op, Value, Values

Attribute = Attr | bool | int | float | str | list[Any]

class OpMaker:
    name: str
    mnemonic: str
"""
_PARAMS = {"single": "Value | Op", "optional": "Value | Op | None = None"}


def _safe(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _op(op: OpDef) -> str:
    """What the op's maker takes, and what its handle has."""
    if any(g.kind == "variadic" for g in op.operands):
        params = ["*operands: Value | Op | Values | list[Value]"]
    else:
        params = [f"{_safe(g.name)}: {_PARAMS[g.kind]}" for g in op.operands]
        params += ["*"] if op.attributes or op.results else []
    operands = {g.name for g in op.operands}
    params += [f"{_safe(n)}: Attribute = ..." for n in op.attributes if n not in operands]
    params += ["results: Any = ..."] if op.results else []
    members = {
        _safe(g.name): "Value" if g.kind == "single" else "Values" for g in (*op.operands, *op.results) if g.name
    }
    members |= {_safe(n): "Attr" for n in op.attributes}
    fields = [f"    {n}: {kind}" for n, kind in members.items()] or ["    pass"]
    name = op.name.replace(".", "_")
    call = f"    def __call__({', '.join(['self', *params])}) -> _{name}: ..."
    return "\n".join([f"class _{name}(Op):", *fields, f"class _{name}_maker(OpMaker):", call])


def stubs() -> str:
    """The text of `disc_dsl/ops/__init__.pyi`."""
    dialects: dict[str, list[OpDef]] = {}
    for op in load().values():
        if op.mnemonic.isidentifier():
            dialects.setdefault(op.name.split(".")[0], []).append(op)
    out = [_HEAD]
    for name, ops in sorted(dialects.items()):
        out += map(_op, ops)
        out += [f"class _{name}:", *(f"    {_safe(op.mnemonic)}: _{name}_{op.mnemonic}_maker" for op in ops)]
        out.append(f"\n{name}: _{name}\n")
    return "\n".join(out)
