"""D: integers that wrap, conversions, floor division, rotations, indices of small types, powers."""

import numpy as np
import pytest
import torch
from cases import LENGTHS, check, constant, equal, like_torch, module, outputs

INF = float("inf")
ALL8 = np.arange(-128, 128, dtype=np.int16)


def byte_pairs(dtype):
    """All pairs of 8-bit values, b != 0, without (-128, -1)."""
    values = np.arange(-128, 128) if np.dtype(dtype).kind == "i" else np.arange(256)
    a, b = (x.reshape(-1) for x in np.meshgrid(values, values))
    keep = (b != 0) & ~((a == -128) & (b == -1))
    return a[keep].astype(dtype), b[keep].astype(dtype)


@pytest.mark.parametrize(
    ("kind", "wide"), [("ui8", "i16"), ("i8", "i32"), ("ui16", "i64"), ("i16", "f32"), ("ui8", "f32")]
)
def test_d1_narrow_sums_wrap_before_a_cast(kind, wide):
    dtype = np.dtype(kind.replace("ui", "uint") if kind[0] == "u" else kind.replace("i", "int"))
    target = np.dtype({"i16": "int16", "i32": "int32", "i64": "int64", "f32": "float32"}[wide])
    t, w = f"tensor<{{n}}x{kind}>", f"tensor<{{n}}x{wide}>"
    template = f"""
  %.s = stablehlo.add $0, $1 : {t}
  %.a = stablehlo.convert %.s : ({t}) -> {w}
  %.m = stablehlo.multiply $0, $1 : {t}
  %.b = stablehlo.convert %.m : ({t}) -> {w}
  %.d = stablehlo.subtract $0, $1 : {t}
  %.c = stablehlo.convert %.d : ({t}) -> {w}"""

    def make(n):
        top = 1 << (dtype.itemsize * 8 - 1)
        values = np.resize(np.array([top, top, top - 1, 3, 2 * top - 1]), n)
        return [values.astype(dtype), np.resize(values[::-1], n).astype(dtype)]

    expect = lambda a, b: [x.astype(target) for x in (a + b, a * b, a - b)]
    with np.errstate(over="ignore"):
        check(template, [t, t], [(r, w) for r in ("%.a", "%.b", "%.c")], make, expect)


def test_d1_128_plus_128_in_u8_is_0():
    x = np.array([128], np.uint8)
    template = (
        "  %.s = stablehlo.add $0, $0 : tensor<1xui8>\n  %.r = stablehlo.convert %.s : (tensor<1xui8>) -> tensor<1xi16>"
    )
    for inputs, arguments in ((["tensor<1xui8>"], [x]), ([constant(x)], [])):
        equal(outputs(module([(template, inputs, [("%.r", "tensor<1xi16>")])]), *arguments)[0], np.zeros(1, np.int16))


SPECIAL = np.array([np.nan, INF, -INF, 3e9, -1.5, 256.7, -2.18])
SATURATED = {
    "i32": [0, 2147483647, -2147483648, 2147483647, -1, 256, -2],
    "ui8": [0, 255, 0, 255, 0, 255, 0],
    "i8": [0, 127, -128, 127, -1, 127, -2],
    "i16": [0, 32767, -32768, 32767, -1, 256, -2],
    "ui16": [0, 65535, 0, 65535, 0, 256, 0],
    "ui32": [0, 4294967295, 0, 3000000000, 0, 256, 0],
    "i64": [0, 2**63 - 1, -(2**63), 3000000000, -1, 256, -2],
    "ui64": [0, 2**64 - 1, 0, 3000000000, 0, 256, 0],
}


@pytest.mark.parametrize("source", ["f32", "f64"])
def test_d4_float_to_integer_saturates(source):
    """Vector body, tail and folder agree: every length starts at another of the values."""
    kinds = list(SATURATED)
    t = f"tensor<{{n}}x{source}>"
    lines = [f"  %.{k} = stablehlo.convert $0 : ({t}) -> tensor<{{n}}x{k}>" for k in kinds]
    dtypes = {k: np.dtype(("uint" if k[0] == "u" else "int") + k.lstrip("ui")) for k in kinds}
    order = lambda n: np.resize(np.roll(np.arange(7), n), n)
    make = lambda n: [SPECIAL[order(n)].astype({"f32": np.float32, "f64": np.float64}[source])]

    def expect(x):
        where = order(len(x))
        return [np.array(SATURATED[k], dtype=dtypes[k])[where] for k in kinds]

    check("\n".join(lines), [t], [(f"%.{k}", f"tensor<{{n}}x{k}>") for k in kinds], make, expect)


