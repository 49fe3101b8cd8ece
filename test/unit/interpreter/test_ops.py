"""The reference interpreter on small programs, against values written down by hand."""

import ml_dtypes
import numpy as np
import pytest

from disc import interpreter


def run(body: str, *inputs: np.ndarray) -> list:
    return interpreter.run(body, inputs)


def unary(op: str, x: np.ndarray, element: str, result: str | None = None) -> np.ndarray:
    source, to = f"tensor<?x{element}>", f"tensor<?x{result or element}>"
    return run(f'func.func @main(%x: {source}) -> {to} {{ %0 = {op} %x : ({source}) -> {to} return %0 : {to} }}', x)[0]


def binary(op: str, x: np.ndarray, y: np.ndarray, element: str) -> np.ndarray:
    t = f"tensor<?x{element}>"
    return run(f"func.func @main(%x: {t}, %y: {t}) -> {t} {{ %0 = {op} %x, %y : {t} return %0 : {t} }}", x, y)[0]


def test_integers_do_not_trap():
    x = np.array([7, -7, -128, 5], np.int8)
    y = np.array([0, 2, -1, 0], np.int8)
    assert binary("stablehlo.divide", x, y, "i8").tolist() == [-1, -3, -128, -1]
    assert binary("stablehlo.remainder", x, y, "i8").tolist() == [7, -1, 0, 5]
    assert binary("stablehlo.shift_left", x, np.array([8, 1, 1, -1], np.int8), "i8").tolist() == [0, -14, 0, 0]
    by = np.array([9, 1, 99, -1], np.int8)
    assert binary("stablehlo.shift_right_arithmetic", x, by, "i8").tolist() == [0, -4, -1, 0]


def test_maximum_of_nan_and_zeros():
    x, y = np.array([np.nan, 1, -0.0], np.float32), np.array([1, np.nan, 0.0], np.float32)
    result = binary("stablehlo.maximum", x, y, "f32")
    assert np.isnan(result[:2]).all() and not np.signbit(result[2])
    assert np.signbit(binary("stablehlo.minimum", y, x, "f32")[2])


def test_float_to_integer_saturates():
    x = np.array([1e10, -1e10, np.nan, -1.9, np.inf], np.float32)
    assert unary("stablehlo.convert", x, "f32", "i32").tolist() == [2**31 - 1, -(2**31), 0, -1, 2**31 - 1]
    assert unary("stablehlo.convert", x, "f32", "ui8").tolist() == [255, 0, 0, 0, 255]


def test_one_rounding_from_f64_to_bf16():
    # Rounded to f32 first this would be a tie and go to even.
    x = np.array([1 + 2**-8 + 2**-40])
    assert unary("stablehlo.convert", x, "f64", "bf16")[0] == ml_dtypes.bfloat16(1 + 2**-7)


def test_f16_sum_is_rounded_once():
    t = "tensor<?xf16>"
    text = f"""func.func @main(%x: {t}) -> tensor<f16> {{
      %z = stablehlo.constant dense<0.0> : tensor<f16>
      %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
        : ({t}, tensor<f16>) -> tensor<f16>
      return %0 : tensor<f16> }}"""
    assert run(text, np.ones(4096, np.float16))[0] == 4096
    assert run(text, np.ones(0, np.float16))[0] == 0


def test_unknown_op_is_named_with_its_place():
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}
        : (tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32> }"""
    with pytest.raises(interpreter.InterpreterError, match=r":2:\d+.*`dhlo.collective_permute`"):
        run(text, np.float32(1))
