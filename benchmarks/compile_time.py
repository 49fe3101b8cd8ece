"""Compile time of BERT-base by depth and phase: `python benchmarks/compile_time.py [--layers 1 2 4 8 12]`.

Each depth is compiled in processes of its own, `--rounds` times in turn, and the round with the median sum counts. The
table has seconds a phase, the wall time, and user and system time of the process with its children. A line through the
depths says what a layer costs and how far a depth lies from it. `--plot` draws the phases over the depth.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

GROUPS = {
    "torch.export": ("torch.export",),
    "decompose": ("decompose",),
    "torch-mlir": ("torch-mlir",),
    "our passes": ("parse", "input", "shape", "graph", "fusion", "bufferize", "runtime", "cpu", "llvm"),
    "LLVM": ("translate", "optimize", "codegen"),
    "start, link, load": ("start", "link", "load"),
}


def compile_once(layers: int) -> dict[str, Any]:
    """Compiles BERT with `layers` layers here; seconds by phase, wall, user and system. Imports are apart."""
    import disc.frontends.torch_frontend
    import disc.runtime
    import torch
    import torch_mlir.fx  # noqa: F401 - imports are not timed
    import transformers

    config = transformers.BertConfig(num_hidden_layers=layers)
    config._attn_implementation = "eager"
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    batch, length = disc.Dim("b"), disc.Dim("s", max=512)
    ids, mask = torch.randint(0, 1000, (2, 16)), torch.ones(2, 16, dtype=torch.int64)
    shapes = {"input_ids": {0: batch, 1: length}, "attention_mask": {0: batch, 1: length}}
    kwargs = {"input_ids": ids, "attention_mask": mask}
    before, started = _cpu(), time.perf_counter()
    fast = disc.compile(model, (), shapes, example_kwargs=kwargs)
    wall = time.perf_counter() - started
    user, system = (after - then for after, then in zip(_cpu(), before))
    report = fast.report
    return {
        "layers": layers,
        "phases": dict(report.phases),
        "wall": wall,
        "user": user,
        "system": system,
        "fusions": len(report.fusions),
        "kernels": len(report.kernels),
    }


def _cpu() -> tuple[float, float]:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime for u in usages), sum(u.ru_stime for u in usages)


def measure(depths: list[int], rounds: int, realtime: bool) -> list[dict[str, Any]]:
    runs: dict[int, list[dict[str, Any]]] = {depth: [] for depth in depths}
    prefix = ["chrt", "-r", "1"] if realtime else []
    for _ in range(rounds):
        for depth in depths:
            command = [*prefix, sys.executable, __file__, "--one", str(depth)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(f"error: {' '.join(command)} failed:\n{done.stderr}")
            runs[depth].append(json.loads(done.stdout.splitlines()[-1]))
    return [sorted(of, key=lambda run: run["wall"])[(len(of) - 1) // 2] for of in runs.values()]


def grouped(run: dict[str, Any]) -> dict[str, float]:
    return {group: sum(run["phases"].get(phase, 0.0) for phase in phases) for group, phases in GROUPS.items()}


def line(depths: list[int], seconds: list[float]) -> tuple[float, float]:
    """(seconds without layers, seconds a layer): least squares."""
    if len(depths) < 2:
        return 0.0, seconds[0] / depths[0]
    slope, base = statistics.linear_regression(depths, seconds)
    return base, slope


def table(runs: list[dict[str, Any]]) -> str:
    base, slope = line([run["layers"] for run in runs], [run["wall"] for run in runs])
    head = ["layers", *GROUPS, "wall", "line", "user", "system", "fusions", "kernels"]
    rows = [head, ["---:"] * len(head)]
    for run in runs:
        fit = base + slope * run["layers"]
        figures = [*grouped(run).values(), run["wall"], fit, run["user"], run["system"]]
        rows.append([str(run["layers"]), *(f"{s:.2f}" for s in figures), str(run["fusions"]), str(run["kernels"])])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines += ["", f"{base:.2f} s and {slope:.2f} s a layer; each depth is compiled in a process of its own."]
    return "\n".join(lines)


def details(run: dict[str, Any]) -> str:
    lines = [f"{run['layers']} layers, every phase:"]
    return "\n".join(lines + [f"  {name:<14} {seconds:7.3f} s" for name, seconds in run["phases"].items()])


def draw(runs: list[dict[str, Any]], path: Path) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    depths = [run["layers"] for run in runs]
    base, slope = line(depths, [run["wall"] for run in runs])
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.stackplot(depths, *([grouped(run)[group] for run in runs] for group in GROUPS), labels=list(GROUPS), alpha=0.8)
    axes.plot(depths, [run["wall"] for run in runs], "ko", label="wall")
    ends = [0, max(depths)]
    label = f"{base:.2f} s + {slope:.2f} s a layer"
    axes.plot(ends, [base + slope * end for end in ends], "k--", linewidth=1, label=label)
    axes.set_xlim(0, max(depths) * 1.03)
    axes.set_ylim(0)
    axes.set_xlabel("layers of BERT-base")
    axes.set_ylabel("compile time, s")
    axes.legend(loc="upper left", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, nargs="+", default=[1, 2, 4, 8, 12])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures")
    parser.add_argument("--plot", type=Path, default=Path("compile_time.png"))
    parser.add_argument("--realtime", action="store_true", help="run under SCHED_RR, for a busy machine (as root)")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one is not None:
        print(json.dumps(compile_once(arguments.one)))
        return
    runs = measure(arguments.layers, arguments.rounds, arguments.realtime)
    print(table(runs))
    print("\n" + details(runs[-1]))
    draw(runs, arguments.plot)
    if arguments.json:
        arguments.json.write_text(json.dumps(runs, indent=2))


if __name__ == "__main__":
    main()
