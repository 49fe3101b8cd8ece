"""Quantized types: storage integers at the boundary, StableHLO's arithmetic inside, sizes 0, 1 and n of one artifact."""

import ml_dtypes
import numpy as np
import pytest

import disc
from disc.errors import ExecutionError

SIZES = [0, 1, 7]
STORAGE = {
    "i4": (ml_dtypes.int4, -8, 7),
    "u4": (ml_dtypes.uint4, 0, 15),
    "i8": (np.int8, -128, 127),
    "u8": (np.uint8, 0, 255),
    "i16": (np.int16, -(2**15), 2**15 - 1),
    "i32": (np.int32, -(2**31), 2**31 - 1),
}
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


def dequantized(q, scale, zero=0, real=np.float32):
    """(q - zero) * scale in the expressed type `real`."""
    return (q.astype(np.int64) - zero).astype(real) * np.asarray(scale, real)


def quantized(x, scale, zero=0, low=-128, high=127, storage=np.int8):
    """round(clamp(x / scale + zero)) in the type of `x`."""
    real = x.dtype
    scaled = x / np.asarray(scale, real) + np.asarray(zero, real)
    return np.rint(np.clip(scaled, np.asarray(low, real), np.asarray(high, real))).astype(np.float64).astype(storage)


def random(shape, seed=0, low=-100, high=100):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def bytes_of(shape, seed=0):
    return np.random.default_rng(seed).integers(-128, 128, shape, np.int8)


@pytest.mark.parametrize("real", FLOATS)
@pytest.mark.parametrize("storage", ["i4", "u4", "i8", "u8", "i16"])
def test_quantize_and_dequantize(storage, real):
    type, low, high = STORAGE[storage]
    zero = (low + high + 1) // 2 + 1
    element = f"!quant.uniform<{storage}:{real}, 0.375:{zero}>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?x{real}>, %q: tensor<?x{element}>) -> (tensor<?x{element}>, tensor<?x{real}>) {{
  %0 = stablehlo.uniform_quantize %x : (tensor<?x{real}>) -> tensor<?x{element}>
  %1 = stablehlo.uniform_dequantize %q : (tensor<?x{element}>) -> tensor<?x{real}>
  return %0, %1 : tensor<?x{element}>, tensor<?x{real}>
}}""")
    for size in [*SIZES, 100]:
        x = random(size).astype(FLOATS[real])
        q = np.linspace(low, high, size).astype(np.int64).astype(type)
        stored, back = program(x, q)
        assert stored.dtype == type
        wanted = quantized(x, 0.375, zero, low, high, np.int64)
        np.testing.assert_array_equal(stored.astype(np.int64), wanted)
        np.testing.assert_array_equal(back, dequantized(q, 0.375, zero, FLOATS[real]))


def test_rounding_saturation_and_nan():
    element = "!quant.uniform<i8<-100:100>:f32, 2.0:1>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?xf32>) -> tensor<?x{element}> {{
  %0 = stablehlo.uniform_quantize %x : (tensor<?xf32>) -> tensor<?x{element}>
  return %0 : tensor<?x{element}>
}}""")
    x = np.array([1, 3, 5, -1, -3, 1e30, -1e30, np.inf, -np.inf, np.nan, 0], np.float32)
    # 1.5, 2.5, 3.5, 0.5, -0.5: the zero point is added before the tie is broken.
    np.testing.assert_array_equal(program(x), np.array([2, 2, 4, 0, 0, 100, -100, 100, -100, 0, 1], np.int8))


def test_i32_storage_is_exact_where_the_float_is():
    element = "!quant.uniform<i32:f64, 0.5:-2000000000>"
    program = disc.compile(f"""
func.func @main(%q: tensor<?x{element}>) -> (tensor<?xf64>, tensor<?x{element}>) {{
  %0 = stablehlo.uniform_dequantize %q : (tensor<?x{element}>) -> tensor<?xf64>
  %1 = stablehlo.negate %q : tensor<?x{element}>
  return %0, %1 : tensor<?xf64>, tensor<?x{element}>
}}""")
    q = np.array([-(2**31), 2**31 - 1, 0, -2000000000, 12345], np.int32)
    real, negated = program(q)
    np.testing.assert_array_equal(real, dequantized(q, 0.5, -2000000000, np.float64))
    wanted = np.clip(-(q.astype(np.int64) + 2000000000) - 2000000000, -(2**31), 2**31 - 1)
    np.testing.assert_array_equal(negated, wanted.astype(np.int32))


