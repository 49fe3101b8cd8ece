"""Reductions that go to threads in pieces, and rows of several dimensions: equal to numpy, and the same bits for any number of threads."""

import numpy as np
import pytest

import disc

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "ui8": np.uint8, "i1": np.bool_}

REDUCE = """
func.func @main(%x: tensor<SHAPExT>) -> tensor<OUTT> {
  %init = stablehlo.constant dense<VALUE> : tensor<T>
  %r = stablehlo.reduce(%x init: %init) applies stablehlo.OP across dimensions = [DIMS] : (tensor<SHAPExT>, tensor<T>) -> tensor<OUTT>
  return %r : tensor<OUTT>
}
"""
OPS = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}


def reduction(shape: str, dims: list[int], dtype: str, op: str = "add", init: str = "0") -> disc.Compiled:
    kept = [size for d, size in enumerate(shape.split("x")) if d not in dims]
    out = "".join(f"{size}x" for size in kept)
    text = REDUCE.replace("SHAPE", shape).replace("OUT", out).replace("xT>", f"x{dtype}>").replace("T>", f"{dtype}>")
    return disc.compile(text.replace("OP", op).replace("DIMS", str(dims)[1:-1]).replace("VALUE", init))


def init_of(op: str, dtype: str) -> tuple[str, object]:
    kind = np.dtype(DTYPES[dtype])
    if op in ("add", "multiply"):
        text = str(int(op == "multiply")) if kind.kind != "f" else f"{int(op == 'multiply')}.0"
        return ("false" if dtype == "i1" else text), kind.type(op == "multiply")
    if kind.kind == "f":
        bits = np.array(-np.inf if op == "maximum" else np.inf, kind)
        return f"0x{bits.view(f'u{kind.itemsize}').item():X}", bits[()]
    limits = np.iinfo(kind)
    value = limits.min if op == "maximum" else limits.max
    return str(value), kind.type(value)


def sample(shape: tuple[int, ...], dtype: str, op: str) -> np.ndarray:
    rng = np.random.default_rng(sum(shape))
    kind = np.dtype(DTYPES[dtype])
    if op == "multiply" and kind.kind == "f":
        return np.where(rng.random(shape) < 5 / max(max(shape), 1), 1.5, 1.0).astype(kind)
    if kind.kind == "f":
        return (rng.standard_normal(shape) - (2 if op == "maximum" else 0)).astype(kind)
    if kind.kind == "b":
        return rng.random(shape) < 0.001
    limits = np.iinfo(kind)
    return rng.integers(limits.min, limits.max, shape, kind, endpoint=True)


def check(model: disc.Compiled, x: np.ndarray, dims: list[int], op: str, init: object) -> None:
    got = model(x)
    if x.dtype.kind in "iub" or op in ("maximum", "minimum"):
        want = OPS[op].reduce(x, axis=tuple(dims), initial=init, dtype=x.dtype)
        np.testing.assert_array_equal(got, want)
        return
    wide = OPS[op].reduce(x.astype(np.float64), axis=tuple(dims), initial=float(init))
    # A sum's error is relative to the sum of absolute terms.
    scale = np.abs(x.astype(np.float64)).sum(axis=tuple(dims)) if op == "add" else np.abs(wide)
    unit = np.finfo(x.dtype).eps
    error = np.abs(got.astype(np.float64) - wide)
    assert np.all(error <= 40 * np.finfo(np.float32 if x.itemsize < 8 else x.dtype).eps * scale + 0.51 * unit * np.abs(wide)), error.max()


@pytest.mark.parametrize(("dtype", "op"), [("f32", "add"), ("f32", "maximum"), ("f32", "multiply"), ("f16", "add"), ("f64", "minimum"),
                                           ("i8", "add"), ("i32", "maximum"), ("ui8", "maximum"), ("ui8", "minimum"), ("i1", "add")])  # fmt: skip
