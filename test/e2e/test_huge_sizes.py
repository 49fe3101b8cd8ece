"""Sizes and numbers of elements past 64 bits are errors, or wrap where they only stand between: never undefined."""

import numpy as np
import pytest

import disc

F64_SIZE = """
func.func @main(%n: tensor<f64>) -> tensor<?xi32> {
  %i = stablehlo.convert %n : (tensor<f64>) -> tensor<i64>
  %s = stablehlo.reshape %i : (tensor<i64>) -> tensor<1xi64>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
"""


def test_a_size_that_a_float_tells():
    model = disc.compile(F64_SIZE)
    for given, size in ((3.7, 3), (0.0, 0), (-0.5, 0), (float("nan"), 0)):
        np.testing.assert_array_equal(model(np.float64(given)), np.arange(size))
    for given, size in ((1e300, 2**63 - 1), (float("inf"), 2**63 - 1), (2.0**63, 2**63 - 1), (2.0**62, 2**62)):
        where = f"for a result at model.mlir:5:8 of type {size}xi32"
        with pytest.raises(disc.ExecutionError, match=f"cannot allocate .*, {where}"):
            model(np.float64(given))
    for given, size in ((-1.0, -1), (-1e300, -(2**63)), (-float("inf"), -(2**63))):
        with pytest.raises(disc.ExecutionError, match=f"dimension 0 of the result is {size}, expected at least 0"):
            model(np.float64(given))


STATIC = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %b = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<SHAPExf32>
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0, 1, 2]
      : (tensor<SHAPExf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
"""
PAST = "multiply past the 64 bits in which elements are counted"


@pytest.mark.parametrize("shape", ["2147483648x4294967296x0", "4294967296x4294967296x1", "0x2147483648x4294967296"])
def test_static_types(shape):
    what = rf"^model.mlir:3:8: error: result #0 of `dhlo.broadcast_in_dim` .*{shape}.*{PAST}$"
    with pytest.raises(disc.CompileError, match=what):
        disc.compile(STATIC.replace("SHAPE", shape))


KNOWN = """
func.func @main(%x: tensor<f32>) -> tensor<?xf32> {
  %s = stablehlo.constant dense<FROM> : tensor<2xi64>
  %t = stablehlo.constant dense<TO> : tensor<1xi64>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = stablehlo.dynamic_reshape %b, %t : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.parametrize("to", [0, 1, 18])
@pytest.mark.parametrize("sizes", ["4294967296, 4294967296", "2147483648, 4294967296", "4294967296, 4294967297"])
def test_sizes_that_are_known(sizes, to):
    """Modulo 2^64 some of these have as many elements as the reshape's result."""
    what = rf"^model.mlir:5:8: error: 'dhlo.dynamic_broadcast_in_dim' op .*{PAST}"
    with pytest.raises(disc.CompileError, match=what):
        disc.compile(KNOWN.replace("FROM", f"[{sizes}]").replace("TO", f"[{to}]"))


def test_a_large_dimension_beside_an_empty_one():
    model = disc.compile(KNOWN.replace("FROM", "[4294967296, 0]").replace("TO", "[0]"))
    assert model(np.float32(1)).shape == (0,)


EMPTY = """
func.func @main(%n: tensor<3xi64>) -> tensor<?x?x?xi8> {
  %r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<3xi64>) -> tensor<?x?x?xi8>
  return %r : tensor<?x?x?xi8>
}
"""


def test_an_output_without_elements():
    model = disc.compile(EMPTY)
    for shape in ((0, 2**31, 2**31), (2**31, 0, 2**31), (2**31, 2**31, 0), (1, 2, 3)):
        assert model(np.array(shape)).shape == shape


PRODUCT = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %big = arith.constant 4611686018427387904 : index
  %four = arith.constant 4 : index
  %a = arith.muli %n, %big : index
  %b = arith.muli %a, %four : index
  %c = arith.addi %b, %n : index
  %s = tensor.from_elements %c : tensor<1xindex>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_coefficients_wrap_as_the_program_does():
    """n * 2^62 * 4 + n is n in 64 bits, as compiled code has it."""
    model = disc.compile(PRODUCT)
    for size in (0, 1, 5):
        x = np.arange(size, dtype="f4")
        np.testing.assert_array_equal(model(x), x)


DECLARED = """
func.func @main(%x: tensor<?xf32> {disc.dims = ["DIM"]}, %y: tensor<?xf32> {disc.dims = ["s"]}) -> tensor<?xf32> {
  %r = stablehlo.negate %y : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.parametrize("dim", ["s-9223372036854775807", "4611686018427387904*s"])
def test_declared_sizes(dim):
    model = disc.compile(DECLARED.replace("DIM", dim))
    with pytest.raises(disc.ExecutionError, match="the expected size overflows, got 3"):
        model(np.zeros(3, "f4"), np.zeros(7, "f4"))


@pytest.mark.parametrize("dim", ["9223372036854775808*s", "s+9223372036854775807+1", "s-9223372036854775807-9"])
def test_declared_sizes_with_numbers_past_the_end(dim):
    with pytest.raises(disc.CompileError, match="expected a name .*, a number, or a sum"):
        disc.compile(DECLARED.replace("DIM", dim))
