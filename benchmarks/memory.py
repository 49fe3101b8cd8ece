"""Memory over 10,000 calls at 10,000 different shapes: what stays resident, and page faults a call.

    python benchmarks/memory.py                  # layer norm with GELU (W2), and a BERT layer
    python benchmarks/memory.py --calls 2000

Flat: the resident size after the last call is that after the first tenth, within --slack MiB.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from system import minor_faults, reset_peak, status_mib


@dataclass
class Figure:
    """resident: MiB after each tenth of the calls. Faults and bytes are those of calls after the first tenth."""

    model: str
    calls: int
    shapes: int
    resident: list[float] = field(default_factory=list)
    peak_mib: float = 0.0
    faults: float = 0.0
    faults_again: float = 0.0
    seconds: float = 0.0
    runtime: dict[str, int] = field(default_factory=dict)

    @property
    def growth(self) -> float:
        """MiB, from the end of the first tenth to the end."""
        return self.resident[-1] - self.resident[0]


def sizes(calls: int, rows: int, length: int, elements: int) -> list[tuple[int, int]]:
    """Different pairs of at most `rows` x `length`, with a product of at most `elements`, in random order."""
    every = [(r, n) for r in range(1, rows + 1) for n in range(1, min(length, elements // r) + 1)]
    if len(every) < calls:
        raise SystemExit(f"error: --calls: at most {len(every)} shapes of {elements} elements, got {calls}")
    return random.Random(7).sample(every, calls)


def run(name: str, call: Callable[[Any], Any], shapes: list[tuple[int, int]], inputs: Callable[..., Any]) -> Figure:
    """Inputs are views of one buffer, so that what is counted is the compiled model's."""
    figure = Figure(name, len(shapes), len(set(shapes)))
    # The largest shapes first, as a service would meet them in its first minutes.
    warm = max(1, len(shapes) // 10)
    order = sorted(shapes, key=lambda s: -s[0] * s[1])
    shapes = order[: warm // 2] + [s for s in shapes if s not in set(order[: warm // 2])]
    reset_peak()
    begun, faults = time.perf_counter(), 0
    for i, shape in enumerate(shapes, 1):
        given = inputs(*shape)
        before = minor_faults()
        output = call(given)
        del output
        if i > warm:
            faults += minor_faults() - before
        if i % warm == 0:
            figure.resident.append(status_mib("VmRSS"))
    figure.seconds = time.perf_counter() - begun
    figure.faults = faults / max(1, len(shapes) - warm)
    repeated = shapes[-100:]
    for shape in repeated:
        call(inputs(*shape))
    faults = 0
    for shape in repeated:
        given = inputs(*shape)
        before = minor_faults()
        call(given)
        faults += minor_faults() - before
    figure.faults_again = faults / len(repeated)
    figure.peak_mib = status_mib("VmHWM")
    return figure


def models(calls: int, threads: int) -> Iterator[Figure]:
    import torch

    import disc
    from workloads import WORKLOADS

    torch.set_num_threads(threads)
    b, s = disc.Dim("B"), disc.Dim("S", max=512)
    shape = {0: b, 1: s}

    x = torch.randn(64 * 512 * 768)
    model = WORKLOADS["W2"]().make_model().eval()
    example = (torch.randn(2, 5, 768), torch.randn(2, 5, 768))
    fast = disc.compile(model, example, dynamic_shapes=(shape, shape), threads=threads)

    def pair(rows: int, length: int) -> tuple:
        view = x[: rows * length * 768].view(rows, length, 768)
        return view, view

    found = run("W2", lambda given: fast(*given), sizes(calls, 64, 512, 4096), pair)
    found.runtime = fast.statistics()
    yield found

    from workloads.transformers import Bert

    bert = Bert(num_hidden_layers=1, hidden_size=64, num_attention_heads=4, intermediate_size=256).eval()
    ids = torch.randint(0, 1000, (64 * 512,))
    ones = torch.ones(64 * 512, dtype=torch.int64)

    def tokens(rows: int, length: int) -> tuple:
        count = rows * length
        return ids[:count].view(rows, length), ones[:count].view(rows, length)

    small = disc.compile(bert, tokens(2, 5), dynamic_shapes=(shape, shape), threads=threads)
    found = run("BERT layer, hidden 64", lambda given: small(*given), sizes(calls, 64, 512, 4096), tokens)
    found.runtime = small.statistics()
    yield found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slack", type=float, default=8.0, metavar="MIB")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    figures, bad = [], False
    for figure in models(options.calls, options.threads):
        figures.append(figure)
        grown = figure.growth > options.slack
        bad |= grown
        print(f"{figure.model}: {figure.calls} calls at {figure.shapes} shapes in {figure.seconds:.0f} s")
        print("  resident after each tenth, MiB:", " ".join(f"{r:.0f}" for r in figure.resident))
        print(f"  growth after the first tenth {figure.growth:+.1f} MiB: {'NOT flat' if grown else 'flat'}")
        print(f"  page faults a call: {figure.faults:.2f} at new shapes, {figure.faults_again:.2f} at known ones")
        print(f"  runtime: {figure.runtime}", flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(f) for f in figures], indent=1))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
