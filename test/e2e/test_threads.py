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
