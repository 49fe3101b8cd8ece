"""Many threads on one artifact, many shapes: answers equal serial ones, and nothing is kept."""

from concurrent.futures import ThreadPoolExecutor

import torch

import disc
from models.zoo import bert

CALLS, SHAPES, THREADS = 1000, 200, 8


def test_threads_share_one_artifact():
    entry = bert(layers=1, hidden=96)
    compiled = disc.compile(entry.model, entry.inputs(**entry.example), entry.dynamic_shapes, threads=2)
    sizes = [dict(b=1 + i % 5, s=1 + (7 * i) % 61 + i // 61) for i in range(SHAPES)]
    assert len({tuple(s.values()) for s in sizes}) == SHAPES
    inputs = [entry.inputs(**s) for s in sizes]
    serial = [compiled(*values).clone() for values in inputs]
    live = compiled.statistics()["live_bytes"]

    with ThreadPoolExecutor(THREADS) as pool:
        results = pool.map(lambda i: torch.equal(compiled(*inputs[i % SHAPES]), serial[i % SHAPES]), range(CALLS))
        assert all(results)
    assert compiled.statistics()["live_bytes"] == live


class Residual(torch.nn.Module):
    """Products with weights, with their transposes and in batches, each among kernels."""

    def __init__(self, width: int):
        super().__init__()
        self.up, self.down = torch.nn.Linear(width, 2 * width), torch.nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.down(torch.relu(self.up(x))) + x
        return torch.softmax(h @ h.transpose(1, 2), -1) @ h


def test_bits_of_products_do_not_depend_on_threads():
    """A large product is cut into more pieces than there are workers; whoever is free takes the next one."""
    torch.manual_seed(0)
    width = 512
    model = Residual(width).eval()
    dims = ({0: disc.Dim("b"), 1: disc.Dim("s")},)
    compiled = {t: disc.compile(model, (torch.randn(2, 3, width),), dims, threads=t) for t in (1, 2, 3, 5)}
    for b, s in [(1, 1), (1, 700), (3, 257), (16, 33), (7, 5), (0, 4)]:
        x = torch.randn(b, s, width)
        first = compiled[1](x)
        torch.testing.assert_close(first, model(x), rtol=1e-5, atol=1e-5)
        for threads in (2, 3, 5):
            assert torch.equal(compiled[threads](x), first), f"{b} x {s}, {threads} threads"
