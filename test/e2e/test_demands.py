"""What convolutions, windows, linear algebra and transforms demand of sizes that only the call tells."""

import numpy as np
import pytest
from test_shape_checks import f32, fails

import disc

CONVOLUTION = """
func.func @main(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>, %p: tensor<1x2xi32>) -> tensor<?x?x?xf32> {{
  %r = "stablehlo.{op}"(%x, %w{p}) <{{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
      feature_group_count = {features} : i64, batch_group_count = {batches} : i64}}>
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>{type}) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}}
"""


def convolution(op: str, features: int, batches: int) -> disc.Compiled:
    dynamic = op == "dynamic_conv"
    text = CONVOLUTION.format(op=op, features=features, batches=batches, p=", %p" if dynamic else "",
                              type=", tensor<1x2xi32>" if dynamic else "")  # fmt: skip
    return disc.compile(text)


@pytest.mark.parametrize("op", ["convolution", "dynamic_conv"])
@pytest.mark.parametrize(
    ("features", "batches", "good", "bad", "message"),
    [
        (1, 1, ((2, 3, 5), (4, 3, 2)), ((2, 2, 5), (4, 3, 2)),
         "dimension 1 of `lhs` is 2, expected 3 .dimension 1 of `rhs`."),
        (2, 1, ((2, 6, 5), (4, 3, 2)), ((2, 3, 5), (4, 3, 2)),
         "dimension 1 of `lhs` is 3, expected 6 .dimension 1 of `rhs`."),
        (2, 1, ((2, 6, 5), (4, 3, 2)), ((2, 6, 5), (3, 3, 2)),
         "dimension 0 of `rhs` is 3, expected a multiple of 2 .the groups."),
        (1, 2, ((4, 3, 5), (6, 3, 2)), ((3, 3, 5), (6, 3, 2)),
         "dimension 0 of `lhs` is 3, expected a multiple of 2 .the groups."),
        (1, 2, ((4, 3, 5), (6, 3, 2)), ((4, 3, 5), (5, 3, 2)),
         "dimension 0 of `rhs` is 5, expected a multiple of 2 .the groups."),
    ],
)  # fmt: skip
def test_channels_and_groups(op, features, batches, good, bad, message):
    torch = pytest.importorskip("torch")
    model = convolution(op, features, batches)
    no_padding = np.zeros((1, 2), "i4")
    x, w = (f32(*shape) for shape in good)
    # Group g of the batch meets group g of the output channels.
    parts = zip(np.split(x, batches), np.split(w, batches), strict=True)
    conv = lambda a, b: torch.nn.functional.conv1d(torch.from_numpy(a), torch.from_numpy(b), groups=features).numpy()
    np.testing.assert_allclose(model(x, w, no_padding), np.concatenate([conv(a, b) for a, b in parts], 1), rtol=1e-5)
    fails(model, *(f32(*shape) for shape in bad), no_padding, match=f"`{op}` at model.mlir:3:8: {message}")
    assert model(f32(0, *good[0][1:]), w, no_padding).shape[0] == 0


