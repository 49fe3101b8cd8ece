"""B: empty tensors, sizes of 1, rank 0."""

import ml_dtypes
import numpy as np
import pytest
import torch
from cases import constant, element, equal, like_torch, module, outputs, type_of

import disc

UPDATE = """
  %.u = "stablehlo.dynamic_update_slice"($0, $1, $2, $3, $4) : (T, U, tensor<i32>, tensor<i32>, tensor<i32>) -> T"""


@pytest.mark.parametrize("dtype", [np.int32, np.float16])
def test_b1_an_empty_update_changes_nothing(dtype):
    x = np.arange(105).reshape(7, 5, 3).astype(dtype)
    parts, arguments, expected = [], [], []
    for shape, start in (
        ((2, 0, 1), (0, 0, 0)),
        ((2, 0, 1), (9, -4, 2)),
        ((0, 0, 0), (3, 3, 3)),
        ((1, 1, 1), (9, 9, 9)),
    ):
        update = np.full(shape, 99).astype(dtype)
        inputs = [x, update, *(np.array(s, np.int32) for s in start)]
        outs = [("%.u", type_of(x))]
        text = UPDATE.replace("T", type_of(x)).replace("U", type_of(update))
        loose = text.replace(type_of(update), f"tensor<?x?x?x{element(x)}>")
        types = [type_of(v) for v in inputs]
        parts += [(text, types, outs), (text, [constant(v) for v in inputs], outs)]
        parts += [(loose, [types[0], f"tensor<?x?x?x{element(x)}>", *types[2:]], outs)]
        arguments += inputs * 2
        want = x.copy()
        if update.size:
            want[6, 4, 2] = 99
        expected += [want] * 3
    for got, want in zip(outputs(module(parts), *arguments), expected, strict=True):
        equal(got, want)


SORT = """
  %.i = stablehlo.iota dim = {axis} : {it}
  %.r:2 = "stablehlo.sort"($0, %.i) ({{
  ^bb0(%.a: tensor<{e}>, %.b: tensor<{e}>, %.c: tensor<i32>, %.d: tensor<i32>):
    %.p = stablehlo.compare LT, %.a, %.b : (tensor<{e}>, tensor<{e}>) -> tensor<i1>
    stablehlo.return %.p : tensor<i1>
  }}) {{dimension = {axis} : i64, is_stable = true}} : ({t}, {it}) -> ({t}, {it})"""


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.uint8])
def test_b3_sorts_of_axes_of_size_0_and_1(dtype):
    parts, arguments, expected = [], [], []
    for shape, axis in (((3, 1), 1), ((0, 4), 1), ((0, 4), 0), ((4, 0), 1), ((1,), 0), ((5, 3), 0)):
        x = (np.arange(np.prod(shape))[::-1].reshape(shape) % 4).astype(dtype)
        it = type_of(np.zeros(shape, np.int32))
        text = SORT.format(axis=axis, it=it, t=type_of(x), e=element(x))
        outs = [("%.r#0", type_of(x)), ("%.r#1", it)]
        parts += [(text, [type_of(x)], outs), (text, [constant(x)], outs)]
        arguments += [x]
        order = np.argsort(x, axis=axis, kind="stable")
        expected += [np.take_along_axis(x, order, axis), order.astype(np.int32)] * 2
    for got, want in zip(outputs(module(parts), *arguments), expected, strict=True):
        equal(got, want)


def test_b3_dynamic_sorts_in_torch():
    inputs = [
        (torch.randn(4, 8),),
        (torch.randn(3, 1),),
        (torch.randn(0, 4),),
        (torch.randn(2, 0),),
        (torch.ones(2, 5),),
    ]
    like_torch(lambda x: (*torch.sort(x, stable=True, dim=1), x.argsort(stable=True, dim=0)), inputs)


REDUCE = """
  %.z = stablehlo.constant dense<{init}> : tensor<{e}>
  %.r = stablehlo.reduce($0 init: %.z) applies stablehlo.{op} across dimensions = [{axis}] : ({t}, tensor<{e}>) -> {r}"""


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.float64])
def test_b4_reductions_of_nothing_are_the_initial_value(dtype):
    parts, arguments, expected = [], [], []
    for shape, axis in (((1, 0), 1), ((3, 0, 4), 1), ((0,), 0), ((0, 3), 0), ((0, 3), 1), ((2, 3), 1)):
        for op, init, function in (("add", 0, np.sum), ("multiply", 1, np.prod)):
            x = np.arange(1, np.prod(shape) + 1).reshape(shape).astype(dtype)
            want = function(x, axis=axis, dtype=dtype)
            want = np.asarray(want, dtype)
            e, outs = element(x), [("%.r", type_of(want))]
            literal = f"{init}.0" if np.dtype(dtype).kind == "f" else init
            text = REDUCE.format(init=literal, e=e, op=op, axis=axis, t=type_of(x), r=type_of(want))
            loose = f"tensor<{'?x' * x.ndim}{e}>"
            free = f"tensor<{'?x' * want.ndim}{e}>"
            dynamic = REDUCE.format(init=literal, e=e, op=op, axis=axis, t=loose, r=free)
            parts += [(text, [type_of(x)], outs), (text, [constant(x)], outs), (dynamic, [loose], [("%.r", free)])]
            arguments += [x, x]
            expected += [want] * 3
    for got, want in zip(outputs(module(parts), *arguments), expected, strict=True):
        equal(got, want)


