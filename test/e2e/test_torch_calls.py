"""How compiled torch models are called: arguments, results that are no tensors, and weights that change."""

import pytest
import torch

import disc

BATCH = disc.Dim("b", max=1000)


class Fn(torch.nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(x)


class Keywords(torch.nn.Module):
    def forward(self, x, *, a, b):
        return x + a - 2 * b


def test_keyword_arguments_in_any_order():
    x, a, b = torch.randn(3, 4).unbind()
    model = disc.compile(Keywords(), (x,), example_kwargs={"a": a, "b": b})
    want = Keywords()(x, a=a, b=b)
    assert torch.equal(model(x, a=a, b=b), want) and torch.equal(model(x, b=b, a=a), want)
    for wrong in ({"a": a}, {"a": a, "c": b}, {"a": a, "b": b, "c": b}):
        with pytest.raises(TypeError, match=r"expected inputs of structure \(\*, a=\*, b=\*\), as in the example, got \(\*, a=\*"):
            model(x, **wrong)


def test_example_inputs_that_are_no_tuple():
    with pytest.raises(disc.CompileError, match="`example_inputs`: expected a tuple of tensors, got Tensor"):
        disc.compile(Fn(torch.relu), torch.randn(3))


def test_constants_among_the_results():
    fn = lambda x: {"sum": x.sum(0), "nothing": None, "number": 3, "name": "n", "twice": (x + 1, 2.5)}
    model = disc.compile(Fn(fn), (torch.randn(4, 3),), ({0: BATCH},))
    for rows in (0, 1, 5):
        x = torch.randn(rows, 3)
        got, want = model(x), fn(x)
        assert list(got) == list(want)
        assert (got["nothing"], got["number"], got["name"], got["twice"][1]) == (None, 3, "n", 2.5)
        torch.testing.assert_close(got["sum"], want["sum"])
        torch.testing.assert_close(got["twice"][0], want["twice"][0])


def test_a_size_as_a_result_is_refused_by_place():
    with pytest.raises(disc.CompileError, match=r"result 1 \(`sym_size\w*`\): expected a tensor, got a size"):
        disc.compile(Fn(lambda x: (x + 1, x.shape[0])), (torch.randn(4, 3),), ({0: BATCH},))


def test_weights_changed_in_place_hold_in_the_next_call():
    """Wide enough for products that read packed weights."""
    source = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 32))
    other = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 32))
    model = disc.compile(source, (torch.randn(4, 64),), ({0: BATCH},))
    x = torch.randn(40, 64)

    def check():
        with torch.no_grad():
            torch.testing.assert_close(model(x), source(x), rtol=1e-5, atol=1e-5)

    check()
    source.load_state_dict(other.state_dict())
    check()
    with torch.no_grad():
        source[2].weight.zero_()
        source[2].bias.fill_(7)
    check()
    assert torch.equal(model(x), torch.full((40, 32), 7.0))


@pytest.mark.parametrize("name", ["gt_", "lt_", "ge_", "le_", "eq_", "ne_"])
def test_comparisons_in_place_keep_the_type(name):
    def fn(x):
        y = x * 2
        getattr(y, name)(0.5)
        return y * 3 + y

    model = disc.compile(Fn(fn), (torch.randn(4, 3),), ({0: BATCH},))
    for rows in (0, 1, 6):
        x = torch.randn(rows, 3)
        torch.testing.assert_close(model(x), fn(x))


@pytest.mark.parametrize("name", ["logical_and_", "logical_or_", "logical_xor_"])
def test_logic_in_place_keeps_the_type(name):
    def fn(x):
        y = torch.relu(x)
        getattr(y, name)(torch.relu(-x) + torch.relu(x - 0.5))
        return y - 1

    model = disc.compile(Fn(fn), (torch.randn(4, 3),), ({0: BATCH},))
    x = torch.randn(7, 3)
    torch.testing.assert_close(model(x), fn(x))
