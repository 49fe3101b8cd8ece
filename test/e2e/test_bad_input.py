"""Bad programs and bad calls: an error that says what was expected, found and where; the model stays usable."""

import numpy as np
import pytest

import disc

ADD = """
func.func @main(%x: tensor<?x4xf32> {disc.name = "x", disc.dims = ["n", ""]},
                %y: tensor<?x4xf32> {disc.name = "y", disc.dims = ["n", ""]}) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> { return %x : tensor<*xf32> }", "unranked"),
        ('func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { %0 = "stablehlo.nonsense"(%x)'
         " : (tensor<4xf32>) -> tensor<4xf32>\n return %0 : tensor<4xf32> }", "nonsense"),
        ("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %y : tensor<4xf32> }", "undeclared"),
        ("func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {"
         " %0 = stablehlo.add %x, %y : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>\n"
         " return %0 : tensor<4xf32> }", "add"),
        ("func.func @main(%x: tensor<4xf32>", "expected"),
        ("", "main"),
    ],
)  # fmt: skip
def test_bad_program_is_a_compile_error(text, message):
    with pytest.raises(disc.CompileError, match=message):
        disc.compile(text)


@pytest.fixture(scope="module")
def add():
    return disc.compile(ADD)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((np.zeros((2, 4), "f4"),), "2 inputs"),
        ((np.zeros((2, 4), "f8"), np.zeros((2, 4), "f4")), "f64"),
        ((np.zeros((2, 5), "f4"), np.zeros((2, 5), "f4")), "dimension 1"),
        ((np.zeros((8,), "f4"), np.zeros((2, 4), "f4")), "rank"),
        ((np.zeros((2, 4), "f4"), np.zeros((3, 4), "f4")), "`y`.*dimension 0"),
        ((np.zeros((2, 4), "f4"), "text"), "str"),
    ],
)
def test_bad_call_names_the_input_and_leaves_the_model_usable(add, inputs, message):
    live = add.statistics()["live_bytes"]
    with pytest.raises((disc.ExecutionError, TypeError), match=message):
        add(*inputs)
    assert add.statistics()["live_bytes"] == live
    x = np.arange(8, dtype="f4").reshape(2, 4)
    np.testing.assert_array_equal(add(x, x), x + x)


@pytest.mark.parametrize("n", [0, 1, 2, 1000])
def test_one_artifact_serves_sizes_zero_and_one(add, n):
    x = np.random.default_rng(0).standard_normal((n, 4)).astype("f4")
    np.testing.assert_array_equal(add(x, x[::-1]), x + x[::-1])


def test_save_and_load(add, tmp_path):
    loaded = disc.load(add.save(tmp_path / "artifact"))
    x = np.ones((3, 4), "f4")
    np.testing.assert_array_equal(loaded(x, x), x + x)
