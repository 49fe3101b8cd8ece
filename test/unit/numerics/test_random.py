"""rng_bit_generator gives XLA's bits; rng is checked for type, bounds, moments and repeatability."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import disc
import numpy as np
import pytest
from disc.errors import ExecutionError
from programs import DTYPES

# Printed by XLA 0.10.2 (jaxlib) on the CPU.
CASES = json.loads((Path(__file__).parent / "random_bits.json").read_text())


def bit_generator(algorithm: str, length: int, result: str) -> str:
    state = f"tensor<{length}xui64>"
    return f"""func.func @main(%s: {state}) -> ({state}, {result}) {{
      %n, %r = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : ({state}) -> ({state}, {result})
      return %n, %r : {state}, {result}
    }}"""


def type_of(shape: list[int], dtype: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


@pytest.mark.parametrize("shape", sorted({tuple(case["shape"]) for case in CASES}), ids=str)
def test_bits_are_those_of_xla(shape: tuple[int, ...]) -> None:
    for case in CASES:
        if tuple(case["shape"]) != shape:
            continue
        program = disc.compile(
            bit_generator(case["algorithm"], len(case["state"]), type_of(case["shape"], case["dtype"]))
        )
        state, bits = program(np.array(case["state"], np.uint64))
        want = np.array(case["bits"], DTYPES[case["dtype"]]).reshape(shape)
        np.testing.assert_array_equal(bits, want, err_msg=str(case))
        assert bits.dtype == want.dtype
        np.testing.assert_array_equal(state, np.array(case["next"], np.uint64), err_msg=str(case))


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64", "ui16", "f16", "f32", "f64"])
def test_other_types_hold_the_same_bits(dtype: str) -> None:
    key = np.array([7, 11], np.uint64)
    wide = np.dtype(DTYPES[dtype]).itemsize
    unsigned = {1: "ui8", 2: "ui16", 4: "ui32", 8: "ui64"}[wide]
    _, got = disc.compile(bit_generator("THREE_FRY", 2, f"tensor<9x{dtype}>"))(key)
    _, words = disc.compile(bit_generator("THREE_FRY", 2, f"tensor<9x{'ui64' if wide == 8 else 'ui32'}>"))(key)
    np.testing.assert_array_equal(got.view(DTYPES[unsigned]), words.astype(DTYPES[unsigned]))


def test_bits_do_not_depend_on_threads() -> None:
    text = bit_generator("PHILOX", 3, "tensor<300x401xui32>")
    key = np.array([1, 2, 3], np.uint64)
    results = [disc.compile(text, threads=threads)(key)[1] for threads in (1, 3)]
    np.testing.assert_array_equal(results[0], results[1])


def test_state_of_a_wrong_type_is_refused() -> None:
    text = bit_generator("THREE_FRY", 3, "tensor<4xui32>")
    with pytest.raises(disc.CompileError, match="expected an initial state of type tensor<2xui64>"):
        disc.compile(text)


def rng(dtype: str, distribution: str, shape: str = "?x?") -> str:
    rank = shape.count("x") + 1 if shape else 0
    result = f"tensor<{shape}{'x' if shape else ''}{dtype}>"
    return f"""func.func @main(%a: tensor<{dtype}>, %b: tensor<{dtype}>, %s: tensor<{rank}xi64>) -> {result} {{
      %r = stablehlo.rng %a, %b, %s, distribution = {distribution}
        : (tensor<{dtype}>, tensor<{dtype}>, tensor<{rank}xi64>) -> {result}
      return %r : {result}
    }}"""


BOUNDS = {"i1": (0, 1), "i8": (-100, 90), "ui8": (3, 250), "i16": (-5, 6), "i32": (-(2**31), 2**31 - 1)}
BOUNDS |= {"ui32": (0, 2**32 - 1), "i64": (-(2**63), 2**63 - 1), "ui64": (1, 2**64 - 1), "f16": (-1, 1.5)}
BOUNDS |= {"f32": (-3, 5), "f64": (1e300, 1.5e300)}


@pytest.mark.parametrize("dtype", BOUNDS)
def test_uniform(dtype: str) -> None:
    low, high = (np.array(bound, DTYPES[dtype]) for bound in BOUNDS[dtype])
    program = disc.compile(rng(dtype, "UNIFORM"))
    for shape in [(0, 3), (1, 1), (7, 1), (400, 300)]:
        x = program(low, high, np.array(shape, np.int64))
        assert x.shape == shape and x.dtype == DTYPES[dtype]
        assert np.all(x >= low) and np.all(x < high)
    if dtype == "i1":
        return
    # The mean of 120000 numbers is within 6 standard deviations of the middle.
    real = x.astype(np.longdouble)
    span = np.longdouble(high) - np.longdouble(low)
    middle = np.longdouble(low) + span / 2 - (0 if dtype.startswith("f") else 0.5)
    assert abs(real.mean() - middle) < 6 * span / np.sqrt(12 * x.size)
    assert abs(real.std() / (span / np.sqrt(12)) - 1) < 0.02
    # All 16 equal parts of the range are hit equally often (chi-squared, 15 degrees of freedom).
    if span >= 64:
        counts = np.bincount(np.minimum((real - low) / span * 16, 15).astype(int).ravel(), minlength=16)
        if dtype not in ("i8", "ui8"):
            assert ((counts - x.size / 16) ** 2 / (x.size / 16)).sum() < 50


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_normal(dtype: str) -> None:
    program = disc.compile(rng(dtype, "NORMAL", "?"))
    x = program(np.array(2, DTYPES[dtype]), np.array(3, DTYPES[dtype]), np.array([200001])).astype(np.float64)
    z = (x - 2) / 3
    assert abs(z.mean()) < 0.015 and abs(z.std() - 1) < 0.01
    assert abs((z**3).mean()) < 0.04 and abs((z**4).mean() - 3) < 0.1
    assert 3.5 < np.abs(z).max() < 6.5
    # Neighbours, which share a counter, are independent.
    assert abs(np.corrcoef(z[:-1:2], z[1::2])[0, 1]) < 0.02


def test_scalars_and_static_shapes() -> None:
    x = disc.compile(rng("f32", "UNIFORM", ""))(np.float32(1), np.float32(2), np.zeros(0, np.int64))
    assert x.shape == () and 1 <= x < 2
    x = disc.compile(rng("i32", "UNIFORM", "3x5"))(np.int32(1), np.int32(4), np.array([3, 5]))
    assert x.shape == (3, 5) and set(x.ravel()) <= {1, 2, 3}


def test_equal_sequences_of_calls_and_threads() -> None:
    text = rng("f32", "UNIFORM", "?")
    args = (np.float32(0), np.float32(1), np.array([1000]))
    program = disc.compile(text)
    first, second = program(*args), program(*args)
    assert not np.array_equal(first, second)
    with ThreadPoolExecutor(4) as pool:
        results = [f.result() for f in [pool.submit(program, *args) for _ in range(16)]]
    assert len({r.tobytes() for r in [first, second, *results]}) == 18


def test_two_equal_ops_give_different_numbers() -> None:
    text = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %s = stablehlo.constant dense<64> : tensor<1xi64>
      %x = stablehlo.rng %a, %b, %s, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<64xf32>
      %y = stablehlo.rng %a, %b, %s, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<64xf32>
      return %x, %y : tensor<64xf32>, tensor<64xf32>
    }"""
    x, y = disc.compile(text)(np.float32(0), np.float32(1))
    assert not np.array_equal(x, y)


@pytest.mark.parametrize(
    "dtype, distribution, a, b, message",
    [
        ("i32", "UNIFORM", 3, 3, "expected bounds `a` < `b`"),
        ("f32", "UNIFORM", 3, 2, "expected bounds `a` <= `b`"),
        ("f32", "UNIFORM", np.nan, 2, "expected bounds `a` <= `b`"),
        ("f64", "NORMAL", 0, -1, "standard deviation `b` that is not negative"),
    ],
)
def test_wrong_parameters(dtype: str, distribution: str, a: float, b: float, message: str) -> None:
    program = disc.compile(rng(dtype, distribution, "?"))
    with pytest.raises(ExecutionError, match=message):
        program(np.array(a, DTYPES[dtype]), np.array(b, DTYPES[dtype]), np.array([4]))
