"""H: pooling, windows, scans, and sums that keep their precision."""

import ml_dtypes
import numpy as np
import pytest
import torch
import torch.nn.functional as functional
from cases import LENGTHS, check, constant, element, equal, like_torch, module, outputs, type_of


def test_h1_average_pooling_in_ceil_mode():
    known = [[4 / 9, 2 / 3, 2 / 3, 1 / 3], [2 / 3, 1, 1, 0.5], [2 / 3, 1, 1, 0.5], [1 / 3, 0.5, 0.5, 0.25]]

    def model(x):
        return functional.avg_pool2d(x, 3, 2, 1, ceil_mode=True)

    torch.testing.assert_close(model(torch.ones(1, 1, 6, 6))[0, 0], torch.tensor(known))
    inputs = [(torch.ones(2, 2, 6, 6),), (torch.ones(1, 1, 6, 6),)]
    inputs += [(torch.randn(2, 3, h, w),) for h, w in ((7, 9), (6, 5), (5, 16), (3, 3), (2, 17))]
    like_torch(model, inputs, atol=1e-6)


@pytest.mark.parametrize("ceil", [False, True])
def test_h1_siblings_other_poolings(ceil):
    def model(x):
        return (
            functional.avg_pool2d(x, 3, 2, 1, ceil_mode=ceil, count_include_pad=False),
            functional.avg_pool2d(x, (2, 3), (2, 1), (1, 0), ceil_mode=ceil, divisor_override=5),
            functional.max_pool2d(x, 3, 2, 1, ceil_mode=ceil),
            *functional.max_pool2d(x, 2, 3, 1, ceil_mode=ceil, return_indices=True),
            functional.avg_pool1d(x[0], 3, 2, 1, ceil_mode=ceil),
        )

    like_torch(model, [(torch.randn(2, 3, h, w),) for h, w in ((6, 7), (9, 5), (8, 8), (4, 16))], atol=1e-6)


def test_h3_max_pooling_with_indices():
    like_torch(
        lambda x: functional.max_pool2d(x, 2, return_indices=True),
        [(torch.randn(n, 3, 64, 64),) for n in (2, 1, 0, 5)],
        [[0]],
    )
    x = torch.randn(2, 3, 8, 9)
    x[0, 0, 2, 2] = float("nan")
    equal_values = torch.zeros(2, 3, 5, 6)
    like_torch(lambda x: functional.max_pool2d(x, 3, 2, 1, dilation=2, return_indices=True), [(x,), (equal_values,)])
    like_torch(
        lambda x: (functional.max_pool1d(x, 3), functional.max_pool1d(x, 2, 1, 1, 2)),
        [(torch.randn(2, 3, 9),), (torch.randn(1, 2, 16),)],
    )


WINDOW = """
  %.z = stablehlo.constant dense<{init}> : tensor<{e}>
  %.r = "stablehlo.reduce_window"($0, %.z) ({{
  ^bb0(%.a: tensor<{e}>, %.b: tensor<{e}>):
    %.s = stablehlo.{op} %.a, %.b : tensor<{e}>
    stablehlo.return %.s : tensor<{e}>
  }}) {{window_dimensions = array<i64: {k}>, window_strides = array<i64: {s}>, window_dilations = array<i64: {d}>,
    base_dilations = array<i64: {bd}>, padding = dense<[[{lo}, {hi}]]> : tensor<1x2xi64>}} : ({t}, tensor<{e}>) -> {r}"""


def windows(x, op, init, k, s, d, bd, lo, hi):
    base = np.full((len(x) - 1) * bd + 1 if len(x) else 0, init, x.dtype)
    base[::bd] = x
    base = np.concatenate([np.full(lo, init, x.dtype), base, np.full(hi, init, x.dtype)])
    span = (k - 1) * d + 1
    return np.array([op(base[i : i + span : d]) for i in range(0, len(base) - span + 1, s)], x.dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_h3_windows_with_dilation_stride_and_padding(dtype):
    five = np.arange(1, 6).astype(dtype)
    assert windows(five, np.sum, 0, 2, 1, 2, 1, 0, 0).tolist() == [4, 6, 8]
    e = element(five)
    parts, arguments, wanted = [], [], []
    for op, init, function in (("add", 0, np.sum), ("maximum", 0, np.max)):
        for k, s, d, bd, lo, hi in ((2, 1, 2, 1, 0, 0), (3, 2, 1, 1, 1, 1), (2, 3, 2, 2, 0, 3), (5, 1, 1, 1, 4, 0)):
            want = windows(five, function, init, k, s, d, bd, lo, hi)
            literal = f"{init}.0" if e == "f32" else init
            fields = dict(init=literal, e=e, op=op, k=k, s=s, d=d, bd=bd, lo=lo, hi=hi)
            outs = [("%.r", type_of(want))]
            text = WINDOW.format(t=type_of(five), r=type_of(want), **fields)
            free = WINDOW.format(t=f"tensor<?x{e}>", r=f"tensor<?x{e}>", **fields)
            parts += [
                (text, [type_of(five)], outs),
                (text, [constant(five)], outs),
                (free, [f"tensor<?x{e}>"], [("%.r", f"tensor<?x{e}>")]),
            ]
            arguments += [five, five]
            wanted += [want] * 3
    for got, want in zip(outputs(module(parts), *arguments), wanted, strict=True):
        equal(got, want)


SUM = """
  %.z = stablehlo.constant dense<0.0> : tensor<{e}>
  %.r = stablehlo.reduce($0 init: %.z) applies stablehlo.add across dimensions = [0] : (tensor<{{n}}x{e}>, tensor<{e}>) -> tensor<{e}>"""


@pytest.mark.parametrize(
    ("kind", "dtype", "ones", "tenths"), [("f16", np.float16, 5000, 409.5), ("bf16", ml_dtypes.bfloat16, 4992, 410)]
)
def test_h5_half_sums_accumulate_in_f32(kind, dtype, ones, tenths):
    for length, value, want in ((5000, 1.0, ones), (4096, 0.1, tenths)):
        make = lambda n: [np.full(n, value, dtype)]
        check(
            SUM.format(e=kind),
            [f"tensor<{{n}}x{kind}>"],
            [("%.r", f"tensor<{kind}>")],
            make,
            lambda x: np.array(want, dtype),
            (length,),
        )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.int64, torch.bool])
