"""Compiles a model once and runs it at many shapes beside eager PyTorch.

    python examples/demo.py                  # BERT-base, 12 layers
    python examples/demo.py --model gpt2     # any model of examples/models/zoo.py

Prints per shape: max abs error against eager, milliseconds of DISC and of eager (medians of interleaved runs).
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from typing import Any, Callable

import torch

import disc
from models.zoo import MODELS


def interleaved(functions: list[Callable[[], Any]], budget: float = 0.6) -> list[float]:
    """Median seconds of each function, taken in turns within about `budget` seconds each."""
    times: list[list[float]] = [[] for _ in functions]
    for function in functions:
        function()
    started = time.perf_counter()
    while len(times[0]) < 3 or (time.perf_counter() - started < budget * len(functions) and len(times[0]) < 50):
        for slot, function in zip(times, functions):
            begun = time.perf_counter()
            function()
            slot.append(time.perf_counter() - begun)
    return [statistics.median(slot) for slot in times]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="bert", choices=sorted(MODELS))
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--save", metavar="FOLDER", help="also write the artifact")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)

    entry = MODELS[options.model]()
    print(f"compiling {options.model} with {options.threads} threads ...", flush=True)
    before = disc.compile_count()
    fast = disc.compile(entry.model, entry.inputs(**entry.example), entry.dynamic_shapes, threads=options.threads)
    print(fast.report)

    worst, ratios = 0.0, []
    print(f"\n{'sizes':<20} {'max abs error':>14} {'DISC ms':>10} {'eager ms':>10} {'eager/DISC':>10}")
    with torch.no_grad():
        for sizes in entry.sizes:
            inputs = entry.inputs(**sizes)
            got, expected = fast(*inputs), entry.model(*inputs)
            error = (got - expected).abs().max().item() if expected.numel() else 0.0
            ours, eager = interleaved([lambda: fast(*inputs), lambda: entry.model(*inputs)])
            worst = max(worst, error if not math.isnan(error) else math.inf)
            ratios.append(eager / ours)
            text = " ".join(f"{name}={size}" for name, size in sizes.items())
            times = f"{ours * 1e3:>10.3f} {eager * 1e3:>10.3f} {eager / ours:>10.2f}"
            print(f"{text:<20} {error:>14.2e} {times}", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\ngeometric mean speed-up over eager: {mean:.2f}; worst error {worst:.2e} (limit {entry.tolerance:.0e})")
    print(f"compiles: {disc.compile_count() - before}")
    if options.save:
        print(f"artifact written to {fast.save(options.save)}")
    return 0 if worst < entry.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
