"""Figures of one workload from its samples."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from harness import Measured, Samples
from limits import Limits
from peers import PEERS
from workloads import WORKLOADS


def geomean(values: Iterable[float]) -> float:
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def undisturbed(samples: Samples, index: int) -> list[dict[str, float]]:
    """The rounds in which the threads did not wait for a core; all where there are none."""
    rounds = samples.steady.get(index, [])
    return [r for r in rounds if r["delay"] < 0.1] or rounds


@dataclass
class Row:
    """One peer at one workload. Seconds, MiB, fractions.

    warm:     median seconds by shape
    relative: to eager, geometric mean over the shapes
    limit:    of the physical limit, by shape
    new:      first call at a shape / steady, geometric mean without the first shape
    spread:   between rounds, (largest - least) / median, median over the shapes
    disturbed: of the rounds, those in which threads waited for a core
    faults:   minor page faults a call in steady state, by shape
    """

    peer: str
    warm: dict[int, float]
    relative: float
    cold: float
    build: float
    to_first: float
    limit: dict[int, float]
    new: float
    faults: dict[int, float]
    graphs: int | None
    error: float
    scale: float
    peak: float
    steady_peak: float
    spread: float
    disturbed: float
    complete: bool


@dataclass
class Summary:
    """rows: by peer. ratios: DISC's time over eager's by shape. largest: the shape with most bytes or flops."""

    measured: Measured
    rows: dict[str, Row]
    ideal: dict[int, float]
    largest: int
    smallest: int

    @property
    def name(self) -> str:
        return self.measured.workload

    def best(self, besides: tuple[str, ...] = ("disc",)) -> Row | None:
        """The best f32 peer that ran all shapes."""
        rivals = [r for r in self.rows.values() if r.complete and PEERS[r.peer].f32 and r.peer not in besides]
        return min(rivals, key=lambda r: r.relative, default=None)

    def ratios(self, peer: str, other: str = "eager") -> dict[int, float]:
        mine, theirs = self.rows[peer].warm, self.rows[other].warm
        return {i: mine[i] / theirs[i] for i in mine if i in theirs}

    def shape(self, index: int) -> str:
        return WORKLOADS[self.name].shape_name(index)


def summarise(measured: Measured, limits: Limits) -> Summary:
    kind = WORKLOADS[measured.workload]
    ideal = {i: limits.seconds(cost) for i, cost in measured.cost.items()}
    size = "io" if kind.memory_bound or not any(c["flops"] for c in measured.cost.values()) else "flops"
    order = sorted(measured.cost, key=lambda i: measured.cost[i][size])
    eager = _warm(measured.peers["eager"])
    rows = {}
    for name, samples in measured.peers.items():
        if not samples.failed and samples.steady:
            rows[name] = _row(name, samples, eager, ideal, len(measured.shapes))
    return Summary(measured, rows, ideal, order[-1], order[0])


def _warm(samples: Samples) -> dict[int, float]:
    return {i: statistics.median(r["seconds"] for r in undisturbed(samples, i)) for i in samples.steady}


def _row(name: str, samples: Samples, eager: dict[int, float], ideal: dict[int, float], shapes: int) -> Row:
    warm = _warm(samples)
    spreads = []
    for index in warm:
        seconds = [r["seconds"] for r in undisturbed(samples, index)]
        if len(seconds) > 1:
            spreads.append((max(seconds) - min(seconds)) / statistics.median(seconds))
    indices = list(samples.first)
    return Row(
        peer=name,
        warm=warm,
        relative=geomean(warm[i] / eager[i] for i in warm if i in eager),
        cold=samples.cold,
        build=samples.build,
        to_first=samples.build + samples.first[indices[0]],
        limit={i: ideal[i] / warm[i] for i in warm if i in ideal},
        new=geomean(samples.first[i] / warm[i] for i in indices[1:] if i in warm),
        faults={i: statistics.median(r["faults"] for r in rounds) for i, rounds in samples.steady.items()},
        graphs=samples.stats.get("graphs"),
        error=max(samples.error.values()),
        scale=max(samples.scale.values()),
        peak=samples.stats.get("peak_mib", math.nan),
        steady_peak=samples.steady_stats.get("peak_mib", math.nan),
        spread=statistics.median(spreads) if spreads else math.nan,
        disturbed=statistics.fmean(r["delay"] >= 0.1 for rounds in samples.steady.values() for r in rounds),
        complete=len(warm) == shapes,
    )
