"""Intermediate buffers share an arena: right values at every size and from many threads, memory near what is alive."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

import disc
from disc.errors import ExecutionError

LAYERS = 6


class Layers(torch.nn.Module):
    """Sums over columns, then over rows: two kernels a layer."""

    def forward(self, x):
        kept = x
        for layer in range(LAYERS):
            y = torch.tanh(x - 0.01 * x.sum(0))
            x = y / (1 + (y * y).sum(1, keepdim=True))
            if layer == 2:
                kept = x
        return x + kept.sum(0), kept


def inputs(n: int, m: int) -> torch.Tensor:
    return torch.randn(n, m, generator=torch.Generator().manual_seed(n * 1000 + m))


def check(got, x: torch.Tensor) -> None:
    for ours, theirs in zip(got, Layers()(x.double()), strict=True):
        np.testing.assert_allclose(np.asarray(ours), theirs.numpy(), rtol=1e-5, atol=1e-5)  # sums of 512 that cancel


@pytest.fixture(scope="module")
def model():
    return disc.compile(Layers().eval(), (inputs(3, 5),), ({0: disc.Dim("n"), 1: disc.Dim("m")},), threads=2)


@pytest.fixture(scope="module")
def code(model, tmp_path_factory):
    return model.save(tmp_path_factory.mktemp("arena") / "layers") / "code.so"


def own_program(code, **options):
    return disc.runtime.Program(code, context=disc.runtime.make_context(threads=2, **options))


SHAPES = [(1, 1), (0, 4), (4, 0), (0, 0), (1, 7), (7, 1), (3, 5), (64, 33), (300, 17), (17, 2000), (512, 768)]


@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_values(model, n: int, m: int):
    x = inputs(n, m)
    check(model(x), x)


def test_the_report_tells_plan_and_bound(model):
    arenas = model.report.arenas
    assert arenas and all(arena["buffers"] >= LAYERS for arena in arenas)
    for arena in arenas:
        assert arena["bound"] <= arena["bytes"] <= 1.1 * arena["bound"], arena
    assert f"arena of {arenas[0]['buffers']} buffers at m = 64, n = 64: " in str(model.report)


def test_the_arena_is_one_allocation_and_memory_near_what_is_alive(code):
    program = own_program(code)
    x = inputs(512, 768).numpy()
    program(x)
    before = program.statistics()
    results = program(x)
    after = program.statistics()
    # Sums of long columns go by pieces in a branch, whose scratch is allocated there: partial sums, and tiles of two kernels.
    scratch = 3 * LAYERS
    assert after["allocations"] - before["allocations"] == 1 + len(results) + scratch
    assert after["system_allocations"] == before["system_allocations"]
    # A layer reads one tensor of the input's size and writes another; one result is kept meanwhile.
    assert after["peak_bytes"] <= 4.1 * x.nbytes
    assert after["peak_bytes"] + x.nbytes >= after["pool_bytes"] + after["live_bytes"]


def test_many_threads_have_an_arena_each(code):
    program = own_program(code)
    shapes = [shape for shape in SHAPES if 0 not in shape] * 4

    def call(shape):
        x = inputs(*shape)
        check(program(x.numpy()), x)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(call, shapes))
    assert program.statistics()["live_bytes"] == 0


def test_ten_thousand_shapes_leave_what_the_largest_needs(code):
    program = own_program(code)
    data = np.zeros(200 * 200, np.float32)
    order = np.random.default_rng(0).permutation(200 * 200)[:10_000]
    for i in order:
        n, m = int(i) // 200 + 1, int(i) % 200 + 1
        program(data[: n * m].reshape(n, m))
    now = program.statistics()
    assert now["live_bytes"] == 0
    assert now["pool_bytes"] <= 1.25 * now["peak_bytes"] + (4 << 20)
    assert now["system_allocations"] <= 300  # most are small blocks of some class


def test_what_does_not_fit_is_named(code):
    program = own_program(code, memory_limit=1 << 20)
    x = inputs(300, 1000)
    with pytest.raises(ExecutionError, match=r"cannot allocate .* a result at .* of type 300x1000xf32"):
        program(x.numpy())
    assert program.statistics()["live_bytes"] == 0
    check(program(x[:5, :7].contiguous().numpy()), x[:5, :7])


class Scores(torch.nn.Module):
    """Two large tensors on the way to a small one."""

    def forward(self, x):
        y = torch.tanh(x - x.sum(0))
        return torch.tanh(y - y.sum(0)).sum(0)


def test_an_arena_that_does_not_fit_names_what_is_in_it(tmp_path):
    model = disc.compile(Scores().eval(), (inputs(3, 5),), ({0: disc.Dim("n"), 1: disc.Dim("m")},), threads=2)
    program = own_program(model.save(tmp_path / "scores") / "code.so", memory_limit=1 << 20)
    x = inputs(300, 1000)
    with pytest.raises(ExecutionError, match=r"\d+ intermediate results, among them a result at .* of type 300x1000xf32"):
        program(x.numpy())
    assert program.statistics()["live_bytes"] == 0
    x = inputs(5, 7)
    np.testing.assert_allclose(program(x.numpy())[0], Scores()(x.double()).numpy(), rtol=1e-5, atol=1e-6)
