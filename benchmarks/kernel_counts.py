"""How many kernels one call launches, and why they are not fewer.

    python benchmarks/kernel_counts.py                      # softmax, layer norm, GELU chain, attention, a BERT layer
    python benchmarks/kernel_counts.py --only "BERT layer"

A kernel is a fusion; products and convolutions are calls. Reasons are the planner's own remarks.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass
class Count:
    """kinds: fusions by kind; goal: most kernels; reasons: remark -> how often."""

    model: str
    goal: int | None
    launches: int
    kinds: dict[str, int]
    library: dict[str, int]
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
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "model.mlir")
        fast = disc.compile(model.eval(), example, dynamic_shapes=shapes, keep_module=module)
        reasons = explain(module)
    report = fast.report
    kinds = Counter(f["kind"] for f in report.fusions)
    return Count(name, goal, sum(report.kernels.values()), dict(kinds), dict(report.library), reasons)


def explain(module: Path) -> dict[str, int]:
    """The planner's remarks on pairs of ops that it did not join."""
    from disc.toolchain import tool

    disc_opt = str(tool("disc-opt"))
    graph = module.with_suffix(".graph.mlir")
    subprocess.run([disc_opt, "--disc-pipeline", "--to=graph", str(module), "-o", str(graph)], check=True)
    passes = ["--disc-fusion-tie-shapes", "--disc-fusion-plan=explain=true"]
    command = [disc_opt, *passes, str(graph), "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    remarks: Counter[str] = Counter()
    for text in done.stderr.split(" remark: ")[1:]:
        producer = re.search(r"see current operation: (?:.* = )?\"?([\w.]+)", text)
        remarks[f"{producer[1] if producer else 'an op'} {text.splitlines()[0]}".replace("`", "")] += 1
    return dict(remarks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="models whose name has one of these words")
    parser.add_argument("--reasons", type=int, default=12, help="how many remarks are printed a model")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    found = []
    for name, (goal, make) in models().items():
        if options.only and not any(word in name for word in options.only):
            continue
        result = count(name, goal, *make())
        found.append(result)
        wanted = "" if goal is None else f" (goal {goal}: {'reached' if result.launches <= goal else 'missed'})"
        kinds = ", ".join(f"{n} {kind}" for kind, n in result.kinds.items())
        calls = ", ".join(f"{n} {call}" for call, n in result.library.items()) or "none"
        print(f"{name}: {result.launches} kernels{wanted}: {kinds}; calls: {calls}", flush=True)
        for reason, times in sorted(result.reasons.items(), key=lambda r: -r[1])[: options.reasons]:
            print(f"    {times:3d} x {reason}")
    if options.json:
        options.json.write_text(json.dumps([asdict(c) for c in found], indent=1))


if __name__ == "__main__":
    sys.exit(main())
