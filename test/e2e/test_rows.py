"""Kernels of rows: several dimensions in a row, short and long rows, rows that go together and those left over."""

import numpy as np
import pytest
import torch

import disc

# Its minimum as bits, and a tolerance: relative, after an exponential, a sum and a division.
DTYPES = {
    "f16": (np.float16, "0xFC00", 2e-3),
    "f32": (np.float32, "0xFF800000", 3e-6),
    "f64": (np.float64, "0xFFF0000000000000", 1e-14),
}

SOFTMAX = """
!full = tensor<SHAPExT>
func.func @main(%x: !full) -> !full {
  %low = stablehlo.constant dense<LOW> : tensor<T>
  %zero = stablehlo.constant dense<0.0> : tensor<T>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1, 2]
      : (!full, tensor<T>) -> tensor<?xT>
  %d = chlo.broadcast_subtract %x, %m {broadcast_dimensions = array<i64: 0>} : (!full, tensor<?xT>) -> !full
  %e = stablehlo.exponential %d : !full
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1, 2]
      : (!full, tensor<T>) -> tensor<?xT>
  %p = chlo.broadcast_divide %e, %s {broadcast_dimensions = array<i64: 0>} : (!full, tensor<?xT>) -> !full
  return %p : !full
}
"""


def softmax(shape: str, dtype: str) -> disc.Compiled:
    text = SOFTMAX.replace("SHAPE", shape).replace("LOW", DTYPES[dtype][1])
    return disc.compile(text.replace("xT>", f"x{dtype}>").replace("<T>", f"<{dtype}>"))


def check_softmax(model: disc.Compiled, x: np.ndarray, tolerance: float) -> None:
    if x.size == 0:
        assert model(x).shape == x.shape
        return
    wide = x.astype(np.float64)
    e = np.exp(wide - wide.max(axis=(1, 2), keepdims=True))
    want = e / e.sum(axis=(1, 2), keepdims=True)
    np.testing.assert_allclose(model(x).astype(np.float64), want, rtol=tolerance, atol=np.finfo(x.dtype).tiny)


@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_rows_of_two_dimensions(dtype: str):
    """A row's scratch lies between those of its neighbours, which tails of vectors must not reach."""
    kind, _, tolerance = DTYPES[dtype]
    model = softmax("?x?x?", dtype)
    rng = np.random.default_rng(0)
    for inner in [(8, 24), (8, 8), (3, 20), (1, 7), (7, 1), (2, 33), (5, 100), (3, 513), (0, 4), (4, 0)]:
        for rows in (0, 1, 3, 4, 5, 4003):
            check_softmax(model, rng.standard_normal((rows, *inner)).astype(kind), tolerance)
    assert model.statistics()["live_bytes"] == 0


@pytest.mark.parametrize("inner", [(8, 24), (8, 8), (3, 20)])
def test_rows_of_two_known_dimensions(inner: tuple[int, int]):
    kind, _, tolerance = DTYPES["f32"]
    model = softmax(f"?x{inner[0]}x{inner[1]}", "f32")
    rng = np.random.default_rng(1)
    for rows in (0, 1, 2, 4, 7, 4003):
        check_softmax(model, rng.standard_normal((rows, *inner)).astype(kind), tolerance)


