"""Every model of the zoo: one artifact, many sizes, compared with eager PyTorch."""

import pytest
import torch

import disc
from models.zoo import MODELS, bert

ENTRIES = {**MODELS, "bert": lambda: bert(layers=2)}


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_model_answers_like_eager_at_every_size(name):
    entry = ENTRIES[name]()
    before = disc.compile_count()
    compiled = disc.compile(entry.model, entry.inputs(**entry.example), entry.dynamic_shapes)
    for sizes in entry.sizes:
        inputs = entry.inputs(**sizes)
        with torch.no_grad():
            expected = entry.model(*inputs)
        got = compiled(*inputs)
        assert got.shape == expected.shape, sizes
        # Models accumulate over 768..3072-long reductions in another order than eager: their own tolerance.
        torch.testing.assert_close(got, expected, rtol=1e-5, atol=entry.tolerance, msg=lambda m: f"{sizes}: {m}")
    assert disc.compile_count() == before + 1
    assert compiled.report.refused == []
