"""How many kernels one call launches, and why they are not fewer.

    python benchmarks/kernel_counts.py                      # softmax, layer norm, GELU chain, attention, a BERT layer
    python benchmarks/kernel_counts.py --only "BERT layer"

A launch is a kernel, or a stitch with all of its kernels and products; what is no part of a stitch is a call. Reasons
are those of `disc report --explain-fusion`. `--docs` writes the table into docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tables import splice, table


@dataclass
class Count:
    """goal: most launches; inside: kernels and products in stitches; calls: outside of them.

    reasons: why two pieces of work stayed apart -> how often.
    """

    model: str
    goal: int | None
    launches: int
    stitches: int
    inside: tuple[int, int]
    calls: dict[str, int]
    reasons: dict[str, int]


def models() -> dict[str, tuple[int | None, Callable[[], tuple[Any, tuple, list[dict[int, str]]]]]]:
    """Name -> most kernels a call (None: no goal), and what makes model, example and dynamic dimensions."""
    import torch
    from torch import nn

    from workloads import WORKLOADS
    from workloads.transformers import Bert

    def of(name: str) -> Callable:
        def make() -> tuple:
            workload = WORKLOADS[name]()
            example = workload.inputs(workload.trace[0], torch.Generator().manual_seed(1))
            return workload.make_model(), example, workload.dynamic_dims

        return make

    class Gelu(nn.Module):
        def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
            return nn.functional.gelu(x + bias)

    class Layer(nn.Module):
        """One layer of BERT, without what precedes it."""

        def __init__(self) -> None:
            super().__init__()
            self.layer = Bert(num_hidden_layers=1).bert.encoder.layer[0]

        def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            y = self.layer(x, mask)
            return y[0] if isinstance(y, tuple) else y

    tokens = [{0: "B", 1: "S"}]
    masked = [*tokens, {0: "B", 3: "S"}]
    return {
        "softmax": (1, of("W1")),
        "layer norm": (1, lambda: (nn.LayerNorm(768), (torch.randn(2, 5, 768),), tokens)),
        "bias, GELU": (1, lambda: (Gelu(), (torch.randn(2, 5, 768), torch.randn(768)), [*tokens, {}])),
        "W2: residual, layer norm, GELU, residual": (1, of("W2")),
        "W3: 12 elementwise ops": (1, of("W3")),
        "W4: attention": (None, of("W4")),
        "BERT layer": (6, lambda: (Layer(), (torch.randn(2, 5, 768), torch.randn(2, 1, 1, 5)), masked)),
        "W5: BERT-base": (None, of("W5")),
        "W7: decoder, 2 layers": (None, of("W7")),
        "W8: recommender": (None, of("W8")),
    }  # fmt: skip


def count(name: str, goal: int | None, model: Any, example: tuple, dims: list[dict[int, str]]) -> Count:
    import disc

    bounds = {"S": 512}
    symbols = {n: disc.Dim(n, max=bounds.get(n)) for of in dims for n in of.values()}
    shapes = tuple({i: symbols[n] for i, n in of.items()} for of in dims)
    report = disc.compile(model.eval(), example, dynamic_shapes=shapes, explain_fusion=True).report
    kernels, products = (sum(stitch[key] for stitch in report.stitches) for key in ("kernels", "products"))
    calls = dict(report.library)
    calls["ral.gemm"] = calls.get("ral.gemm", 0) - products
    calls = {name: sites for name, sites in calls.items() if sites}
    stitches = len(report.stitches)
    return Count(name, goal, report.launches, stitches, (kernels, products), calls, reasons(report.explanation))


def reasons(explanation: str) -> dict[str, int]:
    """Why two pieces of work stayed apart, without places -> how often."""
    apart = explanation.partition("\napart: ")[2].splitlines()
    told = [line.strip() for line in apart if line.startswith("  ")]
    return dict(Counter(re.sub(r" at \S+(?= ->|: )", "", line).replace("`", "") for line in told))


def summary(found: list[Count]) -> str:
    """For docs: a row a model, its most frequent reasons."""
    head = ["model", "launches", "goal", "kernels", "stitches", "of kernels + products", "calls", "what stayed apart"]
    rows = []
    for c in found:
        calls = ", ".join(f"{sites} `{call}`" for call, sites in c.calls.items())
        why = "<br>".join(f"{times} x {reason}" for reason, times in _most(c.reasons, 4))
        inside = f"{c.inside[0]} + {c.inside[1]}" if c.stitches else ""
        counts = [c.launches, c.goal or "", c.launches - c.stitches, c.stitches]
        rows.append([c.model, *map(str, counts), inside, calls, why])
    return "\n".join(table(head, rows))


def _most(counts: dict[str, int], number: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda r: -r[1])[:number]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="models whose name has one of these words")
    parser.add_argument("--reasons", type=int, default=12, help="how many remarks are printed a model")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    found = []
    for name, (goal, make) in models().items():
        if options.only and not any(word in name for word in options.only):
            continue
        result = count(name, goal, *make())
        found.append(result)
        wanted = "" if goal is None else f" (goal {goal}: {'reached' if result.launches <= goal else 'missed'})"
        calls = ", ".join(f"{n} {call}" for call, n in result.calls.items()) or "none"
        kernels, products = result.inside
        print(
            f"{name}: {result.launches} launches{wanted}: {result.launches - result.stitches} kernels and "
            f"{result.stitches} stitches of {kernels} kernels and {products} products; calls: {calls}",
            flush=True,
        )
        for reason, times in _most(result.reasons, options.reasons):
            print(f"    {times:3d} x {reason}")
    if options.docs:
        splice("performance.md", "kernel_counts.py", summary(found))
    if options.json:
        options.json.write_text(json.dumps([asdict(c) for c in found], indent=1))


if __name__ == "__main__":
    sys.exit(main())
