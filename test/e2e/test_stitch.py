"""Matrix products stitched to the kernels around them: equal to numpy at every number of rows, columns and workers."""

import itertools

import numpy as np
import pytest

import disc

MLP = """
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = chlo.broadcast_add %0, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.tanh %1 : tensor<?x?xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = stablehlo.tanh %3 : tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}
"""

ATTENTION = """
func.func @main(%q: tensor<?x?x?xf32>, %k: tensor<?x?x?xf32>, %v: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2]
      : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %d = chlo.broadcast_subtract %s, %m {broadcast_dimensions = array<i64: 0, 1>}
      : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?x?xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %p = chlo.broadcast_divide %e, %sum {broadcast_dimensions = array<i64: 0, 1>}
      : (tensor<?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %r = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""

# Two products that one fusion reads (a gate), whose second result goes to nobody's row but its own.
GATE = """
func.func @main(%x: tensor<?x64xf32>, %w: tensor<64x48xf32>, %v: tensor<64x48xf32>) -> (tensor<?x48xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x48xf32>) -> tensor<?x48xf32>
  %1 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x48xf32>) -> tensor<?x48xf32>
  %2 = stablehlo.logistic %0 : tensor<?x48xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<?x48xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x48xf32>, tensor<f32>) -> tensor<?xf32>
  return %3, %4 : tensor<?x48xf32>, tensor<?xf32>
}
"""

# A bias, then heads apart: rows of the product in order, rows of the result elsewhere.
HEADS = """
func.func @main(%x: tensor<?x?x24xf32>, %w: tensor<24x80xf32>, %b: tensor<80xf32>) -> tensor<?x4x?x20xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x24xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x24xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<?x?x24xf32>, tensor<24x80xf32>) -> tensor<?x?x80xf32>
  %1 = chlo.broadcast_add %0, %b : (tensor<?x?x80xf32>, tensor<80xf32>) -> tensor<?x?x80xf32>
  %sizes = tensor.from_elements %n, %s, %c4, %c20 : tensor<4xindex>
  %2 = stablehlo.dynamic_reshape %1, %sizes : (tensor<?x?x80xf32>, tensor<4xindex>) -> tensor<?x?x4x20xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1, 3] : (tensor<?x?x4x20xf32>) -> tensor<?x4x?x20xf32>
  return %3 : tensor<?x4x?x20xf32>
}
"""
PROGRAMS = {"mlp": MLP, "attention": ATTENTION, "gate": GATE, "heads": HEADS}


@pytest.fixture(scope="module")
def compiled():
    return {name: disc.compile(text) for name, text in PROGRAMS.items()}


def stitches(compiled):
    return sum(fusion["kind"] == "stitch" for fusion in compiled.report.fusions)


def rng():
    return np.random.default_rng(7)


def check(got, want, length):
    # One rounding for each term of the sums at worst, far less in the mean.
    scale = np.abs(want).max(initial=1)  # the terms are about 1
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=2e-7 * scale * max(length, 16) ** 0.5)


def test_all_are_stitched(compiled):
    assert {name: stitches(f) for name, f in compiled.items()} == dict.fromkeys(PROGRAMS, 1)


@pytest.mark.parametrize("rows", [0, 1, 2, 7, 11, 12, 13, 23, 24, 25, 63, 64, 97, 191, 193, 500])
def test_mlp(compiled, rows):
    r = rng()
    for k, n, out in [(64, 128, 64), (0, 32, 16), (33, 1, 5), (1, 17, 3), (100, 200, 1), (256, 1024, 256), (8, 16, 0)]:
        x, w, b, v = (r.standard_normal(s, dtype=np.float32) for s in [(rows, k), (k, n), (n,), (out, n)])
        w, v = w / np.float32(max(k, 1) ** 0.5), v / np.float32(max(n, 1) ** 0.5)  # sums of about 1
        want = np.tanh(np.tanh(x.astype("f8") @ w.astype("f8") + b) @ v.T.astype("f8"))
        check(compiled["mlp"](x, w, b, v), want, k + n)


@pytest.mark.parametrize("batch,rows,keys", [*itertools.product([0, 1, 2, 5, 24], [0, 1, 7, 33, 150], [1, 7, 40])] + [(3, 300, 257)])
def test_attention(compiled, batch, rows, keys):
    r = rng()
    for depth, out in [(64, 64), (1, 3), (16, 1)]:
        q, k, v = (r.standard_normal(s, dtype=np.float32) for s in [(batch, rows, depth), (batch, keys, depth), (batch, keys, out)])
        s = np.einsum("bmd,bnd->bmn", q.astype("f8"), k.astype("f8"))
        e = np.exp(s - s.max(-1, keepdims=True))
        want = (e / e.sum(-1, keepdims=True)) @ v.astype("f8")
        check(compiled["attention"](q, k, v), want, 8 * (depth + keys))


@pytest.mark.parametrize("rows", [0, 1, 5, 30, 100, 1000])
def test_gate(compiled, rows):
    r = rng()
    x, w, v = (r.standard_normal(s, dtype=np.float32) for s in [(rows, 64), (64, 48), (64, 48)])
    value = (x.astype("f8") @ v.astype("f8")) / (1 + np.exp(-(x.astype("f8") @ w.astype("f8"))))
    gated, total = compiled["gate"](x, w, v)
    check(gated, value, 64)
    check(total, value.sum(-1), 64 * 48)


@pytest.mark.parametrize("batch,length", [*itertools.product([0, 1, 2, 7], [0, 1, 13, 50]), (5, 333)])
def test_heads(compiled, batch, length):
    r = rng()
    x, w, b = (r.standard_normal(s, dtype=np.float32) for s in [(batch, length, 24), (24, 80), (80,)])
    want = (x.astype("f8") @ w.astype("f8") + b).reshape(batch, length, 4, 20).transpose(0, 2, 1, 3)
    check(compiled["heads"](x, w, b), want, 24)


def test_rows_do_not_depend_on_their_number(compiled):
    """The same call gives the same bits; a row among fewer ones the same up to the order of its sums."""
    r = rng()
    x, w, b, v = (r.standard_normal(s, dtype=np.float32) for s in [(200, 64), (64, 128), (128,), (64, 128)])
    whole = compiled["mlp"](x, w, b, v)
    assert np.array_equal(whole, compiled["mlp"](x, w, b, v))
    np.testing.assert_allclose(compiled["mlp"](x[50:120], w, b, v), whole[50:120], rtol=2e-6, atol=1e-6)


def test_not_a_number_stays_in_its_row(compiled):
    r = rng()
    q, k, v = (r.standard_normal(s, dtype=np.float32) for s in [(2, 40, 64), (2, 40, 64), (2, 40, 64)])
    clean = compiled["attention"](q, k, v)
    q[1, 17] = np.nan
    dirty = compiled["attention"](q, k, v)
    assert np.isnan(dirty[1, 17]).all()
    dirty[1, 17] = clean[1, 17]
    assert np.array_equal(clean, dirty)


def test_no_bytes_stay(compiled):
    r = rng()
    f = compiled["attention"]
    live = f.statistics()["live_bytes"]
    for rows in (1, 100, 300):
        q = r.standard_normal((3, rows, 16), dtype=np.float32)
        f(q, q, q)
    assert f.statistics()["live_bytes"] == live


SQUARE = """
func.func @main(%x: tensor<?x?x24xf32> {disc.dims = ["n", "n", ""]}, %w: tensor<24x64xf32>, %v: tensor<64x33xf32>)
    -> tensor<?x?x33xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<?x?x24xf32>, tensor<24x64xf32>) -> tensor<?x?x64xf32>
  %1 = stablehlo.tanh %0 : tensor<?x?x64xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [2] x [0] : (tensor<?x?x64xf32>, tensor<64x33xf32>) -> tensor<?x?x33xf32>
  return %3 : tensor<?x?x33xf32>
}
"""


def test_rows_in_another_order_are_not_handed_on():
    """The sizes that change places are equal, so that the shapes do not tell."""
    model = disc.compile(SQUARE)
    rng = np.random.default_rng(3)
    for n in (0, 1, 2, 9, 20, 100):
        x, w, v = (rng.standard_normal(s).astype(np.float32) for s in ((n, n, 24), (24, 64), (64, 33)))
        want = np.tanh(x @ w).transpose(1, 0, 2) @ v
        np.testing.assert_allclose(model(x, w, v), want, rtol=1e-5, atol=1e-4)
