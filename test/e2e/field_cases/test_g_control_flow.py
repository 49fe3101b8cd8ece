"""G: sizes that depend on data and flow on; control flow."""

import numpy as np
import pytest
import torch
from cases import equal, like_torch, module, torch_program

import disc

COUNT = """
  %.one = stablehlo.constant dense<1> : tensor<i64>
  %.zero = stablehlo.constant dense<0> : tensor<i64>
  %.two = stablehlo.constant dense<2> : tensor<1xi64>
  %.hit = chlo.broadcast_compare $0, %.one {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<?xi64>, tensor<i64>) -> tensor<?xi1>
  %.num = stablehlo.convert %.hit : (tensor<?xi1>) -> tensor<?xi64>
  %.count = stablehlo.reduce(%.num init: %.zero) applies stablehlo.add across dimensions = [0] : (tensor<?xi64>, tensor<i64>) -> tensor<i64>
  %.n = stablehlo.reshape %.count : (tensor<i64>) -> tensor<1xi64>
  %.shape = stablehlo.concatenate %.n, %.two, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %.rows = stablehlo.dynamic_broadcast_in_dim $1, %.shape, dims = [0, 1] : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  %.both = stablehlo.concatenate %.rows, $1, dim = 0 : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
  %.double = stablehlo.add %.both, %.both : tensor<?x2xf32>"""


def test_g2_a_count_becomes_a_size():
    program = disc.compile(
        module(
            [
                (
                    COUNT,
                    ["tensor<?xi64>", "tensor<1x2xf32>"],
                    [("%.rows", "tensor<?x2xf32>"), ("%.double", "tensor<?x2xf32>")],
                )
            ]
        )
    )
    row = np.array([[3, 4]], "f4")
    for x in ([1, 2, 1, 1], [2, 2], [1], [], [1] * 1000):
        rows, double = program(np.array(x, np.int64), row)
        count = x.count(1)
        equal(rows, np.repeat(row, count, 0), x)
        equal(double, 2 * np.repeat(row, count + 1, 0), x)


def test_g2_in_torch():
    def model(x, row):
        count = torch.nonzero(x == 1).shape[0]
        rows = row.repeat(count, 1)
        return rows[:, 0], torch.cat([rows, row], 0)[:, 0]

    row = torch.zeros(1, 2)
    inputs = [(torch.tensor(x), row) for x in ([1, 2, 1, 1], [2, 2, 2], [1, 1])]
    assert model(*inputs[0])[0].shape == (3,)
    like_torch(model, inputs, [[0], []])


def test_g5_sizes_from_a_scalar_input():
    def model(n):
        length = n.item()
        torch._check(length >= 0)
        return (
            torch.ones(length).sum(),
            torch.arange(length),
            torch.zeros(length, 2) + 1,
            torch.full((length,), 3).cumsum(0),
        )

    program = torch_program(model, (torch.tensor(5),))
    for n in (5, 0, 1, 1000):
        for got, want in zip(program(torch.tensor(n)), model(torch.tensor(n))):
            torch.testing.assert_close(got, want)
    assert program(torch.tensor(5))[0] == 5 and program(torch.tensor(0))[0] == 0
    with pytest.raises(disc.ExecutionError):
        program(torch.tensor(-1))


def test_g5_boolean_masks():
    inputs = [(torch.rand(3, 16, 16),), (torch.zeros(2, 3, 4),), (torch.ones(1, 1, 1),), (torch.zeros(0, 3, 2),)]
    like_torch(lambda t: (t[t > 0.5], t.masked_select(t > 0.25), torch.nonzero(t > 0.5)), inputs)
    like_torch(lambda t: (t[t > 0.5] * 2 + 1).sum(), inputs, rtol=1e-4)
    like_torch(lambda t: (torch.where(t > 0.5)[1], torch.argwhere(t > 0.9)), inputs)


def test_g5_siblings_rows_by_a_mask_and_assignment():
    inputs = [
        (torch.rand(4, 3), torch.tensor([True, False, True, True])),
        (torch.rand(2, 5), torch.tensor([False, False])),
    ]
    like_torch(lambda x, m: (x[m], x[m].sum(0), x[m, 1], x.masked_fill(m[:, None], 0)), inputs)
    like_torch(lambda x, m: x.index_put((m,), torch.tensor(7.0)), inputs)


def test_g_siblings_repeat_interleave():
    inputs = [
        (torch.rand(3, 2), torch.tensor([1, 0, 3])),
        (torch.rand(2, 4), torch.tensor([0, 0])),
        (torch.rand(9, 1), torch.arange(9)),
    ]
    like_torch(lambda x, n: (torch.repeat_interleave(x, n, dim=0), torch.repeat_interleave(n)), inputs)
    like_torch(lambda x, n: (torch.repeat_interleave(x, 3, dim=0), x.repeat(2, 3)), inputs)


def test_g_siblings_sizes_of_data_through_products_and_reductions():
    def model(x, w):
        rows = x[x[:, 0] > 0]
        return (rows @ w).softmax(1), rows.amax(0, keepdim=True).sum(), torch.cat([rows, x], 0).mean(1)

    x = torch.randn(9, 4)
    x[0, 0] = 1.0
    like_torch(model, [(x, torch.randn(4, 5)), (x[:2], torch.randn(4, 5))], [[0], []], atol=1e-5)


def test_g_a_rank_that_depends_on_data_is_refused():
    text = """func.func @main(%x: tensor<?xf32>, %s: tensor<?xi64>) -> tensor<*xf32> {
  %r = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<?xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %r : tensor<*xf32>
}"""
    with pytest.raises(disc.CompileError, match="unranked|rank"):
        disc.compile(text)


def test_g_siblings_a_loop_whose_result_sets_a_size():
    text = """
  %.one = stablehlo.constant dense<1> : tensor<i64>
  %.r:2 = stablehlo.while(%.i = $0, %.k = %.one) : tensor<i64>, tensor<i64>
    cond {
      %.z = stablehlo.constant dense<0> : tensor<i64>
      %.c = stablehlo.compare GT, %.i, %.z : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %.c : tensor<i1>
    } do {
      %.j = stablehlo.subtract %.i, %.one : tensor<i64>
      %.d = stablehlo.add %.k, %.k : tensor<i64>
      stablehlo.return %.j, %.d : tensor<i64>, tensor<i64>
    }
  %.s = stablehlo.reshape %.r#1 : (tensor<i64>) -> tensor<1xi64>
  %.a = stablehlo.dynamic_iota %.s, dim = 0 : (tensor<1xi64>) -> tensor<?xi64>"""
    program = disc.compile(module([(text, ["tensor<i64>"], [("%.a", "tensor<?xi64>")])]))
    for n in (0, 1, 5, 13):
        equal(program(np.array(n)), np.arange(2**n), n)