def test_long_rows(dtype: str, op: str):
    text, init = init_of(op, dtype)
    model = reduction("?x?", [1], dtype, op, text)
    for shape in [(0, 70_000), (1, 0), (1, 1), (3, 65_535), (1, 65_536), (2, 100_003), (63, 65_537), (64, 65_536), (1, 5_000_001)]:
        check(model, sample(shape, dtype, op), [1], op, init)
    assert model.statistics()["live_bytes"] == 0


@pytest.mark.parametrize("dtype", ["f32", "f64", "i8"])
def test_all_of_a_tensor(dtype: str):
    text, init = init_of("add", dtype)
    model = reduction("?x?x?", [0, 1, 2], dtype, "add", text)
    for shape in [(0, 3, 4), (1, 1, 1), (2, 3, 5), (70_001, 1, 1), (1, 1, 70_001), (1, 70_001, 1), (50_000, 3, 7), (100, 200, 300)]:
        check(model, sample(shape, dtype, "add"), [0, 1, 2], "add", init)


@pytest.mark.parametrize("op", ["add", "maximum"])
def test_short_innermost_dimensions(op: str):
    text, init = init_of(op, "f32")
    model = reduction("?x?x?x?", [1, 2, 3], "f32", op, text)
    for shape in [(1, 1000, 8, 8), (5, 1, 1, 3), (7, 3, 5, 1), (3, 7, 7, 7), (100, 4, 4, 4), (2, 30_000, 1, 3), (4, 2, 0, 3), (0, 1, 2, 3)]:
        check(model, sample(shape, "f32", op), [1, 2, 3], op, init)


COLUMN_SHAPES = [(0, 5), (5, 0), (1, 1), (3, 3), (100_000, 1), (50_001, 3), (20_011, 8), (9_001, 16), (5_003, 64), (5_003, 65), (5_003, 127),
                 (4_111, 200), (700, 768), (600, 4096), (600, 4097), (2_000_000, 1)]  # fmt: skip


@pytest.mark.parametrize(("dtype", "op"), [("f32", "add"), ("f32", "maximum"), ("f32", "multiply"), ("f16", "add"), ("f64", "add"),
                                           ("i8", "add"), ("i8", "maximum"), ("ui8", "minimum"), ("i1", "add")])  # fmt: skip
def test_columns(dtype: str, op: str):
    text, init = init_of(op, dtype)
    model = reduction("?x?", [0], dtype, op, text)
    for shape in COLUMN_SHAPES:
        check(model, sample(shape, dtype, op), [0], op, init)
    assert model.statistics()["live_bytes"] == 0


@pytest.mark.parametrize("columns", [1, 3, 8])
def test_known_few_columns(columns: int):
    text, init = init_of("add", "f32")
    model = reduction(f"?x{columns}", [0], "f32", "add", text)
    for rows in (0, 1, 63, 64, 65, 8192, 8193, 100_003):
        check(model, sample((rows, columns), "f32", "add"), [0], "add", init)


@pytest.mark.parametrize(("shape", "dims"), [("?x?x?", [1]), ("?x?x?x?", [1, 2]), ("?x?x?x?", [0, 1]), ("?x?x3x?", [1]), ("?x?x1x?", [1, 2])])
def test_columns_between_kept_dimensions(shape: str, dims: list[int]):
    text, init = init_of("add", "f32")
    model = reduction(shape, dims, "f32", "add", text)
    fixed = [int(size) if size != "?" else None for size in shape.split("x")]
    for sizes in [(1, 9000, 2, 4), (7, 3000, 3, 1), (2, 1, 4, 3), (3, 70, 5, 300), (2, 600, 1, 500), (1, 600, 3, 500), (0, 2, 3, 4), (2, 0, 3, 4)]:
        actual = tuple(f or s for f, s in zip(fixed, sizes))
        check(model, sample(actual, "f32", "add"), dims, "add", init)


# Elementwise ops before and after, two reductions in one pass, and a bias that needs the column's number.
FUSED = """
func.func @main(%x: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = BIAS
  %1 = stablehlo.abs %0 : tensor<?x?xf32>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [DIM] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [DIM] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %4 = stablehlo.add %2, %3 : tensor<?xf32>
  %5 = stablehlo.negate %4 : tensor<?xf32>
  return %4, %5 : tensor<?xf32>, tensor<?xf32>
}
"""


