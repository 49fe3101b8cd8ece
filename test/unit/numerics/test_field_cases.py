"""Cases that trip other compilers: NaN, unsigned and narrow integers, casts; as arguments and as constants, at odd lengths."""

from __future__ import annotations

import disc
import numpy as np
import pytest
from programs import DTYPES, LENGTHS, apply, program

NAN = float("nan")


def dense(values: list[float], dtype: str) -> str:
    """A StableHLO constant; floats by their bits, so that NaN and infinities can be written."""
    array = np.array(values).astype(DTYPES[dtype])
    if array.dtype.kind == "f":
        words = [f"0x{v:0{array.dtype.itemsize * 2}X}" for v in array.view(f"u{array.dtype.itemsize}")]
    else:
        words = [str(v).lower() for v in array.tolist()]
    return f"stablehlo.constant dense<[{', '.join(words)}]> : tensor<{len(values)}x{dtype}>"


def on_constants(op: str, operands: list[tuple[str, list[float]]], result: str) -> np.ndarray:
    """The op applied to constants, where the folder may compute it."""
    n = len(operands[0][1])
    lines = [f"    %a{i} = {dense(v, t)}" for i, (t, v) in enumerate(operands)]
    names = ", ".join(f"%a{i}" for i in range(len(operands)))
    types = ", ".join(f"tensor<{n}x{t}>" for t, _ in operands)
    lines.append(f"    %r = {op.replace('%args', names)} : ({types}) -> tensor<{n}x{result}>")
    body = "\n".join(lines)
    return disc.compile(
        f"func.func @main() -> tensor<{n}x{result}> {{\n{body}\n    return %r : tensor<{n}x{result}>\n}}\n"
    )()


def check(op: str, operands: list[tuple[str, list[float]]], result: str, want: list[float]) -> None:
    """The op on constants and, repeated to every length, on arguments."""
    expected = np.array(want).astype(DTYPES[result])
    np.testing.assert_array_equal(on_constants(op, operands, result), expected)
    for length in LENGTHS:
        args = [np.resize(np.array(v).astype(DTYPES[t]), length) for t, v in operands]
        got = apply(op, [t for t, _ in operands], result, *args)
        np.testing.assert_array_equal(got, np.resize(expected, length))


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_c1_nan_wins(dtype: str) -> None:
    operands = [(dtype, [5, NAN, 1, NAN, 2]), (dtype, [NAN, 5, 2, NAN, 1])]
    check('"stablehlo.maximum"(%args)', operands, dtype, [NAN, NAN, 2, NAN, 2])
    check('"stablehlo.minimum"(%args)', operands, dtype, [NAN, NAN, 1, NAN, 1])


@pytest.mark.parametrize("order", ["%x, %zero", "%zero, %x"])
def test_maximum_with_zero(order: str) -> None:
    """Some targets have an instruction for it. Zeros come out as +0, NaN of any sign and kind stays."""
    first, second = ("tensor<?xf32>" if name == "%x" else "tensor<f32>" for name in order.split(", "))
    model = disc.compile(f"""
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = chlo.broadcast_maximum {order} : ({first}, {second}) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}}""")
    values = np.array([0, -0.0, np.inf, -np.inf, NAN, -NAN, 1e-45, -1e-45, 1, -1, 3e38, -3e38], np.float32)
    signaling = np.array([0x7F800001, 0xFF800001], np.uint32).view(np.float32)
    x = np.concatenate([values, signaling, np.random.default_rng(0).standard_normal(50).astype(np.float32)])
    for length in (len(x), 16, 7, 1, 0):
        got, part = model(x[:length]), x[:length]
        np.testing.assert_array_equal(got, np.where(np.isnan(part), part, np.where(part > 0, part, np.float32(0))))
        assert not np.signbit(got[~np.isnan(got)]).any()


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_c1_reductions(dtype: str) -> None:
    text = f"""
func.func @main(%x: tensor<?x{dtype}>) -> (tensor<{dtype}>, tensor<{dtype}>) {{
  %low = stablehlo.constant dense<-1.0e4> : tensor<{dtype}>
  %high = stablehlo.constant dense<1.0e4> : tensor<{dtype}>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0]
      : (tensor<?x{dtype}>, tensor<{dtype}>) -> tensor<{dtype}>
  %min = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [0]
      : (tensor<?x{dtype}>, tensor<{dtype}>) -> tensor<{dtype}>
  return %max, %min : tensor<{dtype}>, tensor<{dtype}>
}}
"""
    f = disc.compile(text)
    for n in range(1, 18):
        x = np.arange(n).astype(DTYPES[dtype])
        assert [float(r) for r in f(x)] == [n - 1, 0]
        for i in range(n):
            y = x.copy()
            y[i] = NAN
            assert all(np.isnan(r) for r in f(y)), (n, i)


def test_c5_fully_masked_row() -> None:
    text = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = shape.shape_of %x : tensor<?x?xf32> -> tensor<2xindex>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %mb = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %d = stablehlo.subtract %x, %mb : tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %sb = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [0] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = stablehlo.divide %e, %sb : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
    inf = np.inf
    got = disc.compile(text)(np.array([[1, 1, 1], [-inf, -inf, -inf], [-inf, 0, -inf]], np.float32))
    np.testing.assert_allclose(got, [[1 / 3] * 3, [NAN] * 3, [0, 1, 0]], rtol=1e-6)


