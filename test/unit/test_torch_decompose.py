"""Decompositions are traced once for equal ops, and programs that write in place keep their meaning."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_mlir")

import disc  # noqa: E402
from disc.frontends import torch_decompose  # noqa: E402


@pytest.fixture
def traced(monkeypatch):
    """The ops that were traced, in their order; "whole" for a program."""
    seen = []
    trace, whole = torch_decompose._Expansion._trace, torch_decompose._whole

    def tracing(self, target, values, spec):
        seen.append(str(target))
        return trace(self, target, values, spec)

    monkeypatch.setattr(torch_decompose._Expansion, "_trace", tracing)
    monkeypatch.setattr(torch_decompose, "_whole", lambda program: seen.append("whole") or whole(program))
    return seen


def check(model, *inputs, sizes=(1, 3)):
    """`model` compiled with a dynamic first dimension answers as it does in torch."""
    fast = disc.compile(model, inputs, tuple({0: torch.export.Dim.AUTO} for _ in inputs))
    for size in (inputs[0].shape[0], *sizes):
        given = [torch.randn(size, *x.shape[1:]) for x in inputs]
        with torch.no_grad():
            expected = model(*[x.clone() for x in given])
        torch.testing.assert_close(fast(*given), expected, rtol=1e-5, atol=1e-6)


class Layers(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        layer = lambda: torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, batch_first=True)
        self.layers = torch.nn.ModuleList(layer() for _ in range(count))
        self.eval()

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def test_identical_layers_share_their_traces(traced):
    check(Layers(1), torch.randn(2, 5, 8))
    once = sorted(traced)
    traced.clear()
    check(Layers(4), torch.randn(2, 5, 8))
    assert once and "whole" not in once
    assert sorted(traced) == once


class Scaled(torch.nn.Module):
    def forward(self, x, y):
        z = x * 2
        z += y
        kept = z.sin()
        z.relu_()
        return z.mul_(3), kept


class Viewed(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        first = y[0]
        y.add_(1)
        return y, first


class Narrow(torch.nn.Module):
    def forward(self, x):
        y = x.half() * 2
        y.add_(x)  # stays in f16
        return y


class Reused(torch.nn.Module):
    """ReLU in place on what a residual branch reads."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = torch.nn.Conv1d(3, 3, 3, padding=1), torch.nn.BatchNorm1d(3)
        self.relu = torch.nn.ReLU(inplace=True)
        self.eval()

    def forward(self, x):
        y = self.relu(self.norm(self.conv(x)))
        z = self.norm(self.conv(y))
        z += y
        return self.relu(z)


@pytest.mark.parametrize(
    ("model", "inputs", "whole"), [(Scaled, 2, False), (Viewed, 1, True), (Narrow, 1, True), (Reused, 1, False)]
)
def test_in_place_ops(model, inputs, whole, traced):
    """Where nothing else sees the memory they are functional; elsewhere the program is traced as a whole."""
    check(model(), *[torch.randn(4, 3, 7) for _ in range(inputs)])
    assert ("whole" in traced) == whole


class Located(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.layer_norm(x, (7,)) + torch.special.bessel_j0(x)


def test_errors_name_the_line_of_the_model():
    with pytest.raises(disc.CompileError, match=r"test_torch_decompose.py:\d+: `aten.special_bessel_j0` is not"):
        disc.compile(Located(), (torch.randn(4, 7),), ({0: torch.export.Dim.AUTO},))


class Names(torch.nn.Module):
    def forward(self, input, float, add):  # noqa: A002
        return input + float * add


def test_inputs_may_have_any_name():
    check(Names(), *[torch.randn(4, 3) for _ in range(3)])
