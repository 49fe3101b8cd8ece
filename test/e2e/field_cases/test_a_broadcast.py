"""A: broadcasts of sizes that are 1 at run time, reshapes that split and merge, arithmetic on sizes."""

import numpy as np
import pytest
import torch
from cases import equal, like_torch, module, outputs, run, torch_program

import disc

PRODUCT = """
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %nx = tensor.dim %x, %c0 : tensor<?xf32>
  %ny = tensor.dim %y, %c0 : tensor<?xf32>
  %rx = arith.divui %nx, %c4 : index
  %ry = arith.divui %ny, %c4 : index
  %sx = tensor.from_elements %rx, %c4 : tensor<2xindex>
  %sy = tensor.from_elements %ry, %c4 : tensor<2xindex>
  %vx = stablehlo.dynamic_reshape %x, %sx : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %vy = stablehlo.dynamic_reshape %y, %sy : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %r = chlo.broadcast_OP %vx, %vy : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""


@pytest.mark.parametrize(
    ("op", "function"), [("multiply", np.multiply), ("subtract", np.subtract), ("maximum", np.maximum)]
)
def test_a1_views_whose_size_may_be_1(op, function):
    program = disc.compile(PRODUCT.replace("OP", op))
    for n, m in ((4, 8), (8, 4), (8, 8), (4, 4), (4, 0), (0, 0), (4, 4000)):
        x, y = np.arange(n, dtype="f4"), np.arange(m, dtype="f4") + 2
        equal(program(x, y), function(x.reshape(-1, 4), y.reshape(-1, 4)), (n, m))


def test_a1_sizes_that_do_not_broadcast_fail():
    program = disc.compile(PRODUCT.replace("OP", "multiply"))
    for n, m in ((8, 12), (12, 8), (0, 8)):
        with pytest.raises(disc.ExecutionError):
            program(np.zeros(n, "f4"), np.zeros(m, "f4"))
    with pytest.raises(disc.ExecutionError):  # no multiple of 4
        program(np.zeros(6, "f4"), np.zeros(4, "f4"))


def test_a1_in_torch():
    def model(x, y):
        return x.reshape(-1, 4) * y.reshape(-1, 4)

    like_torch(
        model, [(torch.randn(8), torch.randn(8)), (torch.randn(4), torch.randn(4)), (torch.randn(40), torch.randn(40))]
    )


EXPAND = """
func.func @main(%x: tensor<TYPE>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %c = stablehlo.constant dense<4> : tensor<1xi64>
  %s = stablehlo.concatenate %n, %c, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [DIMS] : (tensor<TYPE>, tensor<2xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""


@pytest.mark.parametrize("columns", ["4", "?"])
def test_a2_rows_repeat_or_copy(columns):
    program = disc.compile(EXPAND.replace("TYPE", f"?x{columns}xf32").replace("DIMS", "0, 1"))
    for n in (0, 1, 3, 1000):
        for rows in {1, n}:
            widths = (4, 1) if columns == "?" else (4,)
            for width in widths:
                x = np.random.default_rng(n).normal(size=(rows, width)).astype("f4")
                equal(program(x, np.array([n])), np.broadcast_to(x, (n, 4)), (rows, n))


def test_a2_rows_that_fit_neither_fail():
    program = disc.compile(EXPAND.replace("TYPE", "?x4xf32").replace("DIMS", "0, 1"))
    with pytest.raises(disc.ExecutionError):
        program(np.zeros((2, 4), "f4"), np.array([3]))
    equal(program(np.ones((3, 4), "f4"), np.array([3])), np.ones((3, 4), "f4"))


@pytest.mark.parametrize(
    ("type", "dims", "shape"), [("?xf32", "1", (4,)), ("?xf32", "1", (1,)), ("?xf32", "0", (1,)), ("?xf32", "0", (3,))]
)
def test_a2_siblings_operand_of_lower_rank(type, dims, shape):
    program = disc.compile(EXPAND.replace("TYPE", type).replace("DIMS", dims))
    x = np.arange(shape[0], dtype="f4")
    expected = np.broadcast_to(x if dims == "1" else x[:, None], (3, 4))
    equal(program(x, np.array([3])), expected)


def test_a4_the_middle_of_a_view_stays_dynamic():
    def model(x):
        return x.reshape(-1, 768) + 0, x.reshape(-1, x.shape[2]).sum(1)

    inputs = [(torch.arange(2 * 3 * 768.0).reshape(2, 3, 768),)]
    inputs += [(torch.randn(b, s, 768),) for b, s in ((0, 3), (3, 0), (1, 1), (1, 7), (5, 1))]
    like_torch(model, inputs, [[0, 1]], atol=1e-4)


SPLIT = """
func.func @main(%x: tensor<2x?x4xi32>) -> (tensor<?x2xi32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %z = tensor.from_elements %c0, %c0, %c0 : tensor<3xindex>
  %l = tensor.from_elements %c2, %c2, %c4 : tensor<3xindex>
  %o = tensor.from_elements %c1, %c1, %c1 : tensor<3xindex>
  %s = stablehlo.real_dynamic_slice %x, %z, %l, %o : (tensor<2x?x4xi32>, tensor<3xindex>, tensor<3xindex>, tensor<3xindex>) -> tensor<2x?x4xi32>
  %n = tensor.dim %s, %c1 : tensor<2x?x4xi32>
  %rows = arith.muli %n, %c4 : index
  %shape = tensor.from_elements %rows, %c2 : tensor<2xindex>
  %r = stablehlo.dynamic_reshape %s, %shape : (tensor<2x?x4xi32>, tensor<2xindex>) -> tensor<?x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x2xi32>, tensor<i32>) -> tensor<i32>
  return %r, %sum : tensor<?x2xi32>, tensor<i32>
}
"""


def test_a8_a_reshape_that_merges_and_splits():
    program = disc.compile(SPLIT)
    for n in (4, 2, 7):
        x = np.arange(8 * n, dtype=np.int32).reshape(2, n, 4)
        got, total = program(x)
        equal(got, x[:, :2].reshape(8, 2), n)
        assert total == x[:, :2].sum()
    assert program(np.arange(32, dtype=np.int32).reshape(2, 4, 4))[1] == 184


MERGE = """
func.func @main(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %p = arith.OP %b, %c : index
  %q = arith.OP %a, %b : index
  %s = tensor.from_elements %p, %q : tensor<2xindex>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %y = stablehlo.add %r, %r : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
"""


def test_a10_products_are_not_sums():
    program = disc.compile(MERGE.replace("OP", "addi"))
    for sizes, shape in (((4, 4, 4), (8, 8)), ((0, 0, 0), (0, 0))):
        x = np.arange(np.prod(sizes), dtype="f4").reshape(sizes)
        equal(program(x), (x + x).reshape(shape), sizes)
    with pytest.raises(disc.ExecutionError):
        program(np.zeros((2, 3, 4), "f4"))
    with pytest.raises(disc.ExecutionError):
        disc.compile(MERGE.replace("OP", "muli"))(np.zeros((2, 3, 4), "f4"))


HALF = """
func.func @main(%x: tensor<?xf32>) -> (tensor<i64>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %c8 = arith.constant 8 : index
  %c2 = arith.constant 2 : index
  %less = arith.subi %n, %c8 : index
  %half = arith.floordivsi %less, %c2 : index
  %i = arith.index_cast %half : index to i64
  %t = tensor.from_elements %i : tensor<i64>
  %length = arith.maxsi %half, %c0 : index
  %s = tensor.from_elements %length : tensor<1xindex>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.dynamic_broadcast_in_dim %one, %s, dims = [] : (tensor<f32>, tensor<1xindex>) -> tensor<?xf32>
  return %t, %r : tensor<i64>, tensor<?xf32>
}
"""


def test_a15_sizes_divide_towards_minus_infinity():
    program = disc.compile(HALF)
    for n in (5, 7, 8, 9, 15, 17, 0):
        half, ones = program(np.zeros(n, "f4"))
        assert half == (n - 8) // 2, n
        equal(ones, np.ones(max((n - 8) // 2, 0), "f4"), n)
    assert program(np.zeros(5, "f4"))[0] == -2


def test_a15_siblings_sizes_of_torch():
    def model(x):
        n = x.shape[0]
        return torch.ones(max((n - 8) // 2, 0)), torch.full((n // 3 + n % 4,), 2.0), torch.zeros(min(n, 6))

    like_torch(model, [(torch.randn(n),) for n in (15, 5, 9, 100, 8)])


def test_a15_as_shape_tensors():
    """The same on i32 shape vectors: stablehlo.divide truncates, and the sizes say so."""
    text = """
  %.n = stablehlo.get_dimension_size $0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %.c8 = stablehlo.constant dense<8> : tensor<i32>
  %.c2 = stablehlo.constant dense<2> : tensor<i32>
  %.less = stablehlo.subtract %.n, %.c8 : tensor<i32>
  %.q = stablehlo.divide %.less, %.c2 : tensor<i32>"""
    program = disc.compile(module([(text, ["tensor<?xf32>"], [("%.q", "tensor<i32>")])]))
    for n in (5, 7, 8, 17):
        assert run(program, np.zeros(n, "f4"))[0] == int((n - 8) / 2), n


def test_a_siblings_three_way_broadcast_of_unknown_sizes():
    text = """
  %.s = chlo.broadcast_add $0, $1 : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %.p = chlo.broadcast_select $2, %.s, $0 : (tensor<?x?xi1>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>"""
    program = disc.compile(
        module([(text, ["tensor<?x?xf32>", "tensor<?xf32>", "tensor<?x?xi1>"], [("%.p", "tensor<?x?xf32>")])])
    )
    rng = np.random.default_rng(0)
    for a, b, c in (
        ((3, 4), (4,), (3, 4)),
        ((3, 4), (1,), (1, 4)),
        ((3, 1), (1,), (3, 1)),
        ((1, 1), (1,), (1, 1)),
        ((0, 4), (4,), (0, 1)),
    ):
        x, y = rng.normal(size=a).astype("f4"), rng.normal(size=b).astype("f4")
        p = rng.random(size=c) > 0.5
        equal(run(program, x, y, p)[0], np.where(p, x + y, x), (a, b, c))


def test_a_siblings_constants_broadcast_to_unknown_sizes():
    text = """
  %.k = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %.r = chlo.broadcast_multiply $0, %.k : (tensor<?x?xf32>, tensor<4xf32>) -> tensor<?x4xf32>"""
    text = module([(text, ["tensor<?x?xf32>"], [("%.r", "tensor<?x4xf32>")])])
    program = disc.compile(text)
    for shape in ((3, 4), (3, 1), (0, 4), (1, 1)):
        x = np.ones(shape, "f4")
        equal(program(x), x * np.arange(1, 5, dtype="f4"), shape)
    assert outputs(text, np.ones((2, 4), "f4"))[0].shape == (2, 4)
    with pytest.raises(disc.ExecutionError):
        program(np.ones((3, 2), "f4"))


def test_a_siblings_sizes_that_the_export_fixed_are_checked():
    program = torch_program(lambda x: x.reshape(6, 4) + 1, (torch.randn(2, 3, 4),), [[0]])
    assert program(torch.zeros(2, 3, 4)).shape == (6, 4)
    with pytest.raises(disc.ExecutionError, match="dimension 0"):
        program(torch.zeros(3, 3, 4))
