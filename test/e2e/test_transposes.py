"""Transposes that change the innermost dimension: any permutation, element type and size, alone and among elementwise ops."""

import itertools

import numpy as np
import pytest

import disc

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i64": np.int64, "ui32": np.uint32,
          "i1": np.bool_, "complex<f32>": np.complex64}  # fmt: skip
SIDES = [0, 1, 2, 3, 4, 15, 16, 17, 63, 64, 65, 130]


def transpose(permutation: tuple[int, ...], dtype: str) -> disc.Compiled:
    type_ = f"tensor<{'?x' * len(permutation)}{dtype}>"
    return disc.compile(f"""
func.func @main(%x: {type_}) -> {type_} {{
  %0 = stablehlo.transpose %x, dims = {list(permutation)} : ({type_}) -> {type_}
  return %0 : {type_}
}}""")


def numbers(shape: tuple[int, ...], dtype: str = "f32") -> np.ndarray:
    kind = np.dtype(DTYPES[dtype])
    values = np.random.default_rng(len(shape)).integers(0, 120, shape)
    return (values % 2 == 0) if kind.kind == "b" else values.astype(kind)


@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_matrix(dtype: str):
    model = transpose((1, 0), dtype)
    for shape in [*itertools.product(SIDES, SIDES), (1000, 333), (3, 5000)]:
        x = numbers(shape, dtype)
        np.testing.assert_array_equal(model(x), x.T, err_msg=str(shape))


def test_bf16():
    model = disc.compile("""
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.convert %x : (tensor<?x?xf32>) -> tensor<?x?xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %2 = stablehlo.convert %1 : (tensor<?x?xbf16>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}""")
    for shape in [(0, 3), (1, 1), (17, 33), (130, 65)]:
        x = numbers(shape)
        np.testing.assert_array_equal(model(x), x.T)


@pytest.mark.parametrize("permutation", [p for n in (3, 4) for p in itertools.permutations(range(n))])
def test_permutations(permutation: tuple[int, ...]):
    model = transpose(permutation, "f32")
    sizes = [(20, 3, 70, 33), (1, 65, 1, 17), (2, 2, 2, 2), (0, 3, 4, 5), (64, 16, 5, 1), (3, 7, 7, 19)]
    for size in sizes:
        x = numbers(size[: len(permutation)])
        np.testing.assert_array_equal(model(x), x.transpose(permutation), err_msg=str(x.shape))


@pytest.mark.parametrize("shape", [(2048, 1600), (2047, 1601), (1600, 2049)])
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16"])
def test_past_the_caches(shape: tuple[int, int], dtype: str):
    x = numbers(shape, dtype)
    np.testing.assert_array_equal(transpose((1, 0), dtype)(x), x.T)


FUSED = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.negate %x : tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = stablehlo.add %1, %y : tensor<?x?xf32>
  %4 = chlo.broadcast_multiply %2, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %5 = stablehlo.subtract %3, %4 : tensor<?x?xf32>
  return %3, %5 : tensor<?x?xf32>, tensor<?x?xf32>
}
"""


def test_among_elementwise_ops():
    model = disc.compile(FUSED)
    for n, m in [*itertools.product((0, 1, 5, 16, 64, 67), repeat=2), (300, 1000), (2100, 1100)]:
        x, y, b = numbers((n, m)), numbers((m, n)), numbers((n,))
        first, second = model(x, y, b)
        np.testing.assert_array_equal(first, y - x.T)
        np.testing.assert_array_equal(second, y - x.T - x.T * b)


def test_a_thin_known_side():
    """Images with channels last, and back."""
    for shape, permutation in [("?x?x?x3", (0, 3, 1, 2)), ("?x3x?x?", (0, 2, 3, 1)), ("?x?x?x20", (0, 3, 1, 2))]:
        sizes = [int(s) if s != "?" else None for s in shape.split("x")]
        out = "x".join(shape.split("x")[p] for p in permutation)
        model = disc.compile(f"""
func.func @main(%x: tensor<{shape}xf32>) -> tensor<{out}xf32> {{
  %0 = stablehlo.transpose %x, dims = {list(permutation)} : (tensor<{shape}xf32>) -> tensor<{out}xf32>
  return %0 : tensor<{out}xf32>
}}""")
        for size in [(2, 17, 19, 7), (1, 1, 1, 1), (0, 4, 4, 4), (3, 64, 64, 64)]:
            x = numbers(tuple(known or given for known, given in zip(sizes, size)))
            np.testing.assert_array_equal(model(x), x.transpose(permutation))
