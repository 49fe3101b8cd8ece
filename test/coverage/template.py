"""Cases of the coverage table: one op, in a few lines of text that serve each element type, static and dynamic.

In a template `{a,4}` is the type of a tensor of the case's element type with sizes a and 4, `{a,4:i1}` one of another
element type (`R`: the real part's), `{T}` the element type alone, `{V}` a value of it. Letters are sizes: 3, 5, 2 in the static form, `?` in the dynamic one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

# d = a + c + a and f = a + 3 are sizes of results; u and v are 1 or b, and which of them is 1 changes from call to call.
STATIC = dict(a=3, b=5, c=2, d=8, f=6, u=1, v=5)
DYNAMIC = [
    STATIC, dict(a=1, b=1, c=1, u=1, v=1), dict(a=0, b=2, c=3, u=2, v=1), dict(a=17, b=9, c=2, u=9, v=9),
    dict(a=4, b=0, c=2, u=1, v=0),
]  # fmt: skip

SIGNED = ("i4", "i8", "i16", "i32", "i64")
UNSIGNED = ("ui4", "ui8", "ui16", "ui32", "ui64")
INTS = SIGNED + UNSIGNED
WIDE_INTS = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
FLOATS = ("f16", "bf16", "f32", "f64")
COMPLEX = ("complex<f32>", "complex<f64>")
BOOL = ("i1",)
F8 = ("f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3", "f8E3M4")
ALL = BOOL + INTS + FLOATS + COMPLEX
DTYPES = ALL + F8

_NUMPY = {"i1": "?", "f16": "f2", "f32": "f4", "f64": "f8", "complex<f32>": "c8", "complex<f64>": "c16", "bf16": ml_dtypes.bfloat16}
_NUMPY |= {"i4": ml_dtypes.int4, "ui4": ml_dtypes.uint4}
_NUMPY |= {f"i{8 * n}": f"i{n}" for n in (1, 2, 4, 8)} | {f"ui{8 * n}": f"u{n}" for n in (1, 2, 4, 8)}
_NUMPY |= {name: getattr(ml_dtypes, "float8_" + name[2:].lower()) for name in F8}


def numpy_dtype(dtype: str) -> np.dtype:
    return np.dtype(_NUMPY[dtype])


def real_part(dtype: str) -> str:
    return dtype[8:-1] if dtype.startswith("complex") else dtype


@dataclass(frozen=True)
class Case:
    """One op.

    args:    name -> template of its type; integers given as `name=low..high` in `ranges` are drawn there
    body:    lines that define %r (or the names in `results`)
    results: name -> template of its type
    values:  "any" (special values too), "small" (multiples of 1/4 below 4: sums are exact), "unit" (-1..1), "positive"
    exact:   there is one right answer; else the bounds of docs/numerics.md apply
    scaled:  those bounds are relative to the largest element (sums that may cancel)
    forms:   "static", "dynamic" or both
    """

    op: str
    dtypes: tuple[str, ...]
    args: dict[str, str]
    body: str
    results: dict[str, str]
    values: str = "any"
    exact: bool = True
    scaled: bool = False
    forms: tuple[str, ...] = ("static", "dynamic")
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    sizes: tuple[dict[str, int], ...] = tuple(DYNAMIC)
    note: str = ""

    def text(self, form: str) -> str:
        """A module that does the op for every element type at once."""
        parts = [self._one(dtype, form) for dtype in self.dtypes]
        arguments = ", ".join(a for p in parts for a in p[0])
        types = ", ".join(t for p in parts for t in p[3])
        names = ", ".join(n for p in parts for n in p[2])
        body = "\n".join(p[1] for p in parts)
        return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n"

    def _one(self, dtype: str, form: str) -> tuple[list[str], str, list[str], list[str]]:
        tag = re.sub(r"\W", "", dtype)
        fill = lambda text: expand(text, dtype, form)
        rename = lambda text: re.sub(r"%(\w+)", rf"%\1_{tag}", text)
        arguments = [f"%{name}_{tag}: {fill(type)}" for name, type in self.args.items()]
        body = "\n".join("  " + rename(fill(line.strip())) for line in self.body.strip().splitlines())
        return arguments, body, [f"%{n}_{tag}" for n in self.results], [fill(t) for t in self.results.values()]

    def inputs(self, sizes: dict[str, int], seed: int = 0) -> list[np.ndarray]:
        random = np.random.default_rng(seed)
        arrays = []
        for dtype in self.dtypes:
            for name, type in self.args.items():
                dims, element = parse(type, dtype)
                shape = tuple(sizes[d] if d in sizes else int(d) for d in dims)
                arrays.append(self._draw(random, name, element, shape))
        return arrays

    def _draw(self, random: np.random.Generator, name: str, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
        if name in self.ranges:
            low, high = self.ranges[name]
            return random.integers(low, high + 1, shape).astype(numpy_dtype(dtype))
        return draw(random, dtype, shape, self.values)


def draw(random: np.random.Generator, dtype: str, shape: tuple[int, ...], values: str) -> np.ndarray:
    """Random values of `dtype`, of the kind that `values` names."""
    if dtype == "i1":
        return random.random(shape) < 0.5
    if dtype.startswith("complex"):
        part = lambda: draw(random, real_part(dtype), shape, values)
        real = part()
        return (real + 1j * part().astype(real.dtype)).astype(numpy_dtype(dtype))
    target = numpy_dtype(dtype)
    if dtype[0] in "iu":
        return _integers(random, dtype, shape, values).astype(target)
    out = random.integers(-15, 16, shape) / 4.0
    if values == "unit":
        out = random.uniform(-0.95, 0.95, shape)
    elif values == "positive":
        out = random.uniform(0.3, 6.0, shape)
    elif values == "any":
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-7, -3.0, 100.0])
        out = np.where(random.random(shape) < 0.4, random.choice(special, shape), random.normal(0, 3, shape))
    return np.asarray(out).astype(target)


def _integers(random: np.random.Generator, dtype: str, shape: tuple[int, ...], values: str) -> np.ndarray:
    bits = int(dtype.lstrip("ui"))
    low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if values != "any":
        low, high = max(low, -4), min(high, 4)
        return random.integers(low, high + 1, shape)
    wide = random.integers(low, high, shape, dtype=np.uint64 if low == 0 else np.int64, endpoint=True)
    near = random.choice(np.array([low, high, 0, 1, 2, 3], dtype=wide.dtype), shape)
    return np.where(random.random(shape) < 0.4, near, wide)


_LITERALS = {"i1": "true"}
_TYPE = re.compile(r"\{([a-z0-9,]*)(?::([^{}]+))?\}")


def parse(template: str, dtype: str) -> tuple[list[str], str]:
    """The sizes and the element type of a type template."""
    dims, element = _TYPE.fullmatch(template.replace("{T}", dtype)).groups()
    return [d for d in dims.split(",") if d], _element(element, dtype)


def _element(element: str | None, dtype: str) -> str:
    return dtype if element is None else real_part(dtype) if element == "R" else element


def expand(text: str, dtype: str, form: str) -> str:
    """`text` with its type templates written out."""

    def write(match: re.Match) -> str:
        sizes = (STATIC.get(d, d) if form == "static" else "?" if d in STATIC else d for d in match[1].split(",") if d)
        return f"tensor<{''.join(f'{d}x' for d in sizes)}{_element(match[2], dtype)}>"

    literal = _LITERALS.get(dtype, "(1.5, -2.0)" if dtype.startswith("complex") else "1.5" if dtype in FLOATS else "3")
    return _TYPE.sub(write, text.replace("{T}", dtype).replace("{V}", literal))
