"""MLIR's types as shapes and numpy dtypes; dense attributes as arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

_DTYPES = {"i1": np.bool_, "index": np.int64, "bf16": ml_dtypes.bfloat16, "tf32": np.float32}
_DTYPES |= {f"f{n}": getattr(np, f"float{n}") for n in (16, 32, 64)}
_DTYPES |= {f"complex<f{n}>": getattr(np, f"complex{2 * n}") for n in (32, 64)}
for _n in (8, 16, 32, 64):
    _DTYPES |= {f"{p}{_n}": getattr(np, f"int{_n}") for p in ("i", "si")}
    _DTYPES[f"ui{_n}"] = getattr(np, f"uint{_n}")
for _n in (2, 4):
    _DTYPES |= {f"{p}{_n}": getattr(ml_dtypes, f"int{_n}") for p in ("i", "si")}
    _DTYPES[f"ui{_n}"] = getattr(ml_dtypes, f"uint{_n}")
for _f in ("E3M4", "E4M3", "E4M3FN", "E4M3FNUZ", "E4M3B11FNUZ", "E5M2", "E5M2FNUZ", "E8M0FNU"):
    _DTYPES["f8" + _f] = getattr(ml_dtypes, "float8_" + _f.lower())
DTYPES = {name: np.dtype(dtype) for name, dtype in _DTYPES.items()}

_BITS = {"bool": 1, "int2": 2, "uint2": 2, "int4": 4, "uint4": 4}


@dataclass(frozen=True)
class Type:
    """shape: None where the type has none, else a size or None (dynamic) a dimension; dtype: None for no number;
    symbols: names of an input's dimensions, where it has some."""

    text: str
    shape: tuple[int | None, ...] | None
    dtype: np.dtype | None
    element: str
    symbols: tuple[str, ...] = ()

    @property
    def static(self) -> bool:
        return self.shape is not None and None not in self.shape


_cache: dict[str, Type] = {}


def type_of(mlir_type: Any) -> Type:
    """The Type of one of the bindings' types; tokens, tuples and functions have no dtype."""
    text = str(mlir_type)
    found = _cache.get(text)
    if found is None:
        shape = None
        element = text
        if text.startswith(("tensor<", "memref<", "vector<")) and not text.startswith(("tensor<*", "memref<*")):
            element = str(mlir_type.element_type)
            shape = tuple(None if size < 0 else size for size in mlir_type.shape)
        found = _cache[text] = Type(text, shape, element_dtype(element), element)
    return found


def element_dtype(element: str) -> np.dtype | None:
    """The dtype of an element type; a quantized one has that of its storage."""
    if element.startswith("!quant."):
        element = re.match(r"!quant\.uniform<(\w+)", element).group(1)
    element = re.sub(r"^u(?=\d)", "ui", element)  # how quantized types spell unsigned storage
    if element not in DTYPES and re.fullmatch(r"[su]?i\d+", element):
        bits = int(element.lstrip("sui"))
        whole = next((n for n in (8, 16, 32, 64) if n >= bits), None)
        return None if whole is None else np.dtype(f"{'u' if element[0] == 'u' else ''}int{whole}")
    return DTYPES.get(element)


def kind(dtype: np.dtype) -> str:
    """`b`ool, signed `i`nteger, `u`nsigned, `f`loat or `c`omplex; also of ml_dtypes' types."""
    if dtype.kind != "V":
        return dtype.kind
    return "u" if dtype.name.startswith("uint") else "i" if dtype.name.startswith("int") else "f"


def bits(dtype: np.dtype) -> int:
    return _BITS.get(dtype.name, dtype.itemsize * 8)


def narrow_float(dtype: np.dtype) -> bool:
    """f16, bf16 and f8: what sums accumulate in f32."""
    return kind(dtype) == "f" and dtype.itemsize < 4


def elements(mlir_op: Any, name: str) -> np.ndarray:
    """The array of a dense attribute of an op; raises ValueError for others."""
    from ..mlir._mlir_libs import _disc

    found = _disc.elements(mlir_op, name)
    if found is None:
        raise ValueError(f"expected a dense attribute `{name}`")
    data, splat, mlir_type = found
    type_ = type_of(mlir_type)
    flat = np.frombuffer(data, dtype=np.int8 if bits(type_.dtype) < 8 else type_.dtype)
    if flat.size != (1 if splat else np.prod(type_.shape, dtype=np.int64)):
        raise ValueError(f"`{name}` of type {type_.text} has {flat.size} elements")
    flat = flat.astype(type_.dtype)
    return np.full(type_.shape, flat[0], type_.dtype) if splat else flat.reshape(type_.shape)
