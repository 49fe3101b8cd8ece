"""What ops that read and write at positions demand of sizes that only the call tells; nothing is read outside of an operand."""

import numpy as np
import pytest
from test_shape_checks import f32, fails

import disc


def i32(*rows) -> np.ndarray:
    return np.array(rows, np.int32)


GATHER = """
func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?xf32> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}, index_vector_dim = 1>,
      slice_sizes = array<i64: {sizes}>}}> : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}
"""
BATCHED = "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1]"
POINTS = "collapsed_slice_dims = [0, 1], start_index_map = [0, 1]"


def test_batching_dimensions_of_a_gather():
    model = disc.compile(GATHER.format(numbers=BATCHED, sizes="1, 1"))
    x = f32(2, 3)
    np.testing.assert_array_equal(model(x, i32([0], [7])), [x[0, 0], x[1, 2]])
    assert model(f32(0, 3), i32([0])[:0]).shape == (0,)
    message = "dimension 0 of `start_indices` is 4, expected 2 .dimension 0 of `operand`."
    fails(model, x, i32([0], [0], [0], [0]), match=f"`gather` at model.mlir:3:8: {message}")


def test_batching_dimensions_that_types_tell():
    text = GATHER.format(numbers=BATCHED, sizes="1, 1").replace("?x?xf32", "2x3xf32").replace("?x?xi32", "5x1xi32")
    with pytest.raises(disc.CompileError, match="batching dimension 0 of `operand` .* have different sizes"):
        disc.compile(text)


def test_coordinates_of_a_position():
    model = disc.compile(GATHER.format(numbers=POINTS, sizes="1, 1"))
    x = f32(2, 3)
    np.testing.assert_array_equal(model(x, i32([0, 1], [1, 2])), [x[0, 1], x[1, 2]])
    for wrong in (i32([0], [1]), i32([0, 1, 1])):
        fails(model, x, wrong, match=f"dimension 1 of `start_indices` is {wrong.shape[1]}, expected 2")


def test_empty_slices_of_dropped_dimensions_stay_inside():
    """StableHLO allows them; what they give is the element that is there."""
    model = disc.compile(GATHER.format(numbers=POINTS, sizes="0, 0"))
    x = f32(2, 3)
    np.testing.assert_array_equal(model(x, i32([9, 9])), [x[1, 2]])
    fails(model, f32(0, 3), i32([0, 0]), match="dimension 0 of `operand` is 0, expected at least 1")


SELECT = """
func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 1 : i64}>
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def test_index_select():
    model = disc.compile(SELECT)
    x = f32(2, 3)
    np.testing.assert_array_equal(model(x, i32([0, 1], [1, 2])), [[x[0, 0], x[0, 1]], [x[1, 1], x[1, 2]]])
    assert model(f32(2, 0), np.zeros((2, 0), np.int32)).shape == (2, 0)
    fails(model, x, i32([0, 1]), match="dimension 0 of `index` is 1, expected 2 .dimension 0 of `operand`.")
    fails(model, f32(2, 0), i32([0], [0]), match="dimension 1 of `operand` is 0, expected at least 1")


SCATTER = """
func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %u: tensor<?xf32>) -> tensor<?x?xf32> {{
  %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}, index_vector_dim = 1>}}> ({{
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }}) : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}
"""


def test_scatter():
    batched = disc.compile(SCATTER.format(
        numbers="inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],"
                " scatter_dims_to_operand_dims = [1]"))  # fmt: skip
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(batched(x, i32([0], [2]), np.float32([5, 6])), [[5, 1, 1], [1, 1, 6]])
    fails(batched, x, i32([0], [1], [1]), f32(3), match="dimension 0 of operand #1 is 3, expected 2")
    points = disc.compile(SCATTER.format(
        numbers="inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]"))  # fmt: skip
    np.testing.assert_array_equal(points(x, i32([0, 1]), np.float32([5])), [[1, 5, 1], [1, 1, 1]])
    fails(points, x, i32([0], [1]), f32(2), match="dimension 1 of operand #1 is 1, expected 2")


WINDOWS = """
func.func @main(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %u: tensor<2x?xf32>) -> tensor<?xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<?xf32>, tensor<?x1xi32>, tensor<2x?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_of_updates_of_one_element_the_last_index_wins():
    model = disc.compile(WINDOWS)
    updates = np.float32([[1, 3], [2, 4]])  # windows 1, 2 and 3, 4
    np.testing.assert_array_equal(model(np.zeros(4, np.float32), i32([0], [1]), updates), [1, 3, 4, 0])
    np.testing.assert_array_equal(model(np.zeros(4, np.float32), i32([1], [0]), updates), [3, 4, 2, 0])


PAD = """
func.func @main(%x: tensor<?xi8>, %v: tensor<i8>, %i: tensor<1xi32>) -> tensor<?xi8> {
  %l = stablehlo.constant dense<1> : tensor<1xi32>
  %r = stablehlo.dynamic_pad %x, %v, %l, %l, %i
      : (tensor<?xi8>, tensor<i8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}
"""


def test_interior_padding_is_not_negative():
    model = disc.compile(PAD)
    x = np.arange(3, dtype=np.int8)
    np.testing.assert_array_equal(model(x, np.int8(7), np.int32([1])), [7, 0, 7, 1, 7, 2, 7])
    fails(model, x, np.int8(7), np.int32([-1]), match="the interior padding in dimension 0 is -1, expected at least 0")
