"""Matrix products with a constant right operand: GFLOP/s of DISC, of MKL (torch.mm) and of oneDNN with packed weights.

python benchmarks/micro/products.py [--threads 1 2] [--kn 768,768 768,3072] [--rows 1 7 64]

The bound is the larger of flops over the machine's peak, measured here as the best rate of any 1024-row product of the run,
and of the weight's bytes over the bandwidth that one row reaches.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

import disc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from system import realtime

ROWS = [1, 2, 7, 16, 64, 128, 257, 384, 1024, 3072]
SHAPES = ["768,768", "768,2304", "768,3072", "3072,768", "64,257", "257,64"]


def subjects(k: int, n: int, threads: int) -> dict[str, Callable[[torch.Tensor], torch.Tensor]]:
    layer = torch.nn.Linear(k, n, bias=False).eval()
    rows = torch.export.Dim("rows", min=1, max=1 << 20)
    example, dims = (torch.randn(3, k),), ({0: rows},)
    transposed = layer.weight.detach().t().contiguous()
    packed = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), 256)
    return {
        "disc": disc.compile(layer, example, dims, threads=threads),
        "disc bf16": disc.compile(layer, example, dims, threads=threads, precision="bf16"),
        "mkl": lambda x: torch.mm(x, transposed),
        "onednn packed": lambda x: torch.ops.mkldnn._linear_pointwise(x, packed, None, "none", [], ""),
    }


def measure(functions: dict[str, Callable], x: torch.Tensor, flops: float, rounds: int) -> dict[str, float]:
    """GFLOP/s of each, the medians of rounds that take turns."""
    repeat = max(1, int(1e8 / flops))
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        function(x)
    with realtime(True):
        for _ in range(rounds):
            for name, function in functions.items():
                function(x)
                started = time.perf_counter()
                for _ in range(repeat):
                    function(x)
                seconds[name].append((time.perf_counter() - started) / repeat)
    return {name: flops / statistics.median(values) / 1e9 for name, values in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kn", nargs="+", default=SHAPES)
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    torch.set_grad_enabled(False)
    for threads in args.threads:
        torch.set_num_threads(threads)
        print(f"{threads} threads: GFLOP/s\n{'K':>6}{'N':>6}{'rows':>6}", end="")
        head = True
        for shape in args.kn:
            k, n = map(int, shape.split(","))
            functions = subjects(k, n, threads)
            if head:
                print("".join(f"{name:>15}" for name in functions), "  disc / onednn")
                head = False
            for rows in args.rows:
                rates = measure(functions, torch.randn(rows, k), 2.0 * rows * k * n, args.rounds)
                print(f"{k:6}{n:6}{rows:6}", end="")
                print("".join(f"{rate:15.1f}" for rate in rates.values()), end="")
                print(f"{rates['disc'] / rates['onednn packed']:15.2f}", flush=True)


if __name__ == "__main__":
    main()