@pytest.mark.parametrize("length", [512, 384, 257, 256, 300, 16])
def test_large_results_of_short_rows(length: int):
    """They go past the caches where rows are whole cache lines, those of a part of the rows or of all."""
    model = softmax("?x1x?", "f32")
    rng = np.random.default_rng(2)
    for rows in ((9 << 20) // (4 * length), (8 << 20) // (4 * length) + 3, 5):
        check_softmax(model, rng.standard_normal((rows, 1, length)).astype(np.float32), DTYPES["f32"][2])


def test_long_bodies():
    """Loops over many ops take eight vectors at a time, then four, then what is left of one."""
    model = disc.compile("""
!t = tensor<?x?xf32>
func.func @main(%x: !t, %y: !t) -> !t {
  %0 = stablehlo.logistic %x : !t
  %1 = stablehlo.add %0, %y : !t
  %2 = stablehlo.tanh %1 : !t
  %3 = stablehlo.multiply %2, %x : !t
  %4 = stablehlo.logistic %3 : !t
  %5 = stablehlo.subtract %4, %y : !t
  return %5 : !t
}""")
    rng = np.random.default_rng(3)
    for shape in [(0, 5), (1, 1), (1, 15), (1, 64), (1, 127), (1, 128), (1, 129), (3, 77), (1, 200), (7, 333), (1500, 1501)]:
        x, y = (rng.standard_normal(shape).astype(np.float32) for _ in range(2))
        wide, other = x.astype(np.float64), y.astype(np.float64)
        inner = np.tanh(1 / (1 + np.exp(-wide)) + other) * wide
        np.testing.assert_allclose(model(x, y), 1 / (1 + np.exp(-inner)) - other, rtol=1e-5, atol=3e-7)


SUM = """
func.func @main(%x: tensor<?x?xT>) -> tensor<?xT> {
  %zero = stablehlo.constant dense<-0.0> : tensor<T>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x?xT>, tensor<T>) -> tensor<?xT>
  return %s : tensor<?xT>
}
"""


@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_a_sum_of_negative_zeros_is_negative(dtype: str):
    model = disc.compile(SUM.replace("xT>", f"x{dtype}>").replace("<T>", f"<{dtype}>"))
    for length in (0, 1, 5, 16, 17, 64, 700):
        x = np.full((6, length), -0.0, DTYPES[dtype][0])
        got = model(x)
        assert np.all(got == 0) and np.all(np.signbit(got)), length
        if length:
            x[:, -1] = 0.0
            assert not np.any(np.signbit(model(x))), length


def test_a_worker_keeps_one_long_row(tmp_path):
    text = SOFTMAX.replace("SHAPE", "?x1x?").replace("LOW", DTYPES["f32"][1])
    code = disc.compile(text.replace("xT>", "xf32>").replace("<T>", "<f32>")).save(tmp_path / "long") / "code.so"
    program = disc.runtime.Program(code, context=disc.runtime.make_context(threads=2))
    x = np.ones((8, 1, 100_000), np.float32)
    (result,) = program(x)
    assert program.statistics()["peak_bytes"] < result.nbytes + 3 * x[0].nbytes


@pytest.mark.parametrize("length", [5, 64, 300, 512, 700])
def test_bits_of_a_row_are_those_of_the_row_alone(length: int):
    """Whether it goes with others or not, and what is large enough to go past the caches."""
    model = softmax("?x1x?", "f32")
    x = np.random.default_rng(3).standard_normal(((9 << 20) // (4 * length) + 3, 1, length)).astype(np.float32)
    alone = model(x[:1])
    for rows in (2, 3, 4, 7, len(x)):
        got = model(np.repeat(x[:1], rows, axis=0) if rows < len(x) else np.concatenate([x[:-2], x[:1], x[:1]]))
        places = range(rows) if rows < len(x) else (0, rows - 2, rows - 1)
        for row in places:
            np.testing.assert_array_equal(got[row], alone[0])


READS = {
    "flip": lambda x: x.flip(-1),
    "stride": lambda x: x[:, ::2],
    "roll": lambda x: x.roll(1, -1),
    "pad": lambda x: torch.nn.functional.pad(x, (1, 2)),
    "cat": lambda x: torch.cat([x, x[:, :3] * 2], -1),
    "slice": lambda x: x[:, 2:],
}


class Soft(torch.nn.Module):
    def __init__(self, read):
        super().__init__()
        self.read = read

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.read(x), -1)


@pytest.mark.parametrize("read", sorted(READS))
def test_bits_of_a_row_that_is_read_in_another_order(read: str):
    """Or that is so short that its loop is none over vectors."""
    rows, length = torch.export.Dim("rows", max=5000), torch.export.Dim("length", min=4, max=600)
    model = disc.compile(Soft(READS[read]), (torch.randn(5, 17),), dynamic_shapes=({0: rows, 1: length},))
    for n in (4, 16, 33, 64, 300, 512):
        x = torch.randn(40, n, generator=torch.Generator().manual_seed(n))
        got = model(x)
        torch.testing.assert_close(got, torch.softmax(READS[read](x), -1), rtol=3e-6, atol=1e-7)
        for row in range(len(x)):
            assert torch.equal(model(x[row : row + 1])[0], got[row])


@pytest.mark.parametrize("length", [2, 3, 4, 5, 33])
def test_bits_of_a_row_of_known_length(length: int):
    model = disc.compile(Soft(lambda x: x), (torch.randn(5, length),), dynamic_shapes=({0: torch.export.Dim("rows", max=5000)},))
    x = torch.randn(400, length, generator=torch.Generator().manual_seed(length))
    got = model(x)
    for row in range(len(x)):
        assert torch.equal(model(x[row : row + 1])[0], got[row])


def test_rows_of_several_outer_dimensions():
    """Rows have numbers; what is one number a row, or the same in several rows, has an index."""
    model = disc.compile("""
!full = tensor<?x?x?x?xf32>
func.func @main(%x: !full {disc.dims = ["a", "b", "c", "d"]}, %r: tensor<?x?x?xf32> {disc.dims = ["a", "b", "c"]},
                %m: tensor<?x?xf32> {disc.dims = ["a", "d"]}) -> (!full, tensor<?x?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = chlo.broadcast_add %x, %m {broadcast_dimensions = array<i64: 0, 3>} : (!full, tensor<?x?xf32>) -> !full
  %e = stablehlo.exponential %y : !full
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3]
      : (!full, tensor<f32>) -> tensor<?x?x?xf32>
  %t = chlo.broadcast_add %s, %r : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %p = chlo.broadcast_divide %e, %t {broadcast_dimensions = array<i64: 0, 1, 2>}
      : (!full, tensor<?x?x?xf32>) -> !full
  return %p, %t : !full, tensor<?x?x?xf32>
}""")
    rng = np.random.default_rng(4)
    for a, b, c, d in [(2, 3, 5, 7), (1, 1, 1, 1), (3, 1, 2, 64), (2, 2, 3, 600), (1, 4, 1, 33), (0, 2, 3, 4), (2, 3, 4, 0), (5, 7, 11, 16)]:
        x, r, m = rng.standard_normal((a, b, c, d)), rng.uniform(1, 2, (a, b, c)), rng.standard_normal((a, d))
        got, sums = model(*(v.astype(np.float32) for v in (x, r, m)))
        e = np.exp(x + m[:, None, None, :])
        t = e.sum(-1) + r
        np.testing.assert_allclose(sums, t, rtol=3e-6)
        np.testing.assert_allclose(got, e / t[..., None], rtol=3e-6)
