"""Runs one workload with all peers: each one's first pass alone, then all in turn, shape by shape, round by round."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peers import PEERS
from process import PeerError, Process
from system import busy_seconds, session_seconds
from worker import Job
from workloads import WORKLOADS

Say = Callable[[str], None]


@dataclass
class Options:
    """rounds, budget: timed rounds, and seconds of timed calls in each, a shape and peer
    shapes:        indices in the trace; None: all
    static_shapes: how many shapes a peer sees that compiles for each
    nice:          priority; below 0, timed calls run under SCHED_RR too
    timeout:       seconds that a compilation may take
    """

    threads: int = 2
    rounds: int = 5
    budget: float = 0.03
    shapes: list[int] | None = None
    static_shapes: int = 3
    nice: int = -20
    timeout: float = 300.0
    scratch: Path = Path()
    logs: Path = Path()


@dataclass
class Samples:
    """What was measured of one peer, by index in the trace. Seconds; MiB.

    steady: a list of rounds a shape, each {"seconds", "faults", "delay"}
    """

    failed: str = ""
    note: str = ""
    build: float = 0.0
    before_mib: float = 0.0
    others: float = 0.0  # cores that others used during the first pass
    first: dict[int, float] = field(default_factory=dict)
    error: dict[int, float] = field(default_factory=dict)
    scale: dict[int, float] = field(default_factory=dict)
    steady: dict[int, list[dict[str, float]]] = field(default_factory=dict)
    shape_failures: dict[int, str] = field(default_factory=dict)
    stats: dict[str, Any] = field(default_factory=dict)  # after the first pass
    steady_stats: dict[str, Any] = field(default_factory=dict)  # of the timed rounds

    @property
    def cold(self) -> float:
        return self.build + sum(self.first.values())


@dataclass
class Measured:
    """A workload's figures. cost: {"io", "weights", "flops"} by shape."""

    workload: str
    shapes: list[int]
    cost: dict[int, dict[str, float]] = field(default_factory=dict)
    peers: dict[str, Samples] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    others: float = 0.0


def measure(workload: str, names: list[str], options: Options, say: Say) -> Measured:
    """names: peers, eager first (the others are compared with its outputs)."""
    kind = WORKLOADS[workload]
    indices = list(range(len(kind.trace))) if options.shapes is None else options.shapes
    result = Measured(workload, indices)
    say(f"\n{workload}: {kind.title}; {len(indices)} shapes")
    scratch = options.scratch / workload
    scratch.mkdir()
    running: dict[str, Process] = {}
    try:
        for name in names:
            if PEERS[name].only and workload not in PEERS[name].only:
                continue
            if why := PEERS[name].absent():
                result.absent[name] = why
                say(f"  {name:17s} absent: {why}")
                continue
            _prepare_inductor(name, options.scratch, scratch)
            job = Job(workload, name, options.threads, options.nice, scratch, options.logs / f"{workload}-{name}.log")
            running[name] = Process(job)
            _first_pass(running[name], result, options, say)
        _steady(running, result, options, say)
    finally:
        for process in running.values():
            process.stop()
        shutil.rmtree(scratch, ignore_errors=True)
    return result


def _prepare_inductor(name: str, run: Path, scratch: Path) -> None:
    """Compiling graphs is always cold, but what inductor does once a machine is there already."""
    warm = run / "inductor"
    if warm.exists() and any("inductor" in module for module in PEERS[name].imports):
        shutil.copytree(warm, scratch / f"inductor-{name}")


def _first_pass(process: Process, result: Measured, options: Options, say: Say) -> None:
    name = process.job.peer
    samples = result.peers[name] = Samples()
    begun, busy = time.time(), busy_seconds()
    try:
        answer = process.ask("build", timeout=options.timeout)
    except PeerError as error:
        samples.failed = str(error)
        say(f"  {name:17s} FAILED to build: {error}")
        return
    samples.build, samples.note, samples.before_mib = answer["seconds"], answer["note"], answer["before_mib"]
    kind, indices = WORKLOADS[result.workload], result.shapes
    if PEERS[name].recompiles:
        indices = indices[: max(2, options.static_shapes // 2) if kind.heavy else options.static_shapes]
    for index in indices:
        try:
            answer = process.ask("first", index, timeout=options.timeout)
        except PeerError as error:
            samples.shape_failures[index] = str(error)
            continue
        samples.first[index], samples.error[index] = answer["seconds"], answer["error"]
        samples.scale[index] = answer["scale"]
        if "cost" in answer:
            result.cost[index] = answer["cost"]
    samples.others = max(0.0, busy_seconds() - busy - session_seconds(process.session)) / max(0.1, time.time() - begun)
    with contextlib.suppress(PeerError):
        samples.stats = process.ask("stats")
    if not samples.first:
        samples.failed = "no shape ran: " + next(iter(samples.shape_failures.values()))
    error = max(samples.error.values(), default=float("nan"))
    say(
        f"  {name:17s} build {samples.build:.2f} s, first pass {samples.cold:.2f} s over {len(samples.first)} of "
        f"{len(result.shapes)} shapes, error {error:.1e}, {samples.others:.1f} cores used by others"
    )
    for index, text in list(samples.shape_failures.items())[:2]:
        say(f"      {kind.shape_name(index)}: {text}")


def _steady(running: dict[str, Process], result: Measured, options: Options, say: Say) -> None:
    begun, busy = time.time(), busy_seconds()
    own = sum(session_seconds(process.session) for process in running.values())
    for index in result.shapes:
        for _ in range(options.rounds):
            for name, process in running.items():
                samples = result.peers[name]
                if samples.failed or index not in samples.first:
                    continue
                try:
                    samples.steady.setdefault(index, []).append(process.ask("time", index, options.budget))
                except PeerError as error:
                    samples.shape_failures[index] = str(error)
    own = sum(session_seconds(process.session) for process in running.values()) - own
    elapsed = time.time() - begun
    result.others = max(0.0, busy_seconds() - busy - own) / elapsed
    for name, process in running.items():
        if not result.peers[name].failed:
            with contextlib.suppress(PeerError):
                result.peers[name].steady_stats = process.ask("stats")
    say(f"  steady state: {elapsed:.0f} s, {result.others:.1f} cores used by others")
