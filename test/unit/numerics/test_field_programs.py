"""Cases that trip other compilers and take more than one op: argmax with NaN, rotations in a loop, unsigned indices."""

from __future__ import annotations

import disc
import numpy as np
import pytest
from programs import DTYPES

NAN = float("nan")


def argument_of(direction: str, dtype: str) -> str:
    """The reduction that frameworks make of argmax (GT) and argmin (LT): NaN first, then the lowest index."""
    start = {"GT": "0xFF800000", "LT": "0x7F800000"}[direction]
    if dtype == "f64":
        start = {"GT": "0xFFF0000000000000", "LT": "0x7FF0000000000000"}[direction]
    value = f"tensor<{dtype}>"
    return f"""
func.func @main(%x: tensor<?x{dtype}>) -> tensor<i32> {{
  %start = stablehlo.constant dense<{start}> : {value}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %shape = shape.shape_of %x : tensor<?x{dtype}> -> tensor<1xindex>
  %iota = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xindex>) -> tensor<?xi32>
  %r:2 = stablehlo.reduce(%x init: %start), (%iota init: %zero) across dimensions = [0]
      : (tensor<?x{dtype}>, tensor<?xi32>, {value}, tensor<i32>) -> ({value}, tensor<i32>)
    reducer(%a: {value}, %b: {value}) (%i: tensor<i32>, %j: tensor<i32>) {{
      %better = stablehlo.compare {direction}, %a, %b : ({value}, {value}) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a : ({value}, {value}) -> tensor<i1>
      %take = stablehlo.or %better, %nan : tensor<i1>
      %equal = stablehlo.compare EQ, %a, %b : ({value}, {value}) -> tensor<i1>
      %other = stablehlo.compare NE, %b, %b : ({value}, {value}) -> tensor<i1>
      %both = stablehlo.and %nan, %other : tensor<i1>
      %tie = stablehlo.or %equal, %both : tensor<i1>
      %lower = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %first = stablehlo.and %tie, %lower : tensor<i1>
      %not_tie = stablehlo.not %tie : tensor<i1>
      %clear = stablehlo.and %take, %not_tie : tensor<i1>
      %pick = stablehlo.or %clear, %first : tensor<i1>
      %v = stablehlo.select %take, %a, %b : tensor<i1>, {value}
      %k = stablehlo.select %pick, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %v, %k : {value}, tensor<i32>
    }}
  return %r#1 : tensor<i32>
}}
"""


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_c3_arguments_of_extremes(dtype: str) -> None:
    largest, smallest = disc.compile(argument_of("GT", dtype)), disc.compile(argument_of("LT", dtype))

    def array(*values: float) -> np.ndarray:
        return np.array(values, dtype=DTYPES[dtype])

    assert int(largest(array(NAN, 4.6))) == 0
    assert int(smallest(array(1, NAN, 3))) == 1
    assert int(largest(array(2, 7, 7, 1))) == 1
    for n in range(2, 20):
        assert int(largest(array(*[NAN] * n))) == 0
        for i in range(n):
            x = np.arange(n).astype(DTYPES[dtype])
            x[i] = NAN
            assert int(largest(x)) == i
            assert int(smallest(x)) == i


def test_d8_rotation_in_a_loop() -> None:
    text = """
func.func @main(%x: tensor<ui32>, %r: tensor<ui32>, %n: tensor<i32>) -> tensor<ui32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %width = stablehlo.constant dense<32> : tensor<ui32>
  %out:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<ui32>
    cond {
      %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %left = stablehlo.shift_left %v, %r : tensor<ui32>
      %back = stablehlo.subtract %width, %r : tensor<ui32>
      %right = stablehlo.shift_right_logical %v, %back : tensor<ui32>
      %both = stablehlo.or %left, %right : tensor<ui32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %both : tensor<i32>, tensor<ui32>
    }
  return %out#1 : tensor<ui32>
}
"""
    f = disc.compile(text)
    x = 0x80000001
    for r, once in {0: x, 1: 0x3, 13: 0x3000, 31: 0xC0000000, 32: x}.items():
        assert int(f(np.uint32(x), np.uint32(r), np.int32(1))) == once
        for count in (0, 2, 5):
            turn = (r * count) % 32
            want = ((x << turn) | (x >> (32 - turn))) & 0xFFFFFFFF
            assert int(f(np.uint32(x), np.uint32(r), np.int32(count))) == want


GATHER = """"stablehlo.gather"(%x, %i) {{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    indices_are_sorted = false, slice_sizes = array<i64: 1>}} : (tensor<300xi32>, tensor<{n}xui8>) -> tensor<{n}xi32>"""


def test_d9_unsigned_byte_indices() -> None:
    gather = GATHER.format(n=3)
    argument = f"""
func.func @main(%x: tensor<300xi32>, %i: tensor<3xui8>) -> tensor<3xi32> {{
  %r = {gather}
  return %r : tensor<3xi32>
}}
"""
    constant = f"""
func.func @main(%x: tensor<300xi32>) -> tensor<3xi32> {{
  %i = stablehlo.constant dense<[200, 0, 255]> : tensor<3xui8>
  %r = {gather}
  return %r : tensor<3xi32>
}}
"""
    x = np.arange(300, dtype=np.int32)
    assert disc.compile(argument)(x, np.array([200, 0, 255], np.uint8)).tolist() == [200, 0, 255]
    assert disc.compile(constant)(x).tolist() == [200, 0, 255]


@pytest.mark.parametrize("dtype, indices", [("ui8", [200, 0, 255]), ("i8", [100, 0, 127])])
def test_d9_scatter_with_narrow_indices(dtype: str, indices: list[int]) -> None:
    text = f"""
func.func @main(%x: tensor<300xi32>, %i: tensor<3x1x{dtype}>, %u: tensor<3xi32>) -> tensor<300xi32> {{
  %r = "stablehlo.scatter"(%x, %i, %u) <{{
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
        index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}}> ({{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
    }}) : (tensor<300xi32>, tensor<3x1x{dtype}>, tensor<3xi32>) -> tensor<300xi32>
  return %r : tensor<300xi32>
}}
"""
    want = np.zeros(300, np.int32)
    want[indices] = [7, 8, 9]
    got = disc.compile(text)(
        np.zeros(300, np.int32), np.array(indices, DTYPES[dtype])[:, None], np.array([7, 8, 9], np.int32)
    )
    np.testing.assert_array_equal(got, want)
