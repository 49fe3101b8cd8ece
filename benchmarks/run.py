"""Runs DISC beside its peers, all in one run, and writes report, figures and plots.

    python benchmarks/run.py --quick                     # W1 to W9; the peers that compile in seconds: minutes
    python benchmarks/run.py                             # every peer that is installed: most of an hour
    python benchmarks/run.py --only W1 W3 --peers disc ort openvino
    python benchmarks/run.py --docs                      # also writes docs/benchmarks.md and its plots

A peer that is not installed (requirements.txt) is reported as absent. README.md says how it measures.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import shutil
import tempfile
import time
from pathlib import Path

import machine
from goals import GOALS
from harness import Measured, Options, measure
from inductor import warm_up
from limits import Probe
from peers import PEERS, QUICK
from report import document
from summary import summarise
from system import prioritise
from workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[1]
SHARED = ("torch._dynamo", "torch.export", "torch.onnx", "onnx", "onnxscript", "torch_mlir.fx")


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="W", choices=list(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument("--peers", nargs="+", metavar="PEER", choices=list(PEERS), help=f"of {', '.join(PEERS)}")
    parser.add_argument("--quick", action="store_true", help=f"2 rounds, {', '.join(QUICK)}")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, help="timed rounds a shape and peer (default 5)")
    parser.add_argument("--budget", type=float, help="seconds of timed calls in a round (default 0.03)")
    parser.add_argument("--shapes", type=int, nargs="+", metavar="I", help="only these shapes of each trace, from 0")
    parser.add_argument("--static-shapes", type=int, default=3, help="shapes for peers that compile for each")
    parser.add_argument("--nice", type=int, default=-20, help="priority; below 0 timed code runs under SCHED_RR")
    parser.add_argument("--timeout", type=float, default=300, help="seconds that a compilation may take")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "benchmarks", help="folder of report and plots")
    parser.add_argument("--json", type=Path, metavar="FILE", help="every sample, for other tools")
    parser.add_argument("--docs", action="store_true", help="write docs/benchmarks.md and docs/benchmarks/*.png")
    options = parser.parse_args(words)
    options.peers = options.peers or list(QUICK if options.quick else PEERS)
    options.peers = ["eager", *(p for p in options.peers if p != "eager")]  # the others are compared with its outputs
    options.rounds = options.rounds or (2 if options.quick else 5)
    options.budget = options.budget or (0.01 if options.quick else 0.03)
    return options


def load_shared_modules(options: argparse.Namespace) -> None:
    """Imports once what several peers import; they are forks of this process. No op runs here: a thread pool that a
    fork inherits is dead."""
    wanted = {module for name in options.peers for module in PEERS[name].imports}
    modules = ["torch", *(m for m in SHARED if m in wanted)]
    if {"W5", "W6"} & set(options.only):
        modules.append("transformers.models.bert.modeling_bert")
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            print(f"no {module}: {error}")


def run(options: argparse.Namespace) -> list[Measured]:
    prioritise(options.nice)
    load_shared_modules(options)
    begun = time.time()
    options.out.mkdir(parents=True, exist_ok=True)
    logs = options.out / "logs"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir()
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="bench-", dir=in_memory if in_memory.is_dir() else None) as scratch:
        probe = Probe(Path(scratch), options.threads, options.nice < 0)
        inductor = warm_up(options.peers, Path(scratch))
        probe()
        settings = Options(
            options.threads, options.rounds, options.budget, options.shapes, options.static_shapes, options.nice,
            options.timeout, Path(scratch), logs,
        )  # fmt: skip
        results = []
        for name in options.only:
            results.append(measure(name, options.peers, settings, lambda line: print(line, flush=True)))
            if not options.quick or name in ("W3", "W6", options.only[-1]):
                probe()
    _write(options, results, probe, inductor, time.time() - begun)
    return results


def _command(options: argparse.Namespace) -> str:
    """The command line as far as it decides about figures."""
    words = ["python benchmarks/run.py", *(["--quick"] if options.quick else [])]
    if options.only != list(WORKLOADS):
        words += ["--only", *options.only]
    if set(options.peers) != set(QUICK if options.quick else PEERS):
        words += ["--peers", *options.peers]
    return " ".join(words)


def _write(options: argparse.Namespace, results: list[Measured], probe: Probe, inductor: str, seconds: float) -> None:
    from plots import draw

    summaries = [summarise(r, probe.limits) for r in results if r.cost]
    heading = machine.describe(_command(options), seconds)
    heading.append(f" - {options.threads} threads, {options.rounds} rounds of {options.budget} s, medians")
    if inductor:
        heading.append(f" - inductor's work once a machine, charged to nobody: {inductor}")
    plots = draw(summaries, options.out)
    text = document(summaries, probe, heading, plots)
    (options.out / "report.md").write_text(text)
    print("\n" + text)
    if options.json:
        record = {
            "options": vars(options), "machine": heading, "limits": dataclasses.asdict(probe.limits),
            "goals": {k: dataclasses.asdict(v) for k, v in GOALS.items()},
            "workloads": [dataclasses.asdict(r) for r in results],
        }  # fmt: skip
        options.json.write_text(json.dumps(record, indent=1, default=str))
    if options.docs:
        folder = ROOT / "docs" / "benchmarks"
        folder.mkdir(exist_ok=True)
        for plot in plots:
            shutil.copy(options.out / plot, folder / plot)
        text = document(summaries, probe, heading, [f"benchmarks/{plot}" for plot in plots])
        (ROOT / "docs" / "benchmarks.md").write_text(text)


if __name__ == "__main__":
    run(arguments())
