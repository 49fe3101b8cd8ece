"""C: NaN, infinities and signed zeros in maximum, minimum, reductions, argmax, softmax and clamps."""

import ml_dtypes
import numpy as np
import pytest
import torch
import torch.nn.functional as functional
from cases import LENGTHS, check, equal, like_torch

NAN, INF = float("nan"), float("inf")
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
ODD = np.array([NAN, 5, -0.0, 0.0, INF, -INF, 1, -3, 2, NAN, 7, 0.5])


def pairs(dtype):
    """All pairs of ODD, one after another, cut at n elements."""
    left, right = (x.reshape(-1) for x in np.meshgrid(ODD, ODD))
    return lambda n: [np.resize(x, n).astype(dtype) for x in (left, right)]


def larger(a, b):
    """NaN wins, and 0 is larger than -0."""
    wide = [x.astype(np.float64) for x in (a, b)]
    best = np.where(np.isnan(wide[0]) | np.isnan(wide[1]), NAN, np.maximum(*wide))
    zeros = (wide[0] == 0) & (wide[1] == 0)
    return np.where(zeros, np.where(np.signbit(wide[0]) & np.signbit(wide[1]), -0.0, 0.0), best).astype(a.dtype)


def smaller(a, b):
    return -larger(-a, -b)


@pytest.mark.parametrize("kind", FLOATS)
def test_c1_maximum_and_minimum_of_nan(kind):
    t = f"tensor<{{n}}x{kind}>"
    template = f"  %.a = stablehlo.maximum $0, $1 : {t}\n  %.b = stablehlo.minimum $0, $1 : {t}"
    expect = lambda a, b: [larger(a, b), smaller(a, b)]
    check(template, [t, t], [("%.a", t), ("%.b", t)], pairs(FLOATS[kind]), expect, (*range(1, 18), 144, 8193))