def test_c6_clamp_keeps_nan() -> None:
    operands = [("f32", [0, 0, 0, 0]), ("f32", [NAN, 7, -1, 3]), ("f32", [1, 6, 6, 6])]
    check('"stablehlo.clamp"(%args)', operands, "f32", [NAN, 6, 0, 3])


def test_d1_unsigned_bytes_wrap() -> None:
    text = """
func.func @main(%x: tensor<?xui8>, %y: tensor<?xui8>) -> tensor<?xi16> {
  %s = stablehlo.add %x, %y : tensor<?xui8>
  %r = stablehlo.convert %s : (tensor<?xui8>) -> tensor<?xi16>
  return %r : tensor<?xi16>
}
"""
    f = disc.compile(text)
    for length in LENGTHS:
        x = np.full(length, 128, np.uint8)
        assert (f(x, x) == 0).all()


def test_d4_float_to_narrow_integer() -> None:
    x = [NAN, np.inf, -np.inf, 3e9, -1.5, 256.7, -2.18]
    op = '"stablehlo.convert"(%args)'
    check(op, [("f32", x)], "i32", [0, 2147483647, -2147483648, 2147483647, -1, 256, -2])
    check(op, [("f32", x)], "ui8", [0, 255, 0, 255, 0, 255, 0])
    check(op, [("f32", x)], "i8", [0, 127, -128, 127, -1, 127, -2])


def test_d6_division_truncates() -> None:
    x, y = [-7, 7, -7, -1, 120], [2, -2, -2, 3, -27]
    check('"stablehlo.divide"(%args)', [("i8", x), ("i8", y)], "i8", [-3, -3, 3, 0, -4])
    check('"stablehlo.remainder"(%args)', [("i8", x), ("i8", y)], "i8", [-1, 1, -1, -1, 12])


def test_d8_rotation_by_a_run_time_amount() -> None:
    text = """
func.func @main(%x: tensor<?xui32>, %r: tensor<?xui32>, %w: tensor<?xui32>) -> tensor<?xui32> {
  %left = stablehlo.shift_left %x, %r : tensor<?xui32>
  %back = stablehlo.subtract %w, %r : tensor<?xui32>
  %right = stablehlo.shift_right_logical %x, %back : tensor<?xui32>
  %o = stablehlo.or %left, %right : tensor<?xui32>
  return %o : tensor<?xui32>
}
"""
    f = disc.compile(text)
    want = {0: 0x80000001, 1: 0x3, 13: 0x3000, 31: 0xC0000000, 32: 0x80000001}
    for length in LENGTHS:
        for r, value in want.items():
            full = [np.full(length, v, np.uint32) for v in (0x80000001, r, 32)]
            assert (f(*full) == value).all(), r


def test_d12_integer_to_a_float_power() -> None:
    text = """
func.func @main(%x: tensor<2x2xi32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %f = stablehlo.convert %x : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %r = stablehlo.power %f, %y : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
"""
    got = disc.compile(text)(np.array([[1, 2], [3, 4]], np.int32), np.array([[0.5, 2], [1.3, -2]], np.float32))
    np.testing.assert_allclose(got, [[1, 4], [4.17117, 0.0625]], rtol=1e-5)


def test_comparisons() -> None:
    x = [NAN, 1, 1, -0.0, np.inf, 2]
    y = [1, NAN, 1, 0.0, np.inf, 1]
    for direction, want in {
        "EQ": [0, 0, 1, 1, 1, 0],
        "NE": [1, 1, 0, 0, 0, 1],
        "LT": [0] * 6,
        "GE": [0, 0, 1, 1, 1, 1],
    }.items():
        op = f'"stablehlo.compare"(%args) {{comparison_direction = #stablehlo<comparison_direction {direction}>}}'
        check(op, [("f32", x), ("f32", y)], "i1", want)
    unsigned = '"stablehlo.compare"(%args) {comparison_direction = #stablehlo<comparison_direction LT>}'
    check(unsigned, [("ui8", [200, 1]), ("ui8", [1, 200])], "i1", [0, 1])
    check(unsigned, [("i8", [-56, 1]), ("i8", [1, -56])], "i1", [1, 0])


def test_total_order() -> None:
    op = (
        '"stablehlo.compare"(%args) {comparison_direction = #stablehlo<comparison_direction LT>, '
        "compare_type = #stablehlo<comparison_type TOTALORDER>}"
    )
    ascending = np.array([-NAN, -np.inf, -1, -0.0, 0.0, 1, np.inf, NAN], np.float32)
    ascending[0] = np.copysign(np.float32(NAN), np.float32(-1))
    less = program((op,), ("f32", "f32"), ("i1",))
    assert less(ascending[:-1].copy(), ascending[1:].copy()).all()
    assert not less(ascending[1:].copy(), ascending[:-1].copy()).any()