@pytest.mark.parametrize("source", ["f16", "bf16"])
def test_d4_siblings_halves_to_integers(source):
    import ml_dtypes

    dtype = np.float16 if source == "f16" else ml_dtypes.bfloat16
    values = np.array([np.nan, INF, -INF, -1.5, 256.0, -2.25, 300.0])
    wanted = {
        "i8": [0, 127, -128, -1, 127, -2, 127],
        "ui8": [0, 255, 0, 0, 255, 0, 255],
        "i32": [0, 2**31 - 1, -(2**31), -1, 256, -2, 300],
    }
    t = f"tensor<{{n}}x{source}>"
    lines = [f"  %.{k} = stablehlo.convert $0 : ({t}) -> tensor<{{n}}x{k}>" for k in wanted]
    dtypes = {"i8": np.int8, "ui8": np.uint8, "i32": np.int32}
    make = lambda n: [np.resize(values, n).astype(dtype)]
    expect = lambda x: [np.resize(np.array(v), len(x)).astype(dtypes[k]) for k, v in wanted.items()]
    check("\n".join(lines), [t], [(f"%.{k}", f"tensor<{{n}}x{k}>") for k in wanted], make, expect)


def test_d6_divide_and_remainder_of_all_bytes_truncate():
    for kind, dtype in (("i8", np.int8), ("ui8", np.uint8), ("i16", np.int16), ("i32", np.int32), ("i64", np.int64)):
        a, b = byte_pairs(np.uint8 if kind == "ui8" else np.int8)
        a, b = a.astype(dtype), b.astype(dtype)
        t = f"tensor<{{n}}x{kind}>"
        template = f"  %.q = stablehlo.divide $0, $1 : {t}\n  %.r = stablehlo.remainder $0, $1 : {t}"
        make = lambda n: [a[:n], b[:n]]
        exact = lambda x, y: np.trunc(x.astype(np.float64) / y.astype(np.float64)).astype(np.int64)

        def expect(x, y):
            quotient = exact(x, y)
            return [quotient.astype(x.dtype), (x - quotient * y).astype(x.dtype)]

        check(template, [t, t], [("%.q", t), ("%.r", t)], make, expect, (1, 3, 17, len(a)))