@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("bias", ["chlo.broadcast_add %x, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>",
                                  "stablehlo.negate %x : tensor<?x?xf32>"])  # fmt: skip
def test_fused(dim: int, bias: str):
    model = disc.compile(FUSED.replace("BIAS", bias).replace("DIM", str(dim)))
    rng = np.random.default_rng(3)
    for shape in [(1, 1), (5, 7), (30_000, 5), (3, 100_000), (2_000, 300), (0, 4), (4, 0)]:
        x, b = rng.standard_normal(shape).astype(np.float32), rng.standard_normal(shape[1]).astype(np.float32)
        value = (x + b if "%b" in bias else -x).astype(np.float64)
        got, negated = model(x, b)
        want, scale = value.sum(dim) + np.abs(value).sum(dim), np.abs(value).sum(dim)
        assert np.all(np.abs(got - want) <= 1e-5 * scale + 1e-6)
        np.testing.assert_array_equal(negated, -got)


NOT_NEUTRAL = """
func.func @main(%x: tensor<?x?xf32>, %init: tensor<f32>) -> tensor<?xf32> {
  %r = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [DIM] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.parametrize("dim", [0, 1])
def test_an_initial_value_counts_once(dim: int):
    model = disc.compile(NOT_NEUTRAL.replace("DIM", str(dim)))
    for shape in [(2, 200_000), (200_000, 2), (1, 1), (0, 3), (3, 0)]:
        got = model(np.zeros(shape, np.float32), np.array(5, np.float32))
        np.testing.assert_array_equal(got, np.full(shape[1 - dim], 5, np.float32))


def test_special_values_in_pieces():
    model = reduction("?x?", [1], "f32", "maximum", "0xFF800000")
    x = np.full((2, 200_000), -1, np.float32)
    x[0, 150_001] = np.nan
    x[1, 3], x[1, 199_999] = -0.0, 0.0
    got = model(x)
    assert np.isnan(got[0]) and got[1] == 0 and not np.signbit(got[1])
    sums = reduction("?x?", [1], "f32", "add", "-0.0")(np.full((1, 200_000), -0.0, np.float32))
    assert np.signbit(sums[0])


SOFTMAX = """
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %d = chlo.broadcast_subtract %x, %m {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %e = stablehlo.exponential %d : tensor<?x?xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %p = chlo.broadcast_divide %e, %s {broadcast_dimensions = array<i64: 0>} : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
"""


def test_bits_do_not_depend_on_threads(tmp_path):
    """Every row and column comes out the same in whatever part of the work it lies."""
    texts = {
        "rows": (REDUCE.replace("SHAPE", "?x?").replace("OUT", "?x").replace("DIMS", "1"), [(1, 3_000_001), (5, 70_001), (1001, 300), (4003, 77)]),
        "columns": (REDUCE.replace("SHAPE", "?x?").replace("OUT", "?x").replace("DIMS", "0"), [(300_001, 3), (50_001, 64), (3_001, 770), (33, 5000)]),
        "softmax": (SOFTMAX, [(1001, 300), (4003, 77), (5, 70_001)]),
    }  # fmt: skip
    for name, (text, shapes) in texts.items():
        text = text.replace("xT>", "xf32>").replace("<T>", "<f32>").replace("OP", "add").replace("VALUE", "0.0")
        code = disc.compile(text).save(tmp_path / name) / "code.so"
        programs = [disc.runtime.Program(code, context=disc.runtime.make_context(threads=threads)) for threads in (1, 2, 3, 4)]
        for shape in shapes:
            x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
            first, *others = [np.array(program(x)[0]) for program in programs]
            for threads, other in zip((2, 3, 4), others):
                np.testing.assert_array_equal(first, other, err_msg=f"{name} {shape}, {threads} threads")
