"""Long `dense<[...]>` literals as MLIR's hexadecimal ones, which are parsed a hundred times as fast."""

from __future__ import annotations

import math
import re

import numpy as np

LONG = 1 << 16
_DTYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}
_TYPE = re.compile(r"\s*:\s*tensor<((?:\d+x)+)(\w+)>")


def pack_literals(text: str) -> str:
    """`text`, in which long lists of decimal numbers are one string of bytes each.

    What is no list of the numbers and the shape that its type says is left alone, for MLIR to refuse.
    """
    if len(text) < LONG:
        return text
    parts, at = [], 0
    while (begin := text.find("dense<[", at)) >= 0 and (end := text.find("]>", begin)) >= 0:
        begin += len("dense<")
        packed = None
        if end - begin > LONG and (type_ := _TYPE.match(text, end + 2)):
            shape = [int(n) for n in type_[1].split("x")[:-1]]
            packed = _packed(text[begin : end + 1], shape, type_[2])
        parts += [text[at:begin], packed if packed else text[begin : end + 1]]
        at = end + 1
    return "".join([*parts, text[at:]]) if parts else text


def _packed(literal: str, shape: list[int], element: str) -> str | None:
    """The elements in hexadecimal, and as many lines as before; None where MLIR should look at it."""
    dtype = _DTYPES.get(element)
    count = math.prod(shape)
    # Lists that are no deeper than usual, so that their brackets are few besides the numbers.
    if dtype is None or not literal.isascii() or not 0 < count <= len(literal) or 0 in shape:
        return None
    data = literal.encode()
    if data.translate(None, b"0123456789+-.eE \t\r\n") != _brackets(shape):
        return None
    is_float = dtype[0] == "f"
    # As MLIR has it: a point in every float and in no integer, a plus sign in an exponent alone.
    if data.count(b".") != (count if is_float else 0) or data.count(b"+") != data.count(b"e+") + data.count(b"E+"):
        return None
    if not is_float and (b"e" in data or b"E" in data):
        return None
    wide = "f8" if is_float else "i8"
    numbers = np.fromstring(data.translate(None, b"[]"), dtype=wide, sep=",")  # type: ignore[call-overload]
    if numbers.size != count:
        return None
    narrow = numbers.astype(f"<{dtype}")
    if is_float and not np.isfinite(narrow).all():
        return None
    if not is_float and ((narrow != numbers).any() or np.abs(numbers.astype("f8")).max() >= 2**62):
        return None
    return f'"0x{narrow.tobytes().hex().upper()}"' + "\n" * literal.count("\n")


def _brackets(shape: list[int]) -> bytes:
    """The brackets and commas of a nested list."""
    text = b""
    for i, n in enumerate(reversed(shape)):
        text = b"[" + (b"," * (n - 1) if i == 0 else b",".join([text] * n)) + b"]"
    return text