def test_b4_in_torch():
    inputs = [(torch.randn(3, 2, 4),), (torch.zeros(3, 0, 4),), (torch.zeros(1, 0, 1),), (torch.zeros(0, 0, 0),)]

    def model(x):
        return x.sum(1), x.sum(1, keepdim=True), x.prod(1), x.sum(), x.prod(), x.any(1), x.all(1), (x > 0).sum(1)

    like_torch(model, inputs, atol=1e-6)


def test_b6_elementwise_ops_on_nothing():
    text = """
  %.a = chlo.broadcast_multiply $0, $1 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %.b = chlo.broadcast_multiply $2, $3 : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>
  %.c = chlo.broadcast_add $4, $3 : (tensor<?x3xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>"""
    one, row = np.ones(1, "f4"), np.ones((1, 3), "f4")
    types = ["tensor<?xf32>", "tensor<1xf32>", "tensor<0x3xf32>", "tensor<1x3xf32>", "tensor<?x3xf32>"]
    results = [("%.a", "tensor<?xf32>"), ("%.b", "tensor<0x3xf32>"), ("%.c", "tensor<?x3xf32>")]
    for wrap in (lambda v: type_of(v), constant):
        kinds = [types[0], wrap(one), types[2], wrap(row), types[4]]
        program = disc.compile(module([(text, kinds, results)]))
        for n in (0, 1, 5):
            x, empty, y = np.arange(n, dtype="f4"), np.zeros((0, 3), "f4"), np.ones((n, 3), "f4")
            args = [v for v, k in zip((x, one, empty, row, y), kinds) if not k.startswith("dense")]
            a, b, c = program(*args)
            equal(a, x, n), equal(b, empty, n), equal(c, y + 1, n)


@pytest.mark.parametrize("dtype", ["f32", "f64", "i8", "ui16", "i1", "bf16"])
def test_b6_siblings_other_types_and_ranks(dtype):
    op = "and" if dtype == "i1" else "add"
    text = f"""
  %.a = stablehlo.{op} $0, $0 : tensor<?x?x{dtype}>
  %.t = stablehlo.transpose %.a, dims = [1, 0] : (tensor<?x?x{dtype}>) -> tensor<?x?x{dtype}>
  %.c = stablehlo.concatenate %.t, %.t, dim = 0 : (tensor<?x?x{dtype}>, tensor<?x?x{dtype}>) -> tensor<?x?x{dtype}>"""
    program = disc.compile(module([(text, [f"tensor<?x?x{dtype}>"], [("%.c", f"tensor<?x?x{dtype}>")])]))
    numpy = {
        "f32": np.float32,
        "f64": np.float64,
        "i8": np.int8,
        "ui16": np.uint16,
        "i1": bool,
        "bf16": ml_dtypes.bfloat16,
    }
    for shape in ((0, 3), (3, 0), (0, 0), (1, 1), (2, 3)):
        x = np.ones(shape, numpy[dtype])
        twice = x if dtype == "i1" else x + x
        equal(program(x), np.concatenate([twice.T, twice.T]), shape)


def test_b8_concatenation_with_the_empty_tensor_of_rank_1():
    def model(x, y):
        return torch.cat([x, y], dim=-2), torch.cat([y, x, y], dim=1)

    inputs = [(torch.zeros(0), torch.randn(1, 8, n, 78)) for n in (3, 0, 1, 7)]
    like_torch(model, inputs, [[], [2]])


def test_b10_scans_of_rank_0():
    for value in (torch.tensor(5.0), torch.tensor(5), torch.tensor(True), torch.tensor(3, dtype=torch.int8)):
        like_torch(lambda x: (x.cumsum(0), x.cumsum(-1), x.sum(0), x.sum()), [(value,)])
    like_torch(lambda x: (x.cumprod(0), *x.cummax(0), *x.max(0), x.logcumsumexp(-1)), [(torch.tensor(5.0),)])
    like_torch(lambda x: torch.tensor(5.0).cumsum(0) + x, [(torch.tensor(1.0),)])


def test_b_siblings_products_and_means_of_nothing():
    like_torch(lambda x, y: x @ y, [(torch.randn(3, 4), torch.randn(4, 5)), (torch.randn(3, 0), torch.randn(0, 5)),
                                    (torch.randn(0, 4), torch.randn(4, 0)), (torch.randn(1, 1), torch.randn(1, 1))], atol=1e-5)  # fmt: skip
    like_torch(lambda x: (x.mean(1), x.softmax(1), x.std(1)), [(torch.randn(3, 4),), (torch.randn(0, 4),)], atol=1e-5)
    like_torch(
        lambda x: (x.flip(1), x[:, :2], x.repeat(2, 1), x.tril()),
        [(torch.randn(3, 4),), (torch.randn(0, 4),), (torch.randn(2, 0),)],
    )


def test_b3_siblings_nan_sorts_last_and_topk():
    x = torch.tensor([[3.0, float("nan"), -1, 2], [0.5, -0.5, float("inf"), float("nan")]])
    inputs = [(x,), (torch.randn(3, 9),), (torch.zeros(0, 3),)]
    like_torch(
        lambda x: (*torch.sort(x, stable=True, dim=1, descending=True), *x.topk(2), x.topk(2, largest=False)[0]), inputs
    )
