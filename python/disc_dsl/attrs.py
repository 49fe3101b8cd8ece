"""Python values as MLIR attributes, in the spelling that ODS asks for."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from typing import Any

from .errors import DslError
from .handles import Attr, OptionAttr
from .ods import AttrDef

_INT = {f"I{n}Attr": f"i{n}" for n in (1, 8, 16, 32, 64)} | {"IndexAttr": "index", "SI64Attr": "si64"}
_FLOAT = {"F16Attr": "f16", "BF16Attr": "bf16", "F32Attr": "f32", "F64Attr": "f64"}
_ARRAY = {f"DenseI{n}ArrayAttr": f"i{n}" for n in (8, 32, 64)} | {
    "DenseBoolArrayAttr": "i1",
    "DenseF32ArrayAttr": "f32",
}


def float_text(value: float, type_: str) -> str:
    if type_ in ("f32", "f64") and not math.isfinite(value):
        bits = struct.pack(">f" if type_ == "f32" else ">d", value).hex().upper()
        return f"0x{bits} : {type_}"
    text = repr(value)
    if "." not in text and "e" in text:
        text = text.replace("e", ".0e")
    return f"{text} : {type_}"


def _string(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def attr_mlir(value: Any, model: AttrDef | None = None) -> str:
    """`value` in MLIR's attribute syntax; `model`: the ODS attribute it is meant for, None for a native's argument."""
    kind, cpp = (model.constraint, model.cpp) if model else ("", "")
    if isinstance(value, bool):
        return "unit" if kind == "UnitAttr" and value else str(value).lower()
    if isinstance(value, int) and kind not in _FLOAT:
        return f"{value} : {_INT.get(kind, 'i64')}"
    if isinstance(value, (int, float)):
        return float_text(float(value), _FLOAT.get(kind, "f64"))
    if isinstance(value, str):
        if "SymbolRef" in kind:
            return value if value.startswith("@") else f"@{value}"
        if model and (value.startswith("#") or cpp == "::mlir::TypeAttr"):
            return value
        if m := re.match(r"::mlir::(\w+)::(\w+)Attr$", cpp):
            return f"#{m[1]}<{_snake(m[2])} {value}>"
        return _string(value)
    if isinstance(value, Sequence):
        if kind in _ARRAY or not model:
            items = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in value)
            return f"array<{_ARRAY.get(kind, 'i64')}{': ' if value else ''}{items}>"
        return "[" + ", ".join(attr_mlir(v) for v in value) + "]"
    raise DslError(f"a {type(value).__name__} is not an attribute; give a bool, int, float, str, list or `Attr`")


def dialect_text(value: Any, model: AttrDef | None = None) -> str | None:
    """The text of an attribute of some dialect: mlir-pdll, which knows no dialect, cannot hold it."""
    text = value._text if type(value) is Attr and not value._name else None
    text = attr_mlir(value, model) if text is None and not isinstance(value, Attr) else text
    return text if isinstance(text, str) and "#" in text and not text.startswith('"') else None


def attr_pdll(value: Any, model: AttrDef | None = None) -> str:
    """`value` as a PDLL expression."""
    if isinstance(value, Attr) and not isinstance(value, OptionAttr):
        return value._pdll()
    text = value._spelled(model) if isinstance(value, OptionAttr) else attr_mlir(value, model)
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'attr<"{text}">'
