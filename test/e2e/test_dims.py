"""Declared sizes: names, ranges, multiples, derived sizes; each is checked at the entry."""

import numpy as np
import pytest
import torch

import disc


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x * 2, y.sum(1) + x[:, 0]


@pytest.fixture(scope="module")
def model():
    b = disc.Dim("b", max=64)
    s = disc.Dim("s", max=512, multiple_of=8, likely=[128, 384])
    shapes = ({0: b, 1: s}, {0: b, 1: 2 * s + 1})
    return disc.compile(Model(), (torch.ones(3, 16), torch.ones(3, 33)), dynamic_shapes=shapes)


@pytest.mark.parametrize(("b", "s"), [(0, 8), (1, 8), (5, 128), (64, 512)])
def test_allowed_sizes(model, b, s):
    x, y = torch.randn(b, s), torch.randn(b, 2 * s + 1)
    for got, want in zip(model(x, y), Model()(x, y)):
        torch.testing.assert_close(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ((65, 8), (65, 17), r"input 0 `x`: dimension 0 \(`b`\): expected at most 64, got 65"),
        ((3, 12), (3, 25), r"input 0 `x`: dimension 1 \(`8\*_s`\): expected this for a whole number `_s`, got 12"),
        ((3, 8), (3, 18), r"input 1 `y`: dimension 1 \(`16\*_s\+1`\): expected 17 "
                          r"\(`_s` is 1 from input 0 `x` dimension 1\), got 18"),
        ((3, 520), (3, 1041), r"input 0 `x`: dimension 1 \(`8\*_s`\): `_s`: expected at most 64, got 65"),
        ((3, 8), (4, 17), r"input 1 `y`: dimension 0 \(`b`\): expected 3 \(from input 0 `x` dimension 0\), got 4"),
    ],
)  # fmt: skip
def test_other_sizes_name_input_and_dimension(model, x, y, message):
    with pytest.raises(disc.ExecutionError, match=message):
        model(torch.ones(x), torch.ones(y))
    model(torch.ones(3, 8), torch.ones(3, 17))


def test_a_model_is_compiled_in_evaluation_mode_and_keeps_its_own():
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
    net[0].eval()
    compiled = disc.compile(net, (torch.ones(3, 4),), dynamic_shapes=({0: disc.Dim("b")},))
    assert [module.training for module in net.modules()] == [True, False, True]
    x = torch.randn(5, 4)
    torch.testing.assert_close(compiled(x), net[0](x).detach(), rtol=1e-5, atol=1e-6)


def test_text_models_declare_sizes_too():
    text = """
func.func @main(%x: tensor<?xf32> {disc.name = "x", disc.dims = ["s"]}) -> tensor<?xf32>
    attributes {disc.symbols = {s = {min = 2 : i64, max = 6 : i64, multiple_of = 2 : i64}}} {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    model = disc.compile(text)
    np.testing.assert_array_equal(model(np.ones(4, "f4")), -np.ones(4, "f4"))
    for size, why in ((1, "at least 2"), (8, "at most 6"), (3, "a multiple of 2")):
        with pytest.raises(disc.ExecutionError, match=rf"input 0 `x`: dimension 0 \(`s`\): expected {why}, got {size}"):
            model(np.ones(size, "f4"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: disc.Dim("2s"),
        lambda: disc.Dim("s", min=4, max=3),
        lambda: disc.Dim("s", multiple_of=8, likely=[12]),
        lambda: disc.Dim("s", multiple_of=0),
        lambda: disc.Dim("s", min=5, max=7, multiple_of=8),
    ],
)
def test_wrong_dims_are_refused(make):
    with pytest.raises(ValueError, match="dimension"):
        make()
