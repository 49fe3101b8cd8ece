"""F: inputs in any layout, positions counted in logical order, transposes that move over ops."""

import itertools

import numpy as np
import pytest
import torch
import torch.nn.functional as functional
from cases import equal, like_torch, module, torch_program

import disc


def test_f1_argmax_counts_in_logical_order():
    x = torch.tensor([[0, 5.0], [1, 2]]).t()
    assert x.argmax() == 2
    wide = torch.randn(4, 6)
    like_torch(lambda x: (x.argmax(), x.argmin(), x.argmax(0)), [(x,), (wide.t(),), (wide[::2, 1::2],)])
    like_torch(lambda x: (x.t().argmax(), x.t().argmin(), x.t().max(1)[1]), [(x,), (wide,)])
    like_torch(
        lambda x: functional.max_pool2d(x, 2).flatten(1).argmax(1),
        [(torch.randn(2, 3, 8, 8),), (torch.randn(2, 3, 8, 8).transpose(2, 3),)],
    )


def test_f1_maxima_of_a_sum_with_a_transposed_operand():
    a, b = torch.randn(4, 7), torch.randn(7, 4)
    inputs = [(a.t(), b), (torch.randn(3, 5).t(), torch.randn(5, 3)), (a.t(), a.t())]
    like_torch(lambda a, b: (*(a + b).max(dim=1), (a + b).argmin(0), (a + b).t().max(dim=1)[1]), inputs)


def layouts():
    """Tensors of shape (2, 3, 4) in all sorts of memory orders, with their values."""
    values = torch.arange(24.0).reshape(2, 3, 4)
    for order in itertools.permutations(range(3)):
        inverse = [order.index(d) for d in range(3)]
        yield f"order {order}", values.permute(order).contiguous().permute(inverse)
    every = torch.zeros(4, 6, 8)
    every[::2, ::2, ::2] = values
    yield "step 2", every[::2, ::2, ::2]
    back = torch.zeros(2, 3, 9)
    back[:, :, 1::2] = values
    yield "step 2, offset 1", back[:, :, 1::2]
    yield "expanded", torch.arange(4.0).expand(2, 3, 4)
    yield "expanded in the middle", torch.arange(8.0).reshape(2, 1, 4).expand(2, 3, 4)
    yield "expanded scalar", torch.tensor(3.0).expand(2, 3, 4)
    yield "channels last", torch.randn(2, 4, 3).transpose(1, 2)


def test_f5_inputs_of_any_layout():
    def model(x):
        return x + 1, x.sum(1), x.permute(2, 0, 1) * 2, x.reshape(-1, 4) @ torch.ones(4, 2), x.contiguous().view(-1), x

    program = torch_program(model, (torch.randn(2, 3, 4),), [[0, 1]])
    for name, x in layouts():
        assert x.shape == (2, 3, 4)
        before = x.clone()
        for got, want in zip(program(x), model(x)):
            torch.testing.assert_close(got, want, msg=lambda m: f"{name}: {m}")
        assert torch.equal(x, before)


def test_f5_numpy_arrays_of_any_layout():
    text = """
  %.t = stablehlo.transpose $0, dims = [2, 0, 1] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %.a = stablehlo.add %.t, %.t : tensor<?x?x?xf32>"""
    program = disc.compile(module([(text, ["tensor<?x?x?xf32>"], [("%.a", "tensor<?x?x?xf32>")])]))
    for name, x in layouts():
        equal(program(x.numpy()), 2 * x.numpy().transpose(2, 0, 1), name)
    reversed = np.arange(24, dtype="f4").reshape(2, 3, 4)[::-1, :, ::-1]
    equal(program(reversed), 2 * reversed.transpose(2, 0, 1))
    equal(program(np.asfortranarray(reversed)), 2 * reversed.transpose(2, 0, 1))


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.float16, torch.uint8])
def test_f5_siblings_other_types(dtype):
    program = torch_program(lambda x: (x.t().contiguous(), x.to(torch.float32).sum(0)), (torch.ones(3, 4).to(dtype),))
    for x in (torch.arange(12).reshape(4, 3).t(), torch.arange(48).reshape(6, 8)[::2, ::2], torch.ones(1).expand(3, 4)):
        x = x.to(dtype)
        for got, want in zip(program(x), (x.t(), x.float().sum(0))):
            torch.testing.assert_close(got, want)


MOVED = """
  %.a = stablehlo.transpose $0, dims = [{p}] : (tensor<{d}xf32>) -> tensor<{r}xf32>
  %.b = stablehlo.transpose $1, dims = [{p}] : (tensor<{d}xf32>) -> tensor<{r}xf32>
  %.s = stablehlo.{op} %.a, %.b : tensor<{r}xf32>"""


@pytest.mark.parametrize("op", ["add", "subtract", "maximum"])
def test_f6_transposes_move_over_elementwise_ops(op):
    function = {"add": np.add, "subtract": np.subtract, "maximum": np.maximum}[op]
    x, y = np.random.default_rng(0).normal(size=(2, 2, 3, 4)).astype("f4")
    parts, arguments, wanted = [], [], []
    for p in itertools.permutations(range(3)):
        for dims in ("?x?x?", "2x3x4"):
            result = "x".join("?" if dims[0] == "?" else str(x.shape[d]) for d in p)
            text = MOVED.format(p=", ".join(map(str, p)), d=dims, r=result, op=op)
            back = [p.index(d) for d in range(3)]
            text += f"\n  %.u = stablehlo.transpose %.s, dims = [{', '.join(map(str, back))}] : (tensor<{result}xf32>) -> tensor<{dims}xf32>"
            parts.append(
                (text, [f"tensor<{dims}xf32>"] * 2, [("%.s", f"tensor<{result}xf32>"), ("%.u", f"tensor<{dims}xf32>")])
            )
            arguments += [x, y]
            wanted += [function(x, y).transpose(p), function(x, y)]
    got = disc.compile(module(parts))(*arguments)
    for value, want in zip(got, wanted, strict=True):
        equal(value, want)


def test_f6_siblings_transposes_around_reductions_and_products():
    def model(x, y):
        moved = x.permute(1, 2, 0) + y.permute(1, 2, 0)
        return (
            moved,
            moved.sum(0),
            moved.softmax(-1).permute(2, 0, 1),
            moved @ moved.transpose(1, 2),
            moved.permute(2, 0, 1).reshape(x.shape[0], -1),
        )

    like_torch(
        model, [(torch.randn(s), torch.randn(s)) for s in ((2, 3, 4), (1, 1, 1), (5, 2, 7))], rtol=1e-4, atol=1e-5
    )