def test_requantize_along_a_dynamic_axis():
    before = "!quant.uniform<i8:f32:1, {0.5:3, 0.25:-4, 2.0}>"
    after = "!quant.uniform<u8:f32:1, {0.75:100, 0.5:128, 1.0:1}>"
    program = disc.compile(f"""
func.func @main(%q: tensor<?x?x{before}>) -> tensor<?x?x{after}> {{
  %0 = stablehlo.uniform_quantize %q : (tensor<?x?x{before}>) -> tensor<?x?x{after}>
  return %0 : tensor<?x?x{after}>
}}""")
    for size in SIZES:
        q = bytes_of((size, 3))
        real = dequantized(q, [0.5, 0.25, 2.0], [3, -4, 0])
        wanted = quantized(real, [0.75, 0.5, 1.0], [100, 128, 1], 0, 255, np.uint8)
        np.testing.assert_array_equal(program(q), wanted)


    for size in (1, 4):
        with pytest.raises(ExecutionError, match="a quantized dimension has 3 slices"):
            program(bytes_of((2, size)))


def test_elementwise():
    a, b, c = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8:f32, 0.25:-4>", "!quant.uniform<i8:f32, 0.8:10>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?x{a}>, %y: tensor<?x{b}>, %p: tensor<?xi1>)
    -> (tensor<?x{c}>, tensor<?xi1>, tensor<?x{c}>, tensor<?x{a}>, tensor<?x{a}>) {{
  %0 = stablehlo.add %x, %y : (tensor<?x{a}>, tensor<?x{b}>) -> tensor<?x{c}>
  %1 = stablehlo.compare LT, %x, %y : (tensor<?x{a}>, tensor<?x{b}>) -> tensor<?xi1>
  %2 = stablehlo.abs %y : (tensor<?x{b}>) -> tensor<?x{c}>
  %3 = stablehlo.clamp %x, %x, %x : tensor<?x{a}>
  %4 = stablehlo.select %p, %x, %3 : (tensor<?xi1>, tensor<?x{a}>, tensor<?x{a}>) -> tensor<?x{a}>
  return %0, %1, %2, %3, %4 : tensor<?x{c}>, tensor<?xi1>, tensor<?x{c}>, tensor<?x{a}>, tensor<?x{a}>
}}""")
    for size in SIZES:
        x, y = bytes_of(size, 1), bytes_of(size, 2)
        p = x > y
        added, less, absolute, clamped, selected = program(x, y, p)
        left, right = dequantized(x, 0.5, 3), dequantized(y, 0.25, -4)
        np.testing.assert_array_equal(added, quantized(left + right, 0.8, 10))
        np.testing.assert_array_equal(less, left < right)
        np.testing.assert_array_equal(absolute, quantized(np.abs(right), 0.8, 10))
        np.testing.assert_array_equal(clamped, x)
        np.testing.assert_array_equal(selected, x)


def product(x, y, zero, scales, to_scale, to_zero, multiply):
    """The exact sums of products of integers, rescaled once."""
    sums = multiply(x.astype(np.int64) - zero[0], y.astype(np.int64) - zero[1])
    scaled = sums.astype(np.float64) * (scales[0] * np.asarray(scales[1]) / to_scale) + to_zero
    return np.rint(np.clip(scaled, -128, 127)).astype(np.int8)


def test_dot_with_a_scale_for_each_column():
    a, w = "!quant.uniform<i8:f32, 0.5:7>", "!quant.uniform<i8:f32:1, {0.25, 0.5, 0.125, 0.75, 0.0625}>"
    c, wide = "!quant.uniform<i8:f32, 300.0:3>", "!quant.uniform<i32:f32, 0.25>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?x?x{a}>, %w: tensor<?x5x{w}>, %v: tensor<?x5x{a}>)
    -> (tensor<?x5x{c}>, tensor<?x5x{wide}>) {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
     : (tensor<?x?x{a}>, tensor<?x5x{w}>) -> tensor<?x5x{c}>
  %1 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
     : (tensor<?x?x{a}>, tensor<?x5x{a}>) -> tensor<?x5x{wide}>
  return %0, %1 : tensor<?x5x{c}>, tensor<?x5x{wide}>
}}""")
    scales = [0.25, 0.5, 0.125, 0.75, 0.0625]
    for rows, inner in [(0, 4), (1, 1), (3, 0), (7, 300)]:
        x, w, v = bytes_of((rows, inner), 1), bytes_of((inner, 5), 2), bytes_of((inner, 5), 3)
        narrow, sums = program(x, w, v)
        np.testing.assert_array_equal(narrow, product(x, w, (7, 0), (0.5, scales), 300.0, 3, np.matmul))
        np.testing.assert_array_equal(sums, (x.astype(np.int32) - 7) @ (v.astype(np.int32) - 7))