SELECT_AND_SCATTER = """
func.func @main(%x: tensor<?x?xf32>, %s: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 3>,
      window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def test_windows_of_select_and_scatter():
    model = disc.compile(SELECT_AND_SCATTER)
    for rows, columns in ((2, 6), (1, 2), (1, 1), (0, 6), (3, 0)):
        x, windows = -f32(rows, columns), max((columns + 1 - 3) // 2 + 1, 0)
        want = np.zeros_like(x)
        want[:, 0 : 2 * windows : 2] = f32(rows, windows)  # the first of a window is its largest
        np.testing.assert_array_equal(model(x, f32(rows, windows)), want)
    message = "dimension 1 of `source` is 4, expected 3 .the windows of `operand` in dimension 1."
    fails(model, f32(2, 6), f32(2, 4), match=f"`select_and_scatter` at model.mlir:4:8: {message}")
    fails(model, f32(2, 1), f32(2, 1), match="dimension 1 of `source` is 1, expected 0")
    fails(model, f32(2, 6), f32(1, 3), match="dimension 0 of `source` is 1, expected 2")


CHOLESKY = """
func.func @main(%x: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = stablehlo.cholesky %x, lower = true : tensor<?x?x?xf64>
  return %r : tensor<?x?x?xf64>
}
"""


def test_cholesky_of_squares():
    model = disc.compile(CHOLESKY)
    for batch, n in ((2, 3), (0, 3), (2, 0), (1, 1)):
        a = np.random.default_rng(n).standard_normal((batch, n, n))
        x = a @ a.swapaxes(1, 2) + np.eye(n)
        np.testing.assert_allclose(model(x), np.linalg.cholesky(x) if n else x, rtol=1e-12)
    message = "`cholesky` at model.mlir:3:8: dimension 2 of `a` is 4, expected 3 .dimension 1 of `a`."
    fails(model, np.ones((2, 3, 4)), match=message)


SOLVE = """
func.func @main(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = LEFT, lower = true, unit_diagonal = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
      : (tensor<?x?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  return %r : tensor<?x?x?xf64>
}
"""


@pytest.mark.parametrize("left", [True, False])
def test_triangular_solve(left):
    model = disc.compile(SOLVE.replace("LEFT", str(left).lower()))
    for batch, n, m in ((2, 3, 4), (0, 3, 4), (2, 0, 4), (2, 3, 0), (1, 1, 1)):
        random = np.random.default_rng(n)
        a = np.tril(random.standard_normal((batch, n, n))) + 4 * np.eye(n)
        b = random.standard_normal((batch, n, m) if left else (batch, m, n))
        x = model(a, b)
        np.testing.assert_allclose(a @ x if left else x @ a, b, rtol=1e-10, atol=1e-12)
    where = "`triangular_solve` at model.mlir:3:8: "
    ones = lambda *shape: np.ones(shape)
    at = 1 if left else 2
    fails(model, ones(2, 3, 3), ones(2, 4, 4), match=f"{where}dimension {at} of `b` is 4, expected 3 .dimension 2 of `a`.")
    fails(model, ones(2, 3, 2), ones(2, 2, 2), match=f"{where}dimension 2 of `a` is 2, expected 3 .dimension 1 of `a`.")
    fails(model, ones(2, 3, 3), ones(1, 3, 3), match=f"{where}dimension 0 of `b` is 1, expected 2 .dimension 0 of `a`.")


FFT = """
func.func @main(%x: tensor<?x?x{input}>) -> tensor<?x?x{output}> {{
  %r = stablehlo.fft %x, type = {kind}, length = [6] : (tensor<?x?x{input}>) -> tensor<?x?x{output}>
  return %r : tensor<?x?x{output}>
}}
"""


@pytest.mark.parametrize(
    ("kind", "reference", "size"),
    [("FFT", np.fft.fft, 6), ("IFFT", np.fft.ifft, 6), ("RFFT", np.fft.rfft, 6), ("IRFFT", np.fft.irfft, 4)],
)
def test_lengths_of_transforms(kind, reference, size):
    types = {"RFFT": ("f64", "complex<f64>"), "IRFFT": ("complex<f64>", "f64")}.get(kind, ("complex<f64>",) * 2)
    model = disc.compile(FFT.format(kind=kind, input=types[0], output=types[1]))
    dtype = "f8" if types[0] == "f64" else "c16"
    for rows in (0, 1, 3):
        x = np.random.default_rng(rows).standard_normal((rows, size)).astype(dtype)
        np.testing.assert_allclose(model(x), reference(x, 6), rtol=1e-12, atol=1e-12)
    message = rf"`fft` at model.mlir:3:8: dimension 1 of `operand` is 5, expected {size} \(`fft_length`\)"
    fails(model, np.ones((2, 5), dtype), match=message)
