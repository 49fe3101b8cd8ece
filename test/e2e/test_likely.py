"""Versions of kernels: for likely sizes, with the bits of the general version; for broadcasts that only sizes decide."""

import numpy as np
import pytest
import torch

import disc
from disc.report import Report

HEAD = """
func.func @main(%x: tensor<?x?xf32> {disc.dims = ["m", "n"]}) -> RESULT ATTRIBUTES {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
"""
LIKELY = "attributes {disc.symbols = {n = {likely = array<i64: 48, 100, 128, 777>}}}"
SOFTMAX = HEAD.replace("RESULT", "tensor<?x?xf32>") + """
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = chlo.broadcast_subtract %x, %m {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %p = chlo.broadcast_divide %e, %s {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
"""  # fmt: skip
SUM = HEAD.replace("RESULT", "tensor<?xf32>") + """
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
"""
SIZES = [0, 1, 2, 3, 4, 5, 47, 48, 49, 99, 100, 127, 128, 129, 200, 513, 777, 778]


def softmax(x):
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


REFERENCES = {SOFTMAX: softmax, SUM: lambda x: x.astype(np.float64).sum(axis=1)}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("text", [SOFTMAX, SUM], ids=["softmax", "sum"])
def test_bits_are_those_of_the_general_version(text: str, threads: int):
    general = disc.compile(text.replace("ATTRIBUTES", ""), threads=threads)
    likely = disc.compile(text.replace("ATTRIBUTES", LIKELY), threads=threads)
    assert general.report.versions == {}
    (versions,) = likely.report.versions.values()
    assert versions == ["n = 48", "n = 100", "n = 128"]  # longer rows gain nothing
    (name,) = likely.report.versions
    assert likely.report.kernel_bytes[name] > general.report.kernel_bytes[name] > 0
    assert f"{name}: {likely.report.kernel_bytes[name]} bytes in 4 versions: n = 48; " in str(likely.report)
    assert Report.from_json(likely.report.to_json()) == likely.report
    rng = np.random.default_rng(0)
    for n in SIZES:
        for m in (0, 1, 3, 4, 7, 1001):
            x = rng.standard_normal((m, n)).astype(np.float32)
            got = likely(x)
            np.testing.assert_array_equal(got.view(np.int32), general(x).view(np.int32))
            if n:
                # A sum's terms may cancel.
                scale = np.abs(x).sum(axis=1).max(initial=0) if text == SUM else 0
                np.testing.assert_allclose(got, REFERENCES[text](x), rtol=3e-6, atol=1e-6 * scale)


@pytest.mark.parametrize("text", [SOFTMAX, SUM], ids=["softmax", "sum"])
def test_a_row_has_the_same_bits_at_every_place(text: str):
    """Rows go several at a time or alone, by one thread or another."""
    model = disc.compile(text.replace("ATTRIBUTES", LIKELY), threads=2)
    rng = np.random.default_rng(1)
    for n in (17, 48, 100, 128, 200, 500, 777, 3000):
        row = rng.standard_normal((1, n)).astype(np.float32)
        for m in (5, 7, 1003):
            got = model(np.repeat(row, m, axis=0))
            np.testing.assert_array_equal(got, np.broadcast_to(model(row), got.shape))


class Attention(torch.nn.Module):
    def forward(self, q, k, v):
        return torch.softmax(q @ k.transpose(-1, -2) / 8.0, -1) @ v


def test_versions_in_a_stitch():
    make = lambda s: tuple(torch.randn(2, 3, s, 64, generator=torch.Generator().manual_seed(i)) for i in range(3))  # noqa: E731
    models = []
    for likely in ((), (32, 128)):
        s = disc.Dim("s", likely=likely)
        models.append(disc.compile(Attention(), make(5), dynamic_shapes=({2: s},) * 3))
    general, versioned = models
    assert versioned.report.stitches and set(map(tuple, versioned.report.versions.values())) == {("s = 32", "s = 128")}
    for s in (0, 1, 31, 32, 33, 100, 128, 200):
        inputs = make(s)
        got = versioned(*inputs)
        assert torch.equal(got, general(*inputs))
        torch.testing.assert_close(got, Attention()(*inputs), rtol=1e-5, atol=1e-5)


BROADCAST = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def test_broadcasts_that_sizes_decide():
    model = disc.compile(BROADCAST)
    assert list(model.report.versions.values()) == [["no broadcast", "broadcast 1", "broadcast 2"]]
    rng = np.random.default_rng(2)
    for x, y in [((3, 50), (3, 50)), ((3, 1), (3, 50)), ((3, 50), (3, 1)), ((1, 50), (3, 50)), ((3, 50), (1, 1)), ((1, 1), (1, 1)),
                 ((3, 1), (1, 50)), ((3, 1), (3, 1)), ((0, 1), (0, 50)), ((3, 0), (3, 1)), ((1, 1), (0, 0))]:  # fmt: skip
        a, b = (rng.standard_normal(shape).astype(np.float32) for shape in (x, y))
        np.testing.assert_array_equal(model(a, b), a + b)
