"""E: slices with bounds outside, scatters with indices outside, scatter-add with repeated indices, gathers."""

import numpy as np
import pytest
import torch
from cases import LENGTHS, constant, equal, like_torch, module, outputs, type_of

import disc


def test_e1_slices_with_bounds_outside_of_the_dimension():
    x = torch.arange(5.0)
    assert x[-8:3].tolist() == [0, 1, 2] and x[55:60].tolist() == [] and x[3:99].tolist() == [3, 4]
    inputs = [(torch.arange(float(n)),) for n in (5, 0, *LENGTHS)]
    like_torch(lambda x: (x[-8:3], x[55:60], x[3:99]), inputs)


def test_e1_siblings_other_bounds_steps_and_axes():
    inputs = [(torch.arange(float(3 * n)).reshape(3, n),) for n in (5, 0, *LENGTHS)]
    like_torch(lambda x: (x[:, -3:], x[:, :-2], x[:, 1:-1], x[:, -6:-1], x[:, 2:1], x[-9:2], x[:, 1:12:3]), inputs)


CLAMPED = """
  %.a = stablehlo.dynamic_slice $0, $1, sizes = [3] : (TYPE, tensor<i32>) -> tensor<3xf32>
  %.u = stablehlo.constant dense<-1.0> : tensor<3xf32>
  %.b = stablehlo.dynamic_update_slice $0, %.u, $1 : (TYPE, tensor<3xf32>, tensor<i32>) -> TYPE"""


def test_e1_siblings_dynamic_slice_clamps_its_start():
    x = np.arange(5, dtype="f4")
    program = disc.compile(
        module(
            [
                (
                    CLAMPED.replace("TYPE", "tensor<?xf32>"),
                    ["tensor<?xf32>", "tensor<i32>"],
                    [("%.a", "tensor<3xf32>"), ("%.b", "tensor<?xf32>")],
                )
            ]
        )
    )
    parts, wanted = [], []
    for start in (-8, 0, 1, 2, 3, 55, 2**31 - 1, -(2**31)):
        at = min(max(start, 0), 2)
        updated = x.copy()
        updated[at : at + 3] = -1
        for got, want in zip(program(x, np.array(start, np.int32)), (x[at : at + 3], updated)):
            equal(got, want, start)
        outs = [("%.a", "tensor<3xf32>"), ("%.b", "tensor<5xf32>")]
        parts.append(
            (CLAMPED.replace("TYPE", "tensor<5xf32>"), [constant(x), constant(np.array(start, np.int32))], outs)
        )
        wanted += [x[at : at + 3], updated]
    for got, want in zip(outputs(module(parts)), wanted, strict=True):
        equal(got, want, "constant")


SCATTER = """
  %.r = "stablehlo.scatter"($0, $1, $2) ({{
  ^bb0(%.a: tensor<{e}>, %.b: tensor<{e}>):
    %.s = stablehlo.{op} %.a, %.b : tensor<{e}>
    stablehlo.return %.{result} : tensor<{e}>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({t}, {it}, {ut}) -> {t}"""


@pytest.mark.parametrize(("op", "result"), [("add", "b"), ("add", "s"), ("maximum", "s"), ("multiply", "s")])
@pytest.mark.parametrize("index", [np.int32, np.int64, np.int8])
def test_e4_updates_out_of_range_are_dropped(op, result, index):
    zeros = np.zeros(3, "f4") if op != "multiply" else np.ones(3, "f4")
    known = SCATTER.format(
        e="f32",
        op=op,
        result=result,
        t="tensor<3xf32>",
        it=f"tensor<2x{'i' + str(8 * np.dtype(index).itemsize)}>",
        ut="tensor<2xf32>",
    )
    kind = f"i{8 * np.dtype(index).itemsize}"
    free = SCATTER.format(e="f32", op=op, result=result, t="tensor<?xf32>", it=f"tensor<?x{kind}>", ut="tensor<?xf32>")
    updates = np.array([7, 9], "f4")
    parts, arguments, wanted = [], [], []
    program = disc.compile(
        module([(free, ["tensor<?xf32>", f"tensor<?x{kind}>", "tensor<?xf32>"], [("%.r", "tensor<?xf32>")])])
    )
    for at in ([0, 3], [-1, 2], [100, -100], [1, 0]):
        where = np.array(at, index)
        want = zeros.copy()
        for i, u in zip(at, updates):
            if 0 <= i < 3:
                want[i] = (
                    u
                    if result == "b"
                    else {"add": want[i] + u, "maximum": max(want[i], u), "multiply": want[i] * u}[op]
                )
        equal(program(zeros, where, updates), want, at)
        inputs = [zeros, where, updates]
        parts += [
            (known, [type_of(v) for v in inputs], [("%.r", "tensor<3xf32>")]),
            (known, [constant(v) for v in inputs], [("%.r", "tensor<3xf32>")]),
        ]
        arguments += inputs
        wanted += [want, want]
    for got, want in zip(outputs(module(parts), *arguments), wanted, strict=True):
        equal(got, want)


