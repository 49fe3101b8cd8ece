"""Writes the modules of the field cases: each program takes its data as arguments, or holds it as constants."""

from __future__ import annotations

import numpy as np
import torch

import disc

LENGTHS = (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 8192, 8193)
SHORT = (1, 2, 3, 5, 7, 8, 9, 15, 16, 17)

_NAMES = {"bool": "i1", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}


def element(array: np.ndarray) -> str:
    """MLIR's name of the array's element type."""
    name = array.dtype.name
    return _NAMES.get(name) or name.replace("uint", "ui").replace("int", "i")


def type_of(array: np.ndarray) -> str:
    return f"tensor<{''.join(f'{d}x' for d in array.shape)}{element(array)}>"


def constant(array: np.ndarray) -> str:
    """`array` as a dense literal, bit for bit."""
    array = np.asarray(array)
    if array.size == 0:
        return f"dense<> : {type_of(array)}"
    if array.dtype == bool:
        return f"dense<{_nested(array)}> : {type_of(array)}"
    return f'dense<"0x{array.tobytes().hex().upper()}"> : {type_of(array)}'


def _nested(array: np.ndarray) -> str:
    return str(bool(array)).lower() if array.ndim == 0 else "[" + ", ".join(map(_nested, array)) + "]"


def module(parts: list[tuple[str, list[str], list[tuple[str, str]]]]) -> str:
    """One @main of several programs (template, argument types or constants, results), one after the other.

    A template names its inputs $0, $1, ... and its values %.name; a result is (name, type). An input that is a literal
    (`dense<...> : type`) becomes a constant.
    """
    header, body, names, types = [], [], [], []
    for part, (template, inputs, results) in enumerate(parts):
        text = template
        for i, _ in enumerate(inputs):
            value = f"%in{part}_{i}"
            if inputs[i].startswith("dense"):
                body.append(f"  {value} = stablehlo.constant {inputs[i]}")
            else:
                header.append(f"{value}: {inputs[i]}")
            text = text.replace(f"${i}", value)
        body.append(text.replace("%.", f"%p{part}_"))
        names += [name.replace("%.", f"%p{part}_") for name, _ in results]
        types += [t for _, t in results]
    lines = "\n".join(body)
    outs = ", ".join(types)
    return f"func.func @main({', '.join(header)}) -> ({outs}) {{\n{lines}\n  return {', '.join(names)} : {outs}\n}}\n"


def check(template, inputs, results, make, expect, lengths=LENGTHS, compare=None) -> None:
    """A program of one size {n}: dynamic for all `lengths` at once; static, with arguments and constants, for each.

    inputs:  types with {n} in them; results: (name, type) with {n} in it
    make(n): the input arrays; expect(*arrays): the result or the list of them
    """
    compare = compare or equal
    fill = lambda text, n: text.replace("{n}", str(n))
    listed = lambda value: value if isinstance(value, list) else [value]
    dynamic = module([(fill(template, "?"), [fill(t, "?") for t in inputs], [(r, fill(t, "?")) for r, t in results])])
    program = disc.compile(dynamic)
    before = disc.compile_count()
    for n in lengths:
        arrays = make(n)
        for got, expected in zip(run(program, *arrays), listed(expect(*arrays)), strict=True):
            compare(got, expected, f"dynamic, n = {n}")
    assert disc.compile_count() == before

    parts, arguments, wanted = [], [], []
    for n in lengths:
        arrays = make(n)
        outs = [(r, fill(t, n)) for r, t in results]
        parts.append((fill(template, n), [fill(t, n) for t in inputs], outs))
        parts.append((fill(template, n), [constant(a) for a in arrays], outs))
        arguments += arrays
        expected = listed(expect(*arrays))
        wanted += [(e, f"static argument, n = {n}") for e in expected] + [(e, f"constant, n = {n}") for e in expected]
    for got, (expected, what) in zip(outputs(module(parts), *arguments), wanted, strict=True):
        compare(got, expected, what)


def outputs(text: str, *inputs: np.ndarray) -> list[np.ndarray]:
    """Compiles and runs once."""
    return run(disc.compile(text), *inputs)


def run(program: disc.api.Compiled, *inputs: np.ndarray) -> list[np.ndarray]:
    got = program(*inputs)
    return list(got) if isinstance(got, tuple) else [got]


def equal(got: np.ndarray, expected: np.ndarray, what: object = "") -> None:
    """Same type, shape and values; NaN equals NaN, and -0 is told from 0."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape, (what, got.dtype, got.shape)
    if got.dtype.kind not in "biuc":
        got, expected = got.astype(np.float64), expected.astype(np.float64)
        np.testing.assert_array_equal(np.signbit(got) & (got == 0), np.signbit(expected) & (expected == 0), str(what))
    np.testing.assert_array_equal(got, expected, err_msg=str(what))


class _Function(torch.nn.Module):
    def __init__(self, function) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def torch_program(function, example, dynamic: list[list[int]] | None = None):
    """`function` of tensors, compiled; dynamic: for each input the dimensions whose sizes may change (default: all)."""
    auto = torch.export.Dim.AUTO
    if dynamic is None:
        dynamic = [list(range(x.dim())) for x in example]
    shapes = (tuple({d: auto for d in dims} if dims else None for dims in dynamic),)
    return disc.compile(_Function(function), tuple(example), shapes)


def like_torch(function, inputs: list[tuple], dynamic: list[list[int]] | None = None, rtol=1e-5, atol=0.0) -> None:
    """One artifact, made from the first inputs, gives eager's answers for all of them."""
    program = torch_program(function, inputs[0], dynamic)
    before = disc.compile_count()
    for args in inputs:
        expected, got = function(*args), program(*args)
        expected = [expected] if isinstance(expected, torch.Tensor) else list(expected)
        got = [got] if isinstance(got, torch.Tensor) else list(got)
        shapes = [tuple(x.shape) for x in args]
        assert len(got) == len(expected)
        for mine, theirs in zip(got, expected):
            torch.testing.assert_close(
                mine, theirs, rtol=rtol, atol=atol, equal_nan=True, msg=lambda m: f"{shapes}: {m}"
            )
    assert disc.compile_count() == before
