"""Each kernel beside its bound: bytes over the bandwidth of a copy of that size, or flops over the best f32 product.

    python benchmarks/micro/run.py                       # fusions and products
    python benchmarks/micro/run.py --only softmax --json softmax.json
    python benchmarks/micro/run.py --docs                # writes docs/microbenchmarks.md

Elementwise chains of many ops are bound by arithmetic where the data is in a cache; the bound counts bytes alone.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import machine
from limits import Limits, Probe
from micro.cases import Case, fusion_cases, product_cases
from system import prioritise, realtime, run_delay
from tables import percent, table

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Figure:
    """Seconds of a kernel at one shape, and its bound's. launches: kernels and library calls of one call."""

    case: str
    shape: str
    bound: float
    by: str
    disc: float
    eager: float
    error: float
    launches: str

    @property
    def fraction(self) -> float:
        return self.bound / self.disc


def turn(call: Callable[[], Any], count: int) -> float:
    """Median seconds of `count` calls, taken again where the threads waited for a core."""
    seconds = [0.0] * count
    for _ in range(4):
        call()  # what another one left in the caches goes
        waited, started = run_delay(), time.perf_counter()
        for i in range(count):
            begun = time.perf_counter()
            call()
            seconds[i] = time.perf_counter() - begun
        if (run_delay() - waited) / 1e9 < 0.1 * (time.perf_counter() - started):
            break
        time.sleep(0.05)
    return statistics.median(seconds)


def interleaved(calls: list[Callable[[], Any]], rounds: int, budget: float) -> list[float]:
    """Median seconds of each, in turns; every turn repeats a short call for about `budget` seconds."""
    times: list[list[float]] = [[] for _ in calls]
    counts = []
    for call in calls:
        call()
        begun = time.perf_counter()
        call()
        counts.append(max(1, min(200, int(budget / (time.perf_counter() - begun)))))
    for _ in range(rounds):
        for call, count, slot in zip(calls, counts, times):
            slot.append(turn(call, count))
    return [statistics.median(slot) for slot in times]


def bound(case: Case, sizes: dict[str, int], io: float, limits: Limits) -> tuple[float, str]:
    moved = case.bytes(sizes) if case.bytes else io
    by_bytes = moved / limits.bandwidth(moved) / 1e9
    by_flops = (case.flops(sizes) if case.flops else 0.0) / limits.peak / 1e9
    return max(by_bytes, by_flops), "bytes" if by_bytes >= by_flops else "flops"


def measure(case: Case, limits: Limits, options: argparse.Namespace) -> list[Figure]:
    import disc
    import torch

    symbols = {name: disc.Dim(name) for of in case.dims for name in of.values()}
    shapes = tuple({i: symbols[name] for i, name in of.items()} for of in case.dims)
    model = case.model.eval()
    # An example whose sizes differ from each other and from 1.
    example = case.inputs({name: 6 + i for i, name in enumerate(symbols)})
    # `*tensors` is one argument of forward for torch.export.
    variadic = type(model).__name__ == "Function"
    fast = disc.compile(model, example, dynamic_shapes=(shapes,) if variadic else shapes, threads=options.threads)
    kernels, library = sum(fast.report.kernels.values()), sum(fast.report.library.values())
    figures = []
    for sizes in case.sizes:
        inputs = case.inputs(sizes)
        with torch.no_grad():
            expected, got = model(*inputs), fast(*inputs)
            io = sum(t.numel() * t.element_size() for t in [*inputs, expected])
            error = (expected - got).abs().max().item()
            with realtime(options.nice < 0):
                ours, eager = interleaved(
                    [lambda: fast(*inputs), lambda: model(*inputs)], options.rounds, options.budget
                )
        least, by = bound(case, sizes, io, limits)
        shape = "x".join(map(str, sizes.values()))
        figures.append(Figure(case.name, shape, least, by, ours, eager, error, f"{kernels} + {library}"))
    return figures


def report(figures: list[Figure]) -> list[str]:
    rows = [
        [f.case, f.shape, f"{1e6 * f.bound:.1f} ({f.by})", f"{1e6 * f.disc:.1f}", percent(f.fraction),
         f"{1e6 * f.eager:.1f}", f"{f.disc / f.eager:.2f}", f.launches, f"{f.error:.0e}"]
        for f in figures
    ]  # fmt: skip
    head = ["kernel", "shape", "bound, us", "DISC, us", "of bound", "eager, us", "DISC / eager",
            "kernels + calls", "error"]  # fmt: skip
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="kernels whose name has one of these words")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--budget", type=float, default=0.01, help="seconds of timed calls in a round")
    parser.add_argument("--nice", type=int, default=-20, help="priority; below 0 timed calls run under SCHED_RR too")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--docs", action="store_true", help="write docs/microbenchmarks.md")
    options = parser.parse_args()
    prioritise(options.nice)
    os.environ["OMP_NUM_THREADS"] = str(options.threads)  # before torch is loaded
    begun = time.time()
    with tempfile.TemporaryDirectory() as scratch:
        probe = Probe(Path(scratch), options.threads, options.nice < 0)
        probe()
    import torch

    torch.set_num_threads(options.threads)
    cases = [*fusion_cases(), *product_cases()]
    figures, failed = [], []
    for case in cases:
        if options.only and not any(word in case.name for word in options.only):
            continue
        try:
            figures += measure(case, probe.limits, options)
        except Exception as error:
            failed.append(f" - {case.name} failed: {' '.join(str(error).split())[:300]}")
    heading = machine.describe("python benchmarks/micro/run.py", time.time() - begun)
    heading.append(f" - {options.threads} threads, medians of {options.rounds} interleaved rounds")
    text = "\n".join(["# Micro-benchmarks", "", *heading, "", *report(figures), *failed]).rstrip() + "\n"
    print(text)
    if options.json:
        options.json.write_text(json.dumps([asdict(f) for f in figures], indent=1))
    if options.docs:
        (ROOT / "docs" / "microbenchmarks.md").write_text(text)


if __name__ == "__main__":
    main()
