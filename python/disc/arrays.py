"""Inputs and outputs of a module as .npz files, made up, and compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any
from zipfile import BadZipFile

import numpy as np

from .errors import DiscError
from .interpreter.types import Type, bits, kind


def read(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz file by name."""
    try:
        with np.load(path) as file:
            return {name: file[name] for name in file.files}
    except (ValueError, EOFError, TypeError, BadZipFile, UnpicklingError) as error:
        raise DiscError(f"{path}: expected an .npz file of arrays, as numpy.savez writes it") from error


def load(path: Path, types: Sequence[Type]) -> list[np.ndarray]:
    """The arrays of an .npz file for inputs of these types: `in0`, `in1`, ... or in the file's order.

    bf16 and f8 may be stored as integers of their bits, i4 as i8.
    """
    named = read(path)
    names = [n for n in named if re.fullmatch(r"in\d+", n)]
    names = sorted(names, key=lambda n: int(n[2:])) if names else [n for n in named if n != "meta"]
    arrays = [named[n] for n in names]
    if len(arrays) != len(types):
        raise DiscError(f"{path}: expected {len(types)} arrays, found {len(arrays)}: {', '.join(names)}")
    return [_typed(a, t) for a, t in zip(arrays, types)]


def _typed(array: np.ndarray, type_: Type) -> np.ndarray:
    dtype = type_.dtype
    if dtype is None or array.dtype == dtype:
        return array
    if bits(dtype) in (2, 4):
        return array.astype(dtype)
    if dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize and array.dtype.kind in "Viu":
        return array.view(dtype)
    return array


def save(path: Path, arrays: Sequence[np.ndarray], prefix: str = "out") -> None:
    """`out0`, `out1`, ...; numpy's own types only, see `load`. Tuples are their elements; tokens are left out."""
    stored = {}
    for i, array in enumerate(flat(arrays)):
        if array.dtype.kind == "V":
            array = array.astype(np.int8) if bits(array.dtype) < 8 else array.view(f"u{array.dtype.itemsize}")
        stored[f"{prefix}{i}"] = array
    np.savez(path, **stored)


def flat(values: Sequence[Any]) -> list[np.ndarray]:
    """The arrays of `values`, tuples taken apart and tokens left out, as compiled code has them."""
    found: list[np.ndarray] = []
    for value in values:
        found += flat(value) if isinstance(value, tuple) else [] if value is None else [value]
    return found


def made_up(types: Sequence[Type], sizes: Mapping[str, int], seed: int = 0) -> list[np.ndarray]:
    """Arrays of these types: floats around 0, small integers.

    sizes: of dynamic dimensions, by `input.dimension` (`0.1`), by symbol (`2*s+1` follows `s`), or `""` for all others
    """
    known = {""} | {name for t in types for symbol in t.symbols for name in re.findall(_NAME, symbol)}
    known |= {f"{i}.{d}" for i, t in enumerate(types) for d, size in enumerate(t.shape or ()) if size is None}
    for name in sizes:
        if name not in known:
            there = ", ".join(f"`{n}`" for n in sorted(known) if n)
            raise DiscError(f"no input has a dynamic dimension `{name}`; there are: {there or 'none'}")
    generator = np.random.default_rng(seed)
    arrays = []
    for i, type_ in enumerate(types):
        if type_.dtype is None:
            raise DiscError(f"input {i}: cannot make up a {type_.text}; give --inputs")
        shape = []
        for d, size in enumerate(type_.shape or ()):
            symbol = type_.symbols[d] if d < len(type_.symbols) else ""
            shape.append(size if size is not None else sizes.get(f"{i}.{d}", _declared(symbol, sizes)))
        of = kind(type_.dtype)
        if of == "b":
            array = generator.random(shape) < 0.5
        elif of in "iu":
            array = generator.integers(0 if of == "u" else -2, 4 if bits(type_.dtype) > 2 else 2, shape)
        elif of == "c":
            array = generator.standard_normal(shape) + 1j * generator.standard_normal(shape)
        else:
            array = generator.standard_normal(shape)
        arrays.append(np.asarray(array).astype(type_.dtype))
    return arrays


_NAME = r"[A-Za-z_]\w*"


def _declared(symbol: str, sizes: Mapping[str, int]) -> int:
    """The size that `2*s+1` stands for."""
    other = sizes.get("", 4)
    if not symbol:
        return other
    total = 0
    for sign, number, name in re.findall(rf"([+-]?)(\d*)\*?({_NAME})?", symbol):
        if number or name:
            term = int(number or 1) * (sizes.get(name, other) if name else 1)
            total += -term if sign == "-" else term
    return max(total, 0)


_RELATIVE = {"float64": 1e-9, "float32": 1e-5, "complex64": 2e-5, "complex128": 1e-9, "float16": 4e-3, "bfloat16": 2e-2}


@dataclass(frozen=True)
class Difference:
    """How an output differs from what it should be."""

    output: int
    text: str

    def __str__(self) -> str:
        return f"output {self.output}: {self.text}"


def difference(got: Any, want: Any, relative: float | None = None) -> str | None:
    """None where equal: integers exactly, NaN where NaN, floats to `relative` (default: by type) of their size, or of a
    tenth of the largest where they are smaller than that: sums in another order cancel differently."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f"shape {list(got.shape)}, expected {list(want.shape)}"
    if got.dtype != want.dtype:
        return f"elements of {got.dtype}, expected {want.dtype}"
    if kind(want.dtype) in "biu":
        wrong = got.astype(object) != want.astype(object)
    else:
        wide = np.complex128 if kind(want.dtype) == "c" else np.float64
        rtol = relative if relative is not None else _RELATIVE.get(want.dtype.name, 0.13)
        g, w = got.astype(wide), want.astype(wide)
        with np.errstate(all="ignore"):
            size = np.abs(w)
            scale = float(np.max(size[np.isfinite(size)], initial=0.0))
            near = np.abs(g - w) <= rtol * np.maximum(size, 0.1 * scale) + np.finfo(np.float32).tiny
        wrong = ~(near | (g == w) | (np.isnan(g) & np.isnan(w)))
    count = int(np.count_nonzero(wrong))
    if not count:
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    where = f"[{', '.join(map(str, at))}]" if at else "the value"
    return f"{count} of {want.size} elements differ; {where} is {got[at]}, expected {want[at]}"


def differences(got: Sequence[Any], want: Sequence[Any], relative: float | None = None) -> list[Difference]:
    """One entry an output that differs; tuples count as their elements."""
    got, want = flat(got), flat(want)
    if len(got) != len(want):
        return [Difference(min(len(got), len(want)), f"{len(got)} outputs, expected {len(want)}")]
    found = [(i, difference(g, w, relative)) for i, (g, w) in enumerate(zip(got, want))]
    return [Difference(i, text) for i, text in found if text]