def test_h5_cumulative_sums(dtype):
    def model(x):
        return x.cumsum(1), x.cumsum(0), x.sum(1)

    inputs = [(torch.ones(2, 5000).to(dtype),)] + [(torch.ones(3, n).to(dtype),) for n in (*LENGTHS[:10], 0)]
    like_torch(model, inputs)
    last = torch_last(dtype, inputs[0][0])
    assert last == {torch.float16: 5000, torch.bfloat16: 4992}.get(dtype, 5000)


def torch_last(dtype, x):
    import disc

    class Last(torch.nn.Module):
        def forward(self, x):
            return x.cumsum(1)[0, -1]

    return disc.compile(Last(), (x,))(x)


def test_h5_siblings_products_maxima_and_other_axes_of_scans():
    inputs = [(torch.randn(4, 17, 2),), (torch.randn(1, 1, 1),), (torch.randn(3, 8, 5),)]
    like_torch(lambda x: (x.cumprod(1), x.cumsum(-1), x.logcumsumexp(0)), inputs, atol=1e-5)
    like_torch(lambda x: (*x.cummax(1), *x.cummin(0), x.flip(1).cumsum(1)), inputs, atol=1e-5)


COLUMNS = """
  %.z = stablehlo.constant dense<0{dot}> : tensor<{e}>
  %.r = stablehlo.reduce($0 init: %.z) applies stablehlo.add across dimensions = [0] : (tensor<{{n}}x100x{e}>, tensor<{e}>) -> tensor<100x{e}>"""


def test_h5_column_sums_of_halves_and_bytes():
    half = np.random.default_rng(0).random((110, 100)).astype(np.float16)
    exact = half.astype(np.float64).sum(0).astype(np.float16)

    def close(got, expected, what):
        assert got.dtype == np.float16
        np.testing.assert_allclose(got.astype("f4"), expected.astype("f4"), rtol=1e-3, err_msg=what)

    check(
        COLUMNS.format(e="f16", dot=".0"),
        ["tensor<{n}x100xf16>"],
        [("%.r", "tensor<100xf16>")],
        lambda n: [half],
        lambda x: exact,
        (110,),
        close,
    )
    wrapped = np.full(100, -36, np.int8)
    check(
        COLUMNS.format(e="i8", dot=""),
        ["tensor<{n}x100xi8>"],
        [("%.r", "tensor<100xi8>")],
        lambda n: [np.full((110, 100), 2, np.int8)],
        lambda x: wrapped,
        (110,),
    )


SUMS = """
  %.z = stablehlo.constant dense<0{dot}> : tensor<{e}>
  %.a = stablehlo.reduce($0 init: %.z) applies stablehlo.add across dimensions = [1] : (tensor<?x?x{e}>, tensor<{e}>) -> tensor<?x{e}>
  %.b = stablehlo.reduce($0 init: %.z) applies stablehlo.add across dimensions = [0] : (tensor<?x?x{e}>, tensor<{e}>) -> tensor<?x{e}>
  %.c = stablehlo.reduce($0 init: %.z) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?x{e}>, tensor<{e}>) -> tensor<{e}>"""


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
def test_h7_row_column_and_total_sums_of_one_input(dtype):
    import disc

    e = element(np.zeros(0, dtype))
    text = SUMS.format(e=e, dot=".0" if e[0] == "f" else "")
    program = disc.compile(
        module(
            [
                (
                    text,
                    [f"tensor<?x?x{e}>"],
                    [("%.a", f"tensor<?x{e}>"), ("%.b", f"tensor<?x{e}>"), ("%.c", f"tensor<{e}>")],
                )
            ]
        )
    )
    for shape in ((1, 1), (3, 1000), (1000, 3), (110, 100), (0, 5), (5, 0), (17, 16)):
        x = np.random.default_rng(0).integers(0, 9, shape).astype(dtype)
        for got, axis in zip(program(x), (1, 0, None)):
            equal(got, x.sum(axis, dtype=dtype), (shape, axis))


def test_h7_siblings_maxima_and_means_in_torch():
    inputs = [(torch.randn(s),) for s in ((3, 1000), (1, 1), (1000, 3), (110, 100))]
    like_torch(lambda x: (x.amax(1), x.mean(0), (x * x).sum(), x.softmax(1).sum(0)), inputs, rtol=1e-4, atol=1e-4)
