"""dynamic_conv, whose padding is known at run time, against torch."""

from __future__ import annotations

from itertools import product

import disc
import numpy as np
import pytest
import torch
from torch.nn.functional import conv1d, conv2d, pad

LAYOUTS = {"nchw": "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "nhwc": "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"}


def program(layout: str, dtype: str, sizes: str, attributes: str):
    x = f"tensor<?x?x?x?x{dtype}>"
    return disc.compile(f"""
    func.func @main(%x: {x}, %w: {x}, %p: tensor<2x2x{sizes}>) -> {x} {{
      %r = "stablehlo.dynamic_conv"(%x, %w, %p) {{{attributes}
        dimension_numbers = #stablehlo.conv<{LAYOUTS[layout]}>, batch_group_count = 1 : i64}}
        : ({x}, {x}, tensor<2x2x{sizes}>) -> {x}
      return %r : {x}
    }}""")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_against_torch(layout: str, dtype: str) -> None:
    kind = {"f32": np.float32, "f64": np.float64}[dtype]
    random = np.random.default_rng(0)
    for stride, dilation, groups in [((1, 1), (1, 1), 1), ((2, 3), (1, 2), 2)]:
        attributes = f"window_strides = array<i64: {stride[0]}, {stride[1]}>,"
        attributes += f"rhs_dilation = array<i64: {dilation[0]}, {dilation[1]}>, feature_group_count = {groups} : i64,"
        conv = program(layout, dtype, "i32", attributes)
        for batch, height, width in [(1, 7, 8), (0, 7, 8), (3, 5, 6)]:
            x = random.standard_normal((batch, 4, height, width)).astype(kind)
            w = random.standard_normal((6, 4 // groups, 3, 2)).astype(kind)
            for padding in ([[0, 0], [0, 0]], [[1, 2], [0, 3]], [[-1, 0], [2, -1]]):
                flat = [padding[1][0], padding[1][1], padding[0][0], padding[0][1]]
                padded = pad(torch.from_numpy(x), flat)
                want = conv2d(padded, torch.from_numpy(w), stride=stride, dilation=dilation, groups=groups).numpy()
                given = (x, w) if layout == "nchw" else (x.transpose(0, 2, 3, 1), w.transpose(2, 3, 1, 0))
                got = conv(*(np.ascontiguousarray(a) for a in given), np.array(padding, np.int32))
                got = got if layout == "nchw" else got.transpose(0, 3, 1, 2)
                assert got.shape == want.shape
                np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


def test_computed_padding_and_one_dimension() -> None:
    conv = disc.compile("""
    func.func @main(%x: tensor<?x3x?xf32>, %w: tensor<4x3x?xf32>, %low: tensor<i64>) -> tensor<?x4x?xf32> {
      %l = stablehlo.reshape %low : (tensor<i64>) -> tensor<1x1xi64>
      %one = stablehlo.constant dense<1> : tensor<1x1xi64>
      %h = stablehlo.add %l, %one : tensor<1x1xi64>
      %p = stablehlo.concatenate %l, %h, dim = 1 : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x2xi64>
      %r = "stablehlo.dynamic_conv"(%x, %w, %p) {window_strides = array<i64: 1>,
        dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
        feature_group_count = 1 : i64, batch_group_count = 1 : i64}
        : (tensor<?x3x?xf32>, tensor<4x3x?xf32>, tensor<1x2xi64>) -> tensor<?x4x?xf32>
      return %r : tensor<?x4x?xf32>
    }""")
    random = np.random.default_rng(1)
    for batch, length, window, low in product((1, 2), (1, 9), (1, 3), (0, 2)):
        if length + 2 * low + 1 < window:
            continue
        x = random.standard_normal((batch, 3, length)).astype(np.float32)
        w = random.standard_normal((4, 3, window)).astype(np.float32)
        want = conv1d(pad(torch.from_numpy(x), [low, low + 1]), torch.from_numpy(w)).numpy()
        np.testing.assert_allclose(conv(x, w, np.int64(low)), want, rtol=1e-5, atol=1e-5)
