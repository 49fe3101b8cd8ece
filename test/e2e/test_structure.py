"""A loaded artifact is called, and answers, as the model was that was compiled."""

import json
import subprocess
import sys
from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import pytest
import torch

import disc

Pair = namedtuple("Pair", ["low", "high"])
BATCH = disc.Dim("b", max=1000)


@dataclass
class Output:
    logits: torch.Tensor
    hidden: tuple | None = None
    loss: torch.Tensor | None = None


torch.export.register_dataclass(Output)


class Model(torch.nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, *args, **kwargs):
        return self.fn(*args, **kwargs)


def loaded(fn, args, shapes, folder, kwargs=None):
    model = disc.compile(Model(fn), args, shapes, example_kwargs=kwargs)
    again = disc.load(model.save(folder))
    return model, disc.load(again.save(folder / "again"))  # what is loaded saves the same


def equal(got, want):
    assert type(got) is type(want) or isinstance(want, tuple) and type(got).__name__ == type(want).__name__, (got, want)
    if isinstance(want, torch.Tensor):
        torch.testing.assert_close(got, want)
    elif isinstance(want, dict):
        assert list(got) == list(want)
        for key in want:
            equal(got[key], want[key])
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want) and getattr(got, "_fields", 0) == getattr(want, "_fields", 0)
        for g, w in zip(got, want):
            equal(g, w)
    else:
        assert got == want


RESULTS = {
    "tensor": lambda x: x + 1,
    "tuple of one": lambda x: (x + 1,),
    "list": lambda x: [x + 1, x * 2],
    "dict": lambda x: {"b": x + 1, 3: (x, [x * 2, None]), "a": {"n": 2, "t": "text", "f": 0.5}},
    "named tuple": lambda x: Pair(x - 1, (x + 1, True)),
    "nothing": lambda x: (None, x.sum(0)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results(name, tmp_path):
    fn = RESULTS[name]
    model, again = loaded(fn, (torch.randn(4, 3),), (({0: BATCH},),), tmp_path / "a")
    for rows in (0, 1, 5):
        x = torch.randn(rows, 3)
        equal(again(x), fn(x))
        equal(model(x), fn(x))


def test_arguments(tmp_path):
    def fn(pair, more, *, named):
        return {"r": pair.low + pair.high + more["x"] * named[0]}

    a, b, c, d = torch.randn(4, 5, 3).unbind()
    _, again = loaded(fn, (Pair(a, b), {"x": c}), None, tmp_path / "a", {"named": [d]})
    want = fn(Pair(a, b), {"x": c}, named=[d])
    equal(again(Pair(a, b), {"x": c}, named=[d]), want)
    equal(again({"low": a, "high": b}, {"x": c}, named=[d]), want)  # fields by name
    equal(again(a, b, c, d), want)  # one by one
    shown = r"expected inputs of structure \(Pair\(low=\*, high=\*\), \{'x': \*\}, named=\[\*\]\): "
    for args, kwargs, why in (
        ((Pair(a, b), {"y": c}), {"named": [d]}, r"got the keys y in the place of \{'x': \*\}"),
        ((Pair(a, b), {"x": c}), {}, r"got the keys none in the place of \{'named': \[\*\]\}"),
        ((Pair(a, b), {"x": c}), {"named": [d, d]}, r"got a list of 2 in the place of \[\*\]"),
        ((Pair(a, b), {"x": [c]}), {"named": [d]}, "got a list of 1 in the place of a tensor"),
        (((a, b), {"x": c}), {"named": [d]}, "got a tuple of 2 in the place of Pair"),
        ((a, b), {}, r"got a tuple of 2|got a Tensor in the place of Pair"),
    ):
        with pytest.raises(TypeError, match=shown + why):
            again(*args, **kwargs)


def test_a_class_comes_back_as_its_fields(tmp_path):
    x = torch.randn(4, 3)
    model, again = loaded(lambda x: Output(x + 1, (x, x * 2)), (x,), None, tmp_path / "a")
    got = again(x)
    assert isinstance(model(x), Output) and isinstance(got, dict) and set(got) == {"logits", "hidden", "loss"}
    torch.testing.assert_close(got.logits, x + 1)
    torch.testing.assert_close(got["hidden"], (x, x * 2))
    assert got.loss is None
    with pytest.raises(AttributeError, match="no field `other`; there are logits, hidden, loss"):
        got.other


def test_a_model_output_of_transformers_comes_back_as_its_fields(tmp_path):
    outputs = pytest.importorskip("transformers.modeling_outputs")
    x = torch.randn(4, 3)
    _, again = loaded(lambda x: outputs.BaseModelOutput(last_hidden_state=x + 1), (x,), None, tmp_path / "a")
    torch.testing.assert_close(again(x).last_hidden_state, x + 1)


def test_dictionaries_that_keep_an_order(tmp_path):
    x = torch.randn(2, 3)
    _, again = loaded(lambda x: OrderedDict(z=x, a=x + 1), (x,), None, tmp_path / "a")
    equal(again(x), {"z": x, "a": x + 1})


def test_without_the_model_s_classes(tmp_path):
    """In another process, which does not import torch for a call with numpy arrays."""
    model = disc.compile(Model(lambda x: Pair(x, {"y": x + 1})), (torch.zeros(2),))
    model.save(tmp_path / "a")
    code = (
        "import sys, numpy, disc\n"
        "r = disc.load(sys.argv[1])(numpy.ones(2, 'f4'))\n"
        "assert type(r).__name__ == 'Pair' and (r.high['y'] == 2).all() and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=True)


def test_artifacts_of_before_have_flat_results(tmp_path):
    x = torch.randn(4, 3)
    folder = disc.compile(Model(lambda x: {"a": x, "b": x + 1}), (x,)).save(tmp_path / "a")
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["structure"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    equal(disc.load(folder)(x), (x, x + 1))


BROKEN = [3, {}, {"inputs": "*", "results": "*"}, {"inputs": {"tuple": []}, "results": {"set": []}}]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_structure_is_an_error(tmp_path, broken):
    folder = disc.compile(Model(lambda x: x), (torch.zeros(2),)).save(tmp_path / "a")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "structure": broken}))
    with pytest.raises(disc.DiscError, match="its manifest has no readable `structure`"):
        disc.load(folder)
