"""Sizes that ops demand and only the call tells: an error with place and sizes, and the model stays usable."""

import numpy as np
import pytest

import disc


def fails(model, *inputs, match):
    """The call fails with this message, gives all memory back, and leaves the model usable."""
    live = model.statistics()["live_bytes"]
    with pytest.raises(disc.ExecutionError, match=match):
        model(*inputs)
    assert model.statistics()["live_bytes"] == live


def f32(*shape):
    return np.arange(np.prod(shape, dtype=int), dtype="f4").reshape(shape)


BROADCAST = """
func.func @main(%x: tensor<?x4xf32>, %n: tensor<i32>) -> tensor<?x4xf32> {
  %c4 = stablehlo.constant dense<4> : tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0, 1]
      : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""


def test_dynamic_broadcast_repeats_copies_or_fails():
    model = disc.compile(BROADCAST)
    for n in (0, 1, 3, 1000):
        for rows in {1, n}:
            x = f32(rows, 4)
            np.testing.assert_array_equal(model(x, np.int32(n)), np.broadcast_to(x, (n, 4)))
    message = r"`dynamic_broadcast_in_dim` at model.mlir:6:8: dimension 0 of `operand` is 2, expected 1 or 3"
    fails(model, f32(2, 4), np.int32(3), match=message)
    fails(model, f32(1, 4), np.int32(-3), match=r"dimension 0 of the result is -3, expected at least 0")
    np.testing.assert_array_equal(model(f32(1, 4), np.int32(2)), np.broadcast_to(f32(1, 4), (2, 4)))


BINARY = """
func.func @main(%x: tensor<{x}xf32>, %y: tensor<{y}xf32>) -> tensor<{r}xf32> {{
  %0 = {op} : {type}
  return %0 : tensor<{r}xf32>
}}
"""


@pytest.mark.parametrize(
    ("types", "op", "good", "bad", "message"),
    [
        (("?x4", "?x4", "?x4"), "stablehlo.add %x, %y : tensor<?x4xf32>", ((2, 4), (2, 4)), ((2, 4), (3, 4)),
         "`add` at model.mlir:3:8: dimension 0 of `rhs` is 3, expected 2 .dimension 0 of `lhs`."),
        (("?x?", "?x?", "?x?"),
         "stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]"
         " : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
         ((2, 5), (5, 3)), ((2, 5), (4, 3)), "dimension 0 of `rhs` is 4, expected 5 .dimension 1 of `lhs`."),
        (("?x?", "?x?", "?x?"),
         "stablehlo.concatenate %x, %y, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>",
         ((2, 3), (0, 3)), ((2, 3), (0, 4)), "dimension 1 of operand #1 is 4, expected 3 .dimension 1 of operand #0."),
        (("?", "?", "4"), "stablehlo.add %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>",
         ((4,), (4,)), ((5,), (5,)), "dimension 0 of the result is 5, expected 4 .its type says so."),
    ],
)  # fmt: skip
def test_equal_sizes(types, op, good, bad, message):
    x, y, r = types
    model = disc.compile(BINARY.format(x=x, y=y, r=r, op=op.rsplit(" : ", 1)[0], type=op.rsplit(" : ", 1)[1]))
    a, b = (f32(*shape) for shape in good)
    want = a @ b if "dot" in op else np.concatenate([a, b]) if "concat" in op else a + b
    np.testing.assert_allclose(model(a, b), want, rtol=1e-5)
    fails(model, *(f32(*shape) for shape in bad), match=message)
    np.testing.assert_allclose(model(a, b), want, rtol=1e-5)


TWO_VIEWS = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %n4 = arith.divsi %n, %c4 : index
  %m4 = arith.divsi %m, %c4 : index
  %xs = tensor.from_elements %n4, %c4 : tensor<2xindex>
  %ys = tensor.from_elements %m4, %c4 : tensor<2xindex>
  %xv = stablehlo.dynamic_reshape %x, %xs : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %yv = stablehlo.dynamic_reshape %y, %ys : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = chlo.broadcast_multiply %xv, %yv : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def test_two_views_broadcast():
    """Field case A1."""
    model = disc.compile(TWO_VIEWS)
    for n, m in ((4, 8), (8, 4), (8, 8), (4, 4)):
        x, y = f32(n), f32(m) + 1
        np.testing.assert_array_equal(model(x, y), x.reshape(-1, 4) * y.reshape(-1, 4))
    fails(model, f32(8), f32(12), match="expected 1 or")
    fails(model, f32(7), f32(4), match="the number of elements of the result is 4, expected 7")


MERGE = """
func.func @main(%x: tensor<?x?x768xf32>) -> tensor<?x768xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c768 = arith.constant 768 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x768xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x768xf32>
  %ab = arith.muli %a, %b : index
  %n = arith.muli %ab, %c768 : index
  %rows = arith.divsi %n, %c768 : index
  %s = tensor.from_elements %rows, %c768 : tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x?x768xf32>, tensor<2xindex>) -> tensor<?x768xf32>
  return %0 : tensor<?x768xf32>
}
"""


@pytest.mark.parametrize("shape", [(2, 3, 768), (0, 3, 768), (3, 0, 768), (1, 1, 768)])
def test_reshape_merges_dimensions(shape):
    """Field case A4."""
    x = f32(*shape)
    np.testing.assert_array_equal(disc.compile(MERGE)(x), x.reshape(shape[0] * shape[1], 768))


SLICE_RESHAPE = """
func.func @main(%x: tensor<2x?x4xi32>, %n: tensor<i32>) -> (tensor<?x2xi32>, tensor<i32>) {
  %z = stablehlo.constant dense<0> : tensor<3xi32>
  %o = stablehlo.constant dense<1> : tensor<3xi32>
  %c2 = stablehlo.constant dense<2> : tensor<1xi32>
  %c4 = stablehlo.constant dense<4> : tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %lim = stablehlo.concatenate %c2, %n1, %c4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %s = stablehlo.real_dynamic_slice %x, %z, %lim, %o
      : (tensor<2x?x4xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x?x4xi32>
  %rows = stablehlo.multiply %n1, %c4 : tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %c2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_reshape %s, %shape : (tensor<2x?x4xi32>, tensor<2xi32>) -> tensor<?x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<?x2xi32>, tensor<i32>) -> tensor<i32>
  return %r, %sum : tensor<?x2xi32>, tensor<i32>
}
"""


def test_slice_then_reshape():
    """Field case A8."""
    model = disc.compile(SLICE_RESHAPE)
    x = np.arange(32, dtype="i4").reshape(2, 4, 4)
    view, total = model(x, np.int32(2))
    np.testing.assert_array_equal(view, x[:, :2].reshape(8, 2))
    assert total == x[:, :2].sum() == 184
    fails(model, x, np.int32(5), match=r"`real_dynamic_slice` at .*: the limit in dimension 1 is 5, expected at most 4")
    fails(model, x, np.int32(-1), match=r"the limit in dimension 1 is -1, expected at least 0")


SUMS = """
func.func @main(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %bc = arith.addi %b, %c : index
  %ab = arith.addi %a, %b : index
  %s = tensor.from_elements %bc, %ab : tensor<2xindex>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def test_products_of_sums():
    """Field case A10."""
    model = disc.compile(SUMS)
    x = f32(4, 4, 4)
    np.testing.assert_array_equal(model(x), x.reshape(8, 8))
    x = f32(0, 0, 5)
    np.testing.assert_array_equal(model(x), x.reshape(5, 0))
    fails(model, f32(2, 3, 4), match="the number of elements of the result is 35, expected 24")


FLOOR = """
func.func @main(%x: tensor<?xf32>) -> (tensor<?xi32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %d = arith.subi %n, %c8 : index
  %q = arith.floordivsi %d, %c2 : index
  %m = arith.maxsi %q, %c0 : index
  %s = tensor.from_elements %m : tensor<1xindex>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xindex>) -> tensor<?xi32>
  %i = arith.index_cast %q : index to i32
  %t = tensor.from_elements %i : tensor<i32>
  return %r, %t : tensor<?xi32>, tensor<i32>
}
"""


def test_floor_division_of_sizes():
    """Field case A15."""
    model = disc.compile(FLOOR)
    for n in (0, 5, 7, 8, 9, 13):
        iota, quotient = model(f32(n))
        assert int(quotient) == (n - 8) // 2
        np.testing.assert_array_equal(iota, np.arange(max((n - 8) // 2, 0), dtype="i4"))


IOTA = """
func.func @main(%n: tensor<i64>, %m: tensor<i64>) -> tensor<?x?xi8> {
  %n1 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %m1 = stablehlo.reshape %m : (tensor<i64>) -> tensor<1xi64>
  %s = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}
"""


ALLOCATION = (
    r"cannot allocate 2305843009213693952 bytes: .*, "
    r"for a result at model.mlir:6:8 of type 2147483648x1073741824xi8"
)


def test_negative_and_huge_sizes():
    model = disc.compile(IOTA)
    fails(model, np.int64(-2), np.int64(-3), match="dimension . of the result is -[23], expected at least 0")
    fails(model, np.int64(2**33), np.int64(2**33), match="overflow")
    fails(model, np.int64(2**31), np.int64(2**30), match=ALLOCATION)
    np.testing.assert_array_equal(model(np.int64(2), np.int64(3)), [[0, 0, 0], [1, 1, 1]])


# The branch makes a buffer of the three sizes, of which the call sees one.
BRANCH = """
func.func @main(%p: tensor<i1>, %n: tensor<3xi64>) -> tensor<?xi8> {
  %r = "stablehlo.if"(%p) ({
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<3xi64>) -> tensor<?x?x?xi8>
    stablehlo.return %a : tensor<?x?x?xi8>
  }, {
    %b = stablehlo.dynamic_iota %n, dim = 1 : (tensor<3xi64>) -> tensor<?x?x?xi8>
    stablehlo.return %b : tensor<?x?x?xi8>
  }) : (tensor<i1>) -> tensor<?x?x?xi8>
  %z = stablehlo.constant dense<0> : tensor<i8>
  %s = stablehlo.reduce(%r init: %z) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<?x?x?xi8>, tensor<i8>) -> tensor<?xi8>
  return %s : tensor<?xi8>
}
"""


def test_a_count_with_a_size_of_zero_is_zero():
    model = disc.compile(BRANCH)
    for sizes in ((2**33, 2**33, 0), (2**62, 2**62, 0), (2, 3, 4)):
        want = np.full(sizes[2], 3, "i1")  # 0 and 1, three times each
        np.testing.assert_array_equal(model(np.bool_(True), np.array(sizes)), want)
    fails(model, np.bool_(True), np.array([2**33, 2**33, 1]), match="overflow")


HUGE_RESHAPE = """
func.func @main(%x: tensor<?xf32>, %n: tensor<i64>, %m: tensor<i64>) -> tensor<?x?xf32> {
  %n1 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %m1 = stablehlo.reshape %m : (tensor<i64>) -> tensor<1xi64>
  %s = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""


def test_a_count_that_overflows_is_no_count():
    model = disc.compile(HUGE_RESHAPE)
    message = "the number of elements of the result is -1, expected 0"
    fails(model, f32(0), np.int64(2**32), np.int64(2**32), match=message)
    fails(model, f32(6), np.int64(-2), np.int64(-3), match="expected at least 0")
    np.testing.assert_array_equal(model(f32(6), np.int64(2), np.int64(3)), f32(2, 3))


LOOP = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<?xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.add %a, %y : tensor<?xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %s : tensor<i32>, tensor<?xf32>
    }
  return %r#1 : tensor<?xf32>
}
"""


def test_a_loop_that_does_not_run_demands_nothing():
    model = disc.compile(LOOP)
    np.testing.assert_array_equal(model(f32(3), f32(3), np.int32(2)), f32(3) * 3)
    np.testing.assert_array_equal(model(f32(3), f32(4), np.int32(0)), f32(3))
    fails(model, f32(3), f32(4), np.int32(1), match="`add` at model.mlir:10:12: dimension 0 of `rhs` is 4, expected 3")