def test_d6_the_named_pairs():
    a, b = np.array([-7, 7, -7, -1, 120], np.int8), np.array([2, -2, -2, 3, -27], np.int8)
    t = "tensor<{n}xi8>"
    template = f"  %.q = stablehlo.divide $0, $1 : {t}\n  %.r = stablehlo.remainder $0, $1 : {t}"
    expect = lambda x, y: [np.array(v, np.int8) for v in ([-3, -3, 3, 0, -4], [-1, 1, -1, -1, 12])]
    check(template, [t, t], [("%.q", t), ("%.r", t)], lambda n: [a, b], expect, (5,))


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.int32, torch.int64])
def test_d6_floor_division_and_modulo_of_all_bytes(dtype):
    a, b = (torch.tensor(x).to(dtype) for x in byte_pairs(np.int8))
    named = (torch.tensor([-7, 7, -7, -1, 120], dtype=dtype), torch.tensor([2, -2, -2, 3, -27], dtype=dtype))
    quotient, rest = torch.floor_divide(*named), torch.remainder(*named)
    assert quotient.tolist() == [-4, -4, 3, -1, -5] and rest.tolist() == [1, -1, -1, 2, -15]

    def model(x, y):
        trunc = torch.div(x, y, rounding_mode="trunc")
        return (torch.floor_divide(x, y), torch.remainder(x, y), trunc, torch.fmod(x, y), x // 3, x % -3)

    like_torch(model, [named, (a, b), (a[:1], b[:1])])


def test_d6_siblings_floor_division_of_large_integers_floats_and_bytes():
    big = torch.tensor([2**62 + 1, -(2**62) - 1, 2**53 + 1, -(2**63), 2**63 - 1])
    by = torch.tensor([3, 3, -2, 7, -(2**62)])
    like_torch(lambda x, y: (x // y, x % y, torch.div(x, y, rounding_mode="trunc")), [(big, by), (big[:2], by[:2])])
    x, y = torch.tensor([-7.5, 7.5, -0.0, 5.0, INF, 1.0]), torch.tensor([2.0, -2.0, 3.0, INF, 2.0, 0.1])
    like_torch(lambda x, y: (x // y, x % y, torch.fmod(x, y)), [(x, y), (x[:1], y[:1])])
    u = torch.arange(1, 256, dtype=torch.uint8)
    like_torch(lambda x, y: (x // y, x % y), [(u, u.flip(0)), (u[:3], u[:3])])


ROTATE = """
  %.zero = stablehlo.constant dense<0> : tensor<i32>
  %.one = stablehlo.constant dense<1> : tensor<i32>
  %.turns = stablehlo.constant dense<3> : tensor<i32>
  %.width = stablehlo.constant dense<32> : tensor<1xui32>
  %.res:2 = stablehlo.while(%.i = %.zero, %.x = $0) : tensor<i32>, tensor<1xui32>
    cond {
      %.c = stablehlo.compare LT, %.i, %.turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %.c : tensor<i1>
    } do {
      %.j = stablehlo.add %.i, %.one : tensor<i32>
      %.left = stablehlo.shift_left %.x, $1 : tensor<1xui32>
      %.rest = stablehlo.subtract %.width, $1 : tensor<1xui32>
      %.right = stablehlo.shift_right_logical %.x, %.rest : tensor<1xui32>
      %.y = stablehlo.or %.left, %.right : tensor<1xui32>
      stablehlo.return %.j, %.y : tensor<i32>, tensor<1xui32>
    }"""


def rotate(x: int, r: int) -> int:
    high = x << r & 0xFFFFFFFF if r < 32 else 0
    return high | (x >> (32 - r) if r > 0 else 0)


def test_d8_rotations_in_a_counted_loop():
    known = {0: 0x80000001, 1: 0x3, 13: 0x3000, 31: 0xC0000000, 32: 0x80000001}
    assert {r: rotate(0x80000001, r) for r in known} == known
    parts, arguments, wanted = [], [], []
    for r in (0, 1, 13, 31, 32):
        x, by = np.array([0x80000001], np.uint32), np.array([r], np.uint32)
        value = 0x80000001
        for _ in range(3):
            value = rotate(value, r)
        outs = [("%.res#1", "tensor<1xui32>")]
        parts += [(ROTATE, ["tensor<1xui32>"] * 2, outs), (ROTATE, [constant(x), constant(by)], outs)]
        once = ROTATE.replace("dense<3>", "dense<1>")
        parts += [(once, ["tensor<1xui32>"] * 2, outs), (once, [constant(x), constant(by)], outs)]
        arguments += [x, by, x, by]
        wanted += [value, value, known[r], known[r]]
    got = outputs(module(parts), *arguments)
    assert [int(v[0]) for v in got] == wanted


@pytest.mark.parametrize("kind", ["ui8", "ui16", "ui32", "ui64", "i32"])
def test_d8_siblings_shifts_by_run_time_amounts(kind):
    """Shifts by the width or more give 0, arithmetic ones the sign."""
    dtype = np.dtype(kind.replace("i", "int") if kind[0] == "i" else kind.replace("ui", "uint"))
    width = dtype.itemsize * 8
    t = f"tensor<{{n}}x{kind}>"
    template = f"""
  %.a = stablehlo.shift_left $0, $1 : {t}
  %.b = stablehlo.shift_right_logical $0, $1 : {t}
  %.x = stablehlo.xor %.a, %.b : {t}
  %.c = stablehlo.add %.x, $0 : {t}
  %.d = stablehlo.shift_right_arithmetic $0, $1 : {t}"""

    def make(n):
        rng = np.random.default_rng(n)
        info = np.iinfo(dtype)
        return [rng.integers(info.min, info.max, n, dtype, endpoint=True), rng.integers(0, width + 2, n).astype(dtype)]

    def expect(x, by):
        mask = (1 << width) - 1
        rows = []
        for value, r in zip(x.tolist(), by.tolist()):
            bits = value & mask
            left, right = (bits << r) & mask if r < width else 0, bits >> r
            signed = value if value < 1 << (width - 1) else value - (1 << width)
            rows.append((left, right, ((left ^ right) + bits) & mask, (signed >> min(r, width - 1)) & mask))
        unsigned = np.dtype(f"uint{width}")
        return [np.array(column, unsigned).view(dtype) for column in zip(*rows)]

    results = [(r, t) for r in ("%.a", "%.b", "%.c", "%.d")]
    check(template, [t, t], results, make, expect, (1, 2, 7, 8, 17, 8193))


@pytest.mark.parametrize("kind", ["ui8", "i8", "ui16", "i64", "ui32"])
def test_d9_gather_by_indices_of_small_types(kind):
    dtype = np.dtype(kind.replace("i", "int") if kind[0] == "i" else kind.replace("ui", "uint"))
    template = f"""
  %.x = stablehlo.iota dim = 0 : tensor<300xi32>
  %.a = "stablehlo.gather"(%.x, $0) {{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}} : (tensor<300xi32>, tensor<{{n}}x{kind}>) -> tensor<{{n}}xi32>"""
    top = min(np.iinfo(dtype).max, 299)
    make = lambda n: [np.resize([top, 0, min(200, top), 7, 127], n).astype(dtype)]
    check(template, [f"tensor<{{n}}x{kind}>"], [("%.a", "tensor<{n}xi32>")], make, lambda i: i.astype(np.int32))


@pytest.mark.parametrize("kind", ["ui8", "i8"])
def test_d9_scatter_by_indices_of_small_types(kind):
    dtype = {"ui8": np.uint8, "i8": np.int8}[kind]
    template = f"""
  %.zero = stablehlo.constant dense<0> : tensor<300xi32>
  %.one = stablehlo.constant dense<1> : tensor<i32>
  %.ones = stablehlo.constant dense<1> : tensor<{{n}}xi32>
  %.a = "stablehlo.scatter"(%.zero, $0, %.ones) ({{
  ^bb0(%.l: tensor<i32>, %.r: tensor<i32>):
    %.s = stablehlo.add %.l, %.r : tensor<i32>
    stablehlo.return %.s : tensor<i32>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : (tensor<300xi32>, tensor<{{n}}x{kind}>, tensor<{{n}}xi32>) -> tensor<300xi32>"""
    values = [200, 255, 0, 127, 128, 200] if kind == "ui8" else [127, 0, -1, 5, 127, -128]
    for n in (1, 5, 17):
        index = np.resize(values, n).astype(dtype)
        expected = np.zeros(300, np.int32)
        np.add.at(expected, index[index >= 0].astype(int), 1)
        text = template.replace("{n}", str(n))
        outs = [("%.a", "tensor<300xi32>")]
        text = module([(text, [f"tensor<{n}x{kind}>"], outs), (text, [constant(index)], outs)])
        for got in outputs(text, index):
            equal(got, expected, n)


def test_d9_siblings_dynamic_slice_at_a_byte():
    template = """
  %.x = stablehlo.iota dim = 0 : tensor<300xi32>
  %.a = stablehlo.dynamic_slice %.x, $0, sizes = [3] : (tensor<300xi32>, tensor<ui8>) -> tensor<3xi32>
  %.u = stablehlo.constant dense<-1> : tensor<2xi32>
  %.b = stablehlo.dynamic_update_slice %.x, %.u, $0 : (tensor<300xi32>, tensor<2xi32>, tensor<ui8>) -> tensor<300xi32>"""
    at = np.array(200, np.uint8)
    outs = [("%.a", "tensor<3xi32>"), ("%.b", "tensor<300xi32>")]
    updated = np.arange(300, dtype=np.int32)
    updated[200:202] = -1
    got = outputs(module([(template, ["tensor<ui8>"], outs), (template, [constant(at)], outs)]), at)
    for value, expected in zip(got, [np.arange(200, 203, dtype=np.int32), updated] * 2):
        equal(value, expected)


def test_d12_integer_to_a_float_power():
    x, y = torch.tensor([[1, 2], [3, 4]], dtype=torch.int32), torch.tensor([[0.5, 2], [1.3, -2]])
    like_torch(lambda x, y: x**y, [(x, y), (x[:1], y[:1])])
    like_torch(lambda x, y: (y**x, x.double() ** y, x**2, x**0.5, 2**y), [(x, y), (x[:1], y[:1])])
    like_torch(lambda z: x**y + z, [(torch.zeros(2, 2),)], [[]])


@pytest.mark.parametrize("kind", ["ui8", "i8", "ui64"])
def test_d_siblings_reduce_max_and_compare_see_the_sign(kind):
    dtype = np.dtype(kind.replace("i", "int") if kind[0] == "i" else kind.replace("ui", "uint"))
    t = f"tensor<{{n}}x{kind}>"
    least = np.iinfo(dtype).min
    template = f"""
  %.low = stablehlo.constant dense<{least}> : tensor<{kind}>
  %.a = stablehlo.reduce($0 init: %.low) applies stablehlo.maximum across dimensions = [0] : ({t}, tensor<{kind}>) -> tensor<{kind}>
  %.c = stablehlo.compare GT, $0, $1 : ({t}, {t}) -> tensor<{{n}}xi1>
  %.m = stablehlo.minimum $0, $1 : {t}
  %.f = stablehlo.convert $0 : ({t}) -> tensor<{{n}}xf32>"""
    info = np.iinfo(dtype)

    def make(n):
        rng = np.random.default_rng(n)
        return [rng.integers(info.min, info.max, n, dtype, endpoint=True) for _ in range(2)]

    results = [("%.a", f"tensor<{kind}>"), ("%.c", "tensor<{n}xi1>"), ("%.m", t), ("%.f", "tensor<{n}xf32>")]
    expect = lambda a, b: [a.max(), a > b, np.minimum(a, b), a.astype(np.float32)]
    check(template, [t, t], results, make, expect, LENGTHS)


def test_d_siblings_unsigned_maximum_along_a_dimension():
    """As a frontend writes it: a pair of value and position, compared in the region."""
    x = torch.tensor([[1, 200, 3], [255, 5, 5], [7, 7, 128]], dtype=torch.uint8)
    like_torch(lambda x: (*x.max(1), *x.min(0), x.amax(1), x.max()), [(x,), (x[:1],), (x.T.contiguous(),)])