def test_e4_torch_indices_out_of_range_are_errors():
    x = torch.randn(5, 3)
    program = disc.compile(Index(), (x, torch.tensor([0, 1])), ({0: AUTO}, {0: AUTO}))
    for good in ([-1, 4], [0], [-5, 0, 2]):
        torch.testing.assert_close(program(x, torch.tensor(good)), x[torch.tensor(good)])
    for bad in ([0, 5], [-6, 1], [2**40]):
        with pytest.raises(disc.ExecutionError, match="out of range"):
            program(x, torch.tensor(bad))
    put = disc.compile(Put(), (x, torch.tensor([0, 1])), ({0: AUTO}, {0: AUTO}))
    torch.testing.assert_close(put(x, torch.tensor([-1])), Put()(x, torch.tensor([-1])))
    with pytest.raises(disc.ExecutionError, match="out of range"):
        put(x, torch.tensor([5]))


AUTO = torch.export.Dim.AUTO


class Index(torch.nn.Module):
    def forward(self, x, i):
        return x[i]


class Put(torch.nn.Module):
    def forward(self, x, i):
        return x.index_put((i,), torch.ones(3))


def test_e7_scatter_add_with_repeated_indices():
    index = torch.tensor([[0, 1, 2, 0], [2, 0, 0, 1]])
    source = torch.arange(1.0, 11).reshape(2, 5)
    target = torch.zeros(3, 5)
    known = torch.tensor([[1, 7, 8, 4, 0], [0, 2, 0, 9, 0], [6, 0, 3, 0, 0]])
    assert torch.equal(target.scatter_add(0, index, source), known.float())
    for dtype in (torch.float32, torch.int64, torch.int32, torch.float64):
        inputs = [
            (target.to(dtype), index, source.to(dtype)),
            (torch.ones(4, 7).to(dtype), index[:1], source.to(dtype)),
        ]
        like_torch(lambda x, i, s: x.scatter_add(0, i, s), inputs)
    like_torch(lambda z: z + target.scatter_add(0, index, source), [(torch.zeros(3, 5),)], [[]])


MANY = SCATTER.format(e="{e}", op="add", result="s", t="tensor<3x{e}>", it="tensor<?xi32>", ut="tensor<?x{e}>")


@pytest.mark.parametrize("kind", ["f32", "i32", "f16", "i8"])
def test_e7_a_million_updates_of_three_slots_on_eight_threads(kind):
    dtype = {"f32": np.float32, "i32": np.int32, "f16": np.float16, "i8": np.int8}[kind]
    text = module(
        [
            (
                MANY.replace("{e}", kind),
                [f"tensor<3x{kind}>", "tensor<?xi32>", f"tensor<?x{kind}>"],
                [("%.r", f"tensor<3x{kind}>")],
            )
        ]
    )
    program = disc.compile(text, threads=8)
    count = 10**6 if kind in ("f32", "i32") else 1000
    index = np.random.default_rng(0).integers(0, 3, count, dtype=np.int32)
    with np.errstate(over="ignore"):
        expected = np.bincount(index, minlength=3).astype(np.int64).astype(dtype)
    for _ in range(3):
        equal(program(np.zeros(3, dtype), index, np.ones(count, dtype)), expected)


def test_e_siblings_index_add_index_put_and_gathers():
    x, i = torch.randn(5, 4), torch.tensor([0, -1, 2, 0])
    inputs = [(x, i), (x[:3], i[:1])]
    like_torch(lambda x, i: (x[i], x[:, i.clamp(-2, 2)], x[i, i.clamp(-3, 3)], x[i][:, i]), inputs)
    like_torch(lambda x, i: x.index_put((i,), torch.ones(4), accumulate=True), inputs, [[0], [0]])
    like_torch(
        lambda x, i: (x.index_select(0, i.abs()), x.index_add(0, i.abs(), torch.ones(i.shape[0], 4))),
        inputs,
        [[0], [0]],
    )
    like_torch(lambda x, i: x.gather(0, i.abs()[:, None]), inputs)


def test_e_siblings_gather_clamps_its_start():
    text = """
  %.r = "stablehlo.gather"($0, $1) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>} : (TYPE, tensor<4x1xi32>) -> tensor<4x2xf32>"""
    x, at = np.arange(5, dtype="f4"), np.array([[-3], [2], [4], [99]], np.int32)
    expected = np.array([[0, 1], [2, 3], [3, 4], [3, 4]], "f4")
    outs = [("%.r", "tensor<4x2xf32>")]
    fixed = text.replace("TYPE", "tensor<5xf32>")
    parts = [
        (text.replace("TYPE", "tensor<?xf32>"), ["tensor<?xf32>", "tensor<4x1xi32>"], outs),
        (fixed, [constant(x), constant(at)], outs),
    ]
    for got in outputs(module(parts), x, at):
        equal(got, expected)