@pytest.mark.parametrize("kind", FLOATS)
def test_c1_reduce_max_and_min_with_nan(kind):
    dtype = FLOATS[kind]
    low = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}[kind]
    high = {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000", "f64": "0x7FF0000000000000"}[kind]
    template = f"""
  %.low = stablehlo.constant dense<{low}> : tensor<{kind}>
  %.high = stablehlo.constant dense<{high}> : tensor<{kind}>
  %.a = stablehlo.reduce($0 init: %.low) applies stablehlo.maximum across dimensions = [0] : (tensor<{{n}}x{kind}>, tensor<{kind}>) -> tensor<{kind}>
  %.b = stablehlo.reduce($0 init: %.high) applies stablehlo.minimum across dimensions = [0] : (tensor<{{n}}x{kind}>, tensor<{kind}>) -> tensor<{kind}>
  %.c = stablehlo.reduce($1 init: %.low) applies stablehlo.maximum across dimensions = [0] : (tensor<{{n}}x{kind}>, tensor<{kind}>) -> tensor<{kind}>"""

    def make(n):  # NaN at the place n - 1, so that it is met by the body and by the tail; none in the second input
        numbers = np.resize(np.array([1, 3, 2, -4, 9, 5.5]), n)
        return [np.where(np.arange(n) == n - 1, NAN, numbers).astype(dtype), numbers.astype(dtype)]

    nan = np.array(NAN, dtype)
    t = f"tensor<{{n}}x{kind}>"
    results = [(name, f"tensor<{kind}>") for name in ("%.a", "%.b", "%.c")]
    check(template, [t, t], results, make, lambda a, b: [nan, nan, b.max()], (*range(1, 18), 8192, 8193))


@pytest.mark.parametrize("axis", [0, 1])
def test_c1_siblings_reduce_max_of_rows_and_columns(axis):
    kept = "{n}" if axis else "3"
    template = f"""
  %.low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %.a = stablehlo.reduce($0 init: %.low) applies stablehlo.maximum across dimensions = [{axis}] : (tensor<{{n}}x3xf32>, tensor<f32>) -> tensor<{kept}xf32>"""

    def make(n):
        x = np.random.default_rng(n).normal(size=(n, 3)).astype(np.float32)
        x[n // 2, 1] = NAN
        return [x]

    check(template, ["tensor<{n}x3xf32>"], [("%.a", f"tensor<{kept}xf32>")], make, lambda x: x.max(axis))


def test_c3_argmax_and_argmin_take_the_first_nan():
    rows = [[NAN, 4.6], [1, NAN], [4.6, 4.6]]
    inputs = [(torch.tensor(rows),), (torch.tensor([[1, NAN, 3], [3, 1, 1.0]]),)]
    inputs += [(torch.full((2, n), NAN),) for n in range(2, 20)] + [(torch.randn(3, n),) for n in (1, 16, 8193)]
    inputs += [(torch.full((2, n), INF),) for n in (3, 17)]
    like_torch(lambda x: (x.argmax(1), x.argmin(1), x.argmax(), *x.max(1), *x.min(0)), inputs)


def test_c3_argmax_of_constants():
    rows = torch.tensor([[NAN, 4.6, 1], [1, NAN, 3], [NAN, NAN, NAN]])

    def model(x):
        return (rows.argmax(1) + x, rows.argmin(1) + x, rows.argmax() + x)

    like_torch(model, [(torch.zeros(3, dtype=torch.int64),)], [[]])


def test_c3_siblings_argmax_of_integers():
    for dtype in (torch.int8, torch.uint8, torch.int64):
        x = torch.tensor([[3, 7, 7], [0, 0, 0]], dtype=dtype)
        like_torch(lambda x: (x.argmax(1), x.argmin(1), x.argmax(), *x.max(1)), [(x,), (x.T.contiguous(),)])


def test_c5_fully_masked_rows_of_softmax_are_nan():
    inputs = []
    for n in (2, 3, *LENGTHS):
        x = torch.randn(3, n)
        x[1] = -INF
        x[2, : n // 2] = -INF
        inputs.append((x,))
    inputs.append((torch.tensor([[-INF, 0, -INF]] * 2),))
    like_torch(lambda x: x.softmax(-1), inputs, atol=1e-7)


def test_c5_siblings_log_softmax_and_masked_attention():
    x = torch.randn(3, 5)
    x[1] = -INF
    like_torch(lambda x: x.log_softmax(-1), [(x,), (x[:, :2],)], atol=1e-6)
    mask = torch.ones(4, 4).tril()
    mask[2] = 0

    def attention(q, mask):
        scores = (q @ q.transpose(-1, -2)).masked_fill(mask == 0, -INF)
        return scores.softmax(-1) @ q

    like_torch(attention, [(torch.randn(2, 4, 8), mask), (torch.randn(3, 4, 8), mask)], [[0], []], atol=1e-5)


@pytest.mark.parametrize("kind", FLOATS)
def test_c6_clamp_keeps_nan(kind):
    t = f"tensor<{{n}}x{kind}>"
    template = f"""
  %.low = stablehlo.constant dense<0.0> : tensor<{kind}>
  %.high = stablehlo.constant dense<1.0> : tensor<{kind}>
  %.a = stablehlo.clamp %.low, $0, %.high : (tensor<{kind}>, {t}, tensor<{kind}>) -> {t}"""
    make = lambda n: [np.resize(ODD, n).astype(FLOATS[kind])]

    def expect(x):
        wide = x.astype(np.float64)
        return np.where(np.isnan(wide), NAN, np.clip(wide, 0, 1) + 0.0).astype(x.dtype)

    check(template, [t], [("%.a", t)], make, expect)


def test_c6_relu6_and_siblings_keep_nan():
    inputs = [(torch.tensor([NAN, 7, -1.0]),), *((torch.tensor(np.resize(ODD, n)).float(),) for n in LENGTHS)]

    def model(x):
        hard = (functional.relu6(x), functional.hardtanh(x), functional.relu(x), functional.hardsigmoid(x))
        return (*hard, x.clamp(0, 1), x.clamp(max=2.0), torch.maximum(x, torch.ones_like(x)), x.clamp_min(0.5))

    like_torch(model, inputs)


def test_c6_relu6_of_a_constant():
    values = torch.tensor([NAN, 7.0, -1.0])
    like_torch(lambda x: functional.relu6(values) + x, [(torch.zeros(3),)], [[]])
    equal(functional.relu6(values).numpy(), np.array([NAN, 6, 0], np.float32))