def test_float_times_quantized_weights():
    w = "!quant.uniform<i8:f32:1, {0.25, 0.5}>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?x3xf32>, %w: tensor<3x2x{w}>) -> tensor<?x2xf32> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
     : (tensor<?x3xf32>, tensor<3x2x{w}>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}}""")
    for size in SIZES:
        x, w = random((size, 3)), bytes_of((3, 2))
        np.testing.assert_allclose(program(x, w), x @ dequantized(w, [0.25, 0.5]), rtol=1e-5, atol=1e-3)


def test_convolution_pads_with_the_zero_point():
    a, w = "!quant.uniform<i8:f32, 0.5:7>", "!quant.uniform<i8:f32:3, {0.25:2, 0.5:-3}>"
    c = "!quant.uniform<i8:f32:3, {40.0:3, 80.0}>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?x?x?x1x{a}>, %w: tensor<3x3x1x2x{w}>) -> tensor<?x?x?x2x{c}> {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<?x?x?x1x{a}>, tensor<3x3x1x2x{w}>) -> tensor<?x?x?x2x{c}>
  return %0 : tensor<?x?x?x2x{c}>
}}""")

    def correlate(x, w):
        padded = np.pad(x[..., 0], ((0, 0), (1, 1), (1, 1)))
        rows, columns = x.shape[1:3]
        parts = [
            padded[:, i : i + rows, j : j + columns, None] * w[i, j, 0] for i in range(3) for j in range(3)
        ]
        return sum(parts)

    for shape in [(0, 4, 4), (1, 1, 1), (2, 5, 6)]:
        x, w = bytes_of((*shape, 1), 1), bytes_of((3, 3, 1, 2), 2)
        wanted = product(
            x, w, (7, np.array([2, -3])), (0.5, [0.25, 0.5]), np.array([40.0, 80.0]), np.array([3, 0]), correlate
        )
        np.testing.assert_array_equal(program(x, w), wanted)


def test_reductions_compute_in_the_type_of_their_region():
    a, wide = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i32:f32, 0.5>"
    program = disc.compile(f"""
func.func @main(%x: tensor<?x?x{a}>) -> (tensor<?x{wide}>, tensor<?x?x{a}>) {{
  %zero = stablehlo.constant() <{{value = dense<0> : tensor<i32>}}> : () -> tensor<{wide}>
  %0 = "stablehlo.reduce"(%x, %zero) <{{dimensions = array<i64: 1>}}> ({{
  ^bb0(%a: tensor<{wide}>, %b: tensor<{wide}>):
    %s = stablehlo.add %a, %b : tensor<{wide}>
    stablehlo.return %s : tensor<{wide}>
  }}) : (tensor<?x?x{a}>, tensor<{wide}>) -> tensor<?x{wide}>
  %low = stablehlo.constant() <{{value = dense<-128> : tensor<i8>}}> : () -> tensor<{a}>
  %1 = "stablehlo.reduce_window"(%x, %low) <{{window_dimensions = array<i64: 1, 3>,
      padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<{a}>, %b: tensor<{a}>):
    %s = stablehlo.maximum %a, %b : tensor<{a}>
    stablehlo.return %s : tensor<{a}>
  }}) : (tensor<?x?x{a}>, tensor<{a}>) -> tensor<?x?x{a}>
  return %0, %1 : tensor<?x{wide}>, tensor<?x?x{a}>
}}""")
    for shape in [(0, 4), (1, 1), (3, 50)]:
        x = bytes_of(shape)
        sums, tops = program(x)
        np.testing.assert_array_equal(sums, (x.astype(np.int32) - 3).sum(1))
        padded = np.pad(x, ((0, 0), (1, 1)), constant_values=-128)
        n = shape[1]
        wanted = np.max([padded[:, k : k + n] for k in range(3)], axis=0)
        np.testing.assert_array_equal(tops, wanted)


