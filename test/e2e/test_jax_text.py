"""StableHLO as JAX exports it with symbolic sizes: assertions about shapes, windows whose sizes are computed."""

import numpy as np
import pytest

import disc

CUMULATIVE = """
module @jit_f attributes {{jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32}} {{
  func.func public @main(%x: tensor<?x3xf32>) -> (tensor<?x3xf32> {{jax.result_info = "result"}}) {{
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0)
        {{api_version = 2 : i32, error_message = "expected `b` >= 1, got {{0}}", has_side_effect = true}}
        : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @inner(%0, %x) : (tensor<i32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %2 : tensor<?x3xf32>
  }}
  func.func @reducer(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
    {body}
    return %0 : tensor<f32>
  }}
  func.func private @inner(%b: tensor<i32> {{jax.global_constant = "b"}}, %x: tensor<?x3xf32>) -> tensor<?x3xf32> {{
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %zero = stablehlo.constant dense<0> : tensor<1xi32>
    %minus = stablehlo.constant dense<-1> : tensor<i32>
    %init = stablehlo.constant dense<{init}> : tensor<f32>
    %2 = stablehlo.add %b, %minus : tensor<i32>
    %less = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate {sides}, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.reshape %3 : (tensor<2xi32>) -> tensor<1x2xi32>
    %5 = stablehlo.concatenate %zero, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.reshape %5 : (tensor<2xi32>) -> tensor<1x2xi32>
    %pads = stablehlo.concatenate %4, %6, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %7 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %w = stablehlo.concatenate %7, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %ones = stablehlo.concatenate %one, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %w, %ones, %ones, %ones, %pads)
        {{api_version = 2 : i32, called_computations = [@reducer]}}
        : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>)
          -> tensor<?x3xf32>
    return %r : tensor<?x3xf32>
  }}
}}
"""
LOG_ADD = """
    %h = stablehlo.maximum %a, %b : tensor<f32>
    %d = stablehlo.subtract %a, %b : tensor<f32>
    %m = stablehlo.abs %d : tensor<f32>
    %n = stablehlo.negate %m : tensor<f32>
    %e = stablehlo.exponential %n : tensor<f32>
    %l = stablehlo.log_plus_one %e : tensor<f32>
    %0 = stablehlo.add %h, %l : tensor<f32>"""
REDUCERS = {
    "sum": ("%0 = stablehlo.add %a, %b : tensor<f32>", "0.0", np.add),
    "product": ("%0 = stablehlo.multiply %a, %b : tensor<f32>", "1.0", np.multiply),
    "maximum": ("%0 = stablehlo.maximum %b, %a : tensor<f32>", "0xFF800000", np.maximum),
    "log of sum": (LOG_ADD, "-1.0e+30", np.logaddexp),
}


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", REDUCERS)
def test_cumulative_windows(name, reverse):
    body, init, numpy = REDUCERS[name]
    sides = "%zero, %less" if reverse else "%less, %zero"
    model = disc.compile(CUMULATIVE.format(body=body, init=init, sides=sides))
    way = -1 if reverse else 1
    for rows in (1, 2, 3, 7, 64):
        x = np.random.default_rng(rows).uniform(0.5, 1.5, (rows, 3)).astype("f4")
        want = numpy.accumulate(x[::way].astype("f8"), axis=0)[::way]
        np.testing.assert_allclose(model(x), want, rtol=1e-5)
    with pytest.raises(disc.ExecutionError, match="^expected `b` >= 1, got 0$"):
        model(np.zeros((0, 3), "f4"))


def test_a_window_that_is_not_the_dimension():
    text = CUMULATIVE.format(body=REDUCERS["sum"][0], init="0.0", sides="%less, %zero")
    model = disc.compile(text.replace("%7 = stablehlo.reshape %b :", "%7 = stablehlo.reshape %2 :"))
    with pytest.raises(disc.ExecutionError, match="dimension 0: expected a window of its whole size 4, got 3"):
        model(np.zeros((4, 3), "f4"))


ASSERTED = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %2 = stablehlo.multiply %0, %two : tensor<i32>
  %3 = stablehlo.compare EQ, %1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%3, %1, %2, %0)
      {api_version = 2 : i32, error_message = "args[1].shape[0] (= {0}) is not '2*b' (= {1}); {'b'} is {2} {3} {x",
       has_side_effect = true}
      : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
  %4 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %5 = stablehlo.add %4, %y : tensor<?x4xf32>
  return %5 : tensor<?x4xf32>
}
"""


def test_assertions_about_shapes():
    model = disc.compile(ASSERTED)
    for rows in (0, 1, 3):
        x, y = np.ones((rows, 4), "f4"), np.full((2 * rows, 4), 2, "f4")
        np.testing.assert_array_equal(model(x, y), y + 1)
    with pytest.raises(disc.ExecutionError) as error:
        model(np.ones((3, 4), "f4"), np.ones((5, 4), "f4"))
    assert str(error.value) == "args[1].shape[0] (= 5) is not '2*b' (= 6); {'b'} is 3 {3} {x"
