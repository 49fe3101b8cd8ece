"""Memory over 10,000 calls at 10,000 different shapes: what stays resident, and page faults a call.

    python benchmarks/memory.py                  # W1 to W4, and BERT with 2 layers, hidden 64
    python benchmarks/memory.py --calls 2000 --only W2
    python benchmarks/memory.py --docs           # also writes the table into docs/performance.md

Flat: the resident size after the last call is that after the first tenth, within --slack MiB.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from system import minor_faults, reset_peak, status_mib
from tables import splice, table


@dataclass
class Figure:
    """resident: MiB after each tenth of the calls. Faults and bytes are those of calls after the first tenth.

    warm, end: the runtime's counters after the first tenth and at the end.
    """

    model: str
    calls: int
    shapes: int
    resident: list[float] = field(default_factory=list)
    peak_mib: float = 0.0
    faults: float = 0.0
    faults_again: float = 0.0
    seconds: float = 0.0
    warm: dict[str, int] = field(default_factory=dict)
    end: dict[str, int] = field(default_factory=dict)

    @property
    def growth(self) -> float:
        """MiB, from the end of the first tenth to the end."""
        return self.resident[-1] - self.resident[0]


@dataclass(frozen=True)
class Case:
    """Inputs of two sizes, at most `most`, whose `work` is at most `limit`; `make` gives model and inputs by sizes."""

    most: tuple[int, int]
    work: Callable[[int, int], int]
    limit: int
    make: Callable[[], tuple[Any, Callable[[int, int], tuple]]]
    dims: list[dict[int, str]]

    def sizes(self, calls: int) -> list[tuple[int, int]]:
        """Different pairs in random order."""
        grid = itertools.product(range(1, self.most[0] + 1), range(1, self.most[1] + 1))
        every = [pair for pair in grid if self.work(*pair) <= self.limit]
        if len(every) < calls:
            raise SystemExit(f"error: --calls: at most {len(every)} shapes, got {calls}")
        return random.Random(7).sample(every, calls)


def run(name: str, fast: Any, shapes: list[tuple[int, int]], inputs: Callable[[int, int], tuple]) -> Figure:
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
        output = fast(*given)
        del output
        if i > warm:
            faults += minor_faults() - before
        if i % warm == 0:
            figure.resident.append(status_mib("VmRSS"))
            figure.end = fast.statistics()
            figure.warm = figure.warm or figure.end
    figure.seconds = time.perf_counter() - begun
    figure.faults = faults / max(1, len(shapes) - warm)
    repeated = shapes[-100:]
    for shape in repeated:
        fast(*inputs(*shape))
    faults = 0
    for shape in repeated:
        given = inputs(*shape)
        before = minor_faults()
        fast(*given)
        faults += minor_faults() - before
    figure.faults_again = faults / len(repeated)
    figure.peak_mib = status_mib("VmHWM")
    return figure


def cases() -> dict[str, Case]:
    import torch

    from workloads import WORKLOADS
    from workloads.transformers import Bert

    def of(name: str, elements: int, shape: Callable[[int, int], tuple[int, ...]], count: int) -> Callable:
        def make() -> tuple:
            x = torch.randn(elements)

            def inputs(rows: int, length: int) -> tuple:
                sizes = shape(rows, length)
                return (x[: math.prod(sizes)].view(sizes),) * count

            return WORKLOADS[name]().make_model(), inputs

        return make

    def attention() -> tuple:
        model, inputs = of("W4", 2**13 * 12 * 64, lambda b, s: (b, 12, s, 64), 3)()
        ones = torch.ones(2**13, dtype=torch.bool)
        return model, lambda b, s: (*inputs(b, s), ones[: b * s].view(b, s))

    def bert() -> tuple:
        ids, ones = torch.randint(0, 1000, (2048,)), torch.ones(2048, dtype=torch.int64)
        model = Bert(num_hidden_layers=2, hidden_size=64, num_attention_heads=4, intermediate_size=256)
        return model, lambda b, s: (ids[: b * s].view(b, s), ones[: b * s].view(b, s))

    def tokens(b: int, s: int) -> int:
        return b * s

    def scores(b: int, s: int) -> int:
        return b * s * s

    def dims(name: str) -> list[dict[int, str]]:
        return WORKLOADS[name]().dynamic_dims

    softmax = of("W1", 2**15 * 12, lambda b, s: (b, 12, s, s), 1)
    residual = of("W2", 2048 * 768, lambda b, s: (b, s, 768), 2)
    chain = of("W3", 2**16, lambda n, m: (n, m), 2)
    return {
        "W1: softmax": Case((2048, 512), scores, 2**15, softmax, dims("W1")),
        "W2: residual, layer norm, GELU": Case((512, 512), tokens, 2048, residual, dims("W2")),
        "W3: 12 elementwise ops": Case((512, 1024), tokens, 2**16, chain, dims("W3")),
        "W4: attention": Case((2048, 512), scores, 2**15, attention, dims("W4")),
        "BERT, 2 layers, hidden 64": Case((512, 512), tokens, 2048, bert, [{0: "B", 1: "S"}] * 2),
    }


def measure(name: str, calls: int, threads: int) -> Figure:
    """In a process of its own: the runtime's counters are a process's."""
    import torch

    import disc

    torch.set_num_threads(threads)
    case = cases()[name]
    model, inputs = case.make()
    symbols = {n: disc.Dim(n, max=512 if n == "S" else None) for of in case.dims for n in of.values()}
    shapes = tuple({i: symbols[n] for i, n in of.items()} for of in case.dims)
    fast = disc.compile(model.eval(), inputs(2, 5), dynamic_shapes=shapes, threads=threads)
    return run(name, fast, case.sizes(calls), inputs)


def summary(figures: list[Figure]) -> str:
    """For docs; MiB, first tenth -> end."""
    head = ["model", "calls = shapes", "resident", "live", "peak", "pooled", "faults: new shapes", "known shapes"]
    rows = []
    for f in figures:
        pairs = [(f.warm[k] / 2**20, f.end[k] / 2**20) for k in ("live_bytes", "peak_bytes", "pool_bytes")]
        moved = [f"{a:.1f} -> {b:.1f}" for a, b in [(f.resident[0], f.resident[-1]), *pairs]]
        rows.append([f.model, str(f.shapes), *moved, f"{f.faults:.2f}", f"{f.faults_again:.2f}"])
    return "\n".join(table(head, rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--slack", type=float, default=8.0, metavar="MIB")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="models whose name has one of these words")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    figures, bad = [], False
    for name in cases():
        if options.only and not any(word in name for word in options.only):
            continue
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as child:
            figure = child.submit(measure, name, options.calls, options.threads).result()
        figures.append(figure)
        grown = figure.growth > options.slack
        bad |= grown
        print(f"{figure.model}: {figure.calls} calls at {figure.shapes} shapes in {figure.seconds:.0f} s")
        print("  resident after each tenth, MiB:", " ".join(f"{r:.0f}" for r in figure.resident))
        print(f"  growth after the first tenth {figure.growth:+.1f} MiB: {'NOT flat' if grown else 'flat'}")
        print(f"  page faults a call: {figure.faults:.2f} at new shapes, {figure.faults_again:.2f} at known ones")
        print(f"  runtime after the first tenth {figure.warm}")
        print(f"  runtime at the end            {figure.end}", flush=True)
    if options.docs:
        text = f"Threads: {options.threads}.\n\n{summary(figures)}"
        splice("performance.md", "memory.py", text)
    if options.json:
        options.json.write_text(json.dumps([asdict(f) for f in figures], indent=1))
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