def test_elements_that_move_and_control_flow():
    a = "!quant.uniform<i8:f32, 0.5:3>"
    program = disc.compile(f"""
func.func private @twice(%x: tensor<?x{a}>) -> tensor<?x{a}> {{
  %0 = stablehlo.add %x, %x : tensor<?x{a}>
  return %0 : tensor<?x{a}>
}}
func.func @main(%x: tensor<?x{a}>, %n: tensor<i32>) -> (tensor<?x{a}>, tensor<?x{a}>, tensor<?x{a}>) {{
  %edge = stablehlo.constant() <{{value = dense<5> : tensor<i8>}}> : () -> tensor<{a}>
  %pad = stablehlo.pad %x, %edge, low = [1], high = [2], interior = [1] : (tensor<?x{a}>, tensor<{a}>) -> tensor<?x{a}>
  %back = stablehlo.reverse %x, dims = [0] : tensor<?x{a}>
  %both = stablehlo.concatenate %back, %pad, dim = 0 : (tensor<?x{a}>, tensor<?x{a}>) -> tensor<?x{a}>
  %sorted = "stablehlo.sort"(%both) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%p: tensor<{a}>, %q: tensor<{a}>):
    %c = stablehlo.compare LT, %p, %q, FLOAT : (tensor<{a}>, tensor<{a}>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) : (tensor<?x{a}>) -> tensor<?x{a}>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %t = %x) : tensor<i32>, tensor<?x{a}>
    cond {{
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %j = stablehlo.add %i, %one : tensor<i32>
      %u = func.call @twice(%t) : (tensor<?x{a}>) -> tensor<?x{a}>
      stablehlo.return %j, %u : tensor<i32>, tensor<?x{a}>
    }}
  %c = stablehlo.compare GT, %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %f = "stablehlo.if"(%c) ({{
      stablehlo.return %back : tensor<?x{a}>
    }}, {{
      stablehlo.return %x : tensor<?x{a}>
    }}) : (tensor<i1>) -> tensor<?x{a}>
  return %sorted, %r#1, %f : tensor<?x{a}>, tensor<?x{a}>, tensor<?x{a}>
}}""")
    for size in SIZES:
        for turns in range(3):
            x = bytes_of(size, turns)
            ordered, doubled, chosen = program(x, np.array(turns, np.int32))
            padded = np.full(max(2 * size - 1, 0) + 3, 5, np.int8)
            padded[1 : 1 + max(2 * size - 1, 0) : 2] = x
            np.testing.assert_array_equal(ordered, np.sort(np.concatenate([x[::-1], padded])))
            wanted = x
            for _ in range(turns):
                real = dequantized(wanted, 0.5, 3)
                wanted = quantized(real + real, 0.5, 3)
            np.testing.assert_array_equal(doubled, wanted)
            np.testing.assert_array_equal(chosen, x[::-1] if turns > 1 else x)


def test_different_scales_are_refused_where_elements_only_move():
    a, b = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32, 0.25>"
    with pytest.raises(disc.CompileError, match="`uniform_quantize` changes the scale"):
        disc.compile(f"""
func.func @main(%x: tensor<?x{a}>, %y: tensor<?x{b}>) -> tensor<?x{a}> {{
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?x{a}>, tensor<?x{b}>) -> tensor<?x{a}>
  return %0 : tensor<?x{a}>
}}""")
