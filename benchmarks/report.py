"""Markdown from the figures of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import goals
from goals import GOALS, verdict
from limits import Limits, Probe
from peers import PEERS
from summary import Row, Summary
from tables import percent, table
from workloads import WORKLOADS


def limits_table(probe: Probe) -> list[str]:
    limits = probe.limits

    def row(name: str, of: Callable[[Limits], float]) -> list[str]:
        low, high = probe.spread(of)
        return [name, f"{of(limits):.0f}", f"{low:.0f} to {high:.0f}"]

    rows = [row(f"{k}, GB/s beyond the caches", lambda s, k=k: s.stream[k]) for k in limits.stream]
    rows += [row(f"copy of {k >> 10} KiB in all, GB/s", lambda s, k=k: s.gbs[k]) for k in sorted(limits.gbs)]
    rows += [row(f"f32 product 2048^3, {k}, GFLOP/s", lambda s, k=k: s.gflops[k]) for k in limits.gflops]
    return table(["limit", "best of the probes", "range"], rows)


def goal_table(summaries: Sequence[Summary]) -> list[str]:
    head = ["", "DISC / eager", "best f32 peer / eager", "DISC / best", "goal", "", "cold, s", "goal", ""]
    head.append("worst shape")
    rows = []
    for s in summaries:
        goal, mine, best = GOALS[s.name], s.rows.get("disc"), s.best()
        if mine is None:
            failed = s.measured.peers.get("disc")
            rows.append([s.name, "**failed**: " + (failed.failed if failed else "not run"), *[""] * 8])
            continue
        ratios = s.ratios("disc")
        worst = max(ratios, key=lambda i: ratios[i])
        row = [s.name, f"{mine.relative:.2f}"]
        if best is None or best.peer == "eager" and len(s.rows) == 2:
            row += ["-", "-", f"{goal.warm:.2f}", "-"]
        else:
            of = mine.relative / best.relative
            row += [f"{best.relative:.2f} {best.peer}", f"{of:.2f}", f"{goal.warm:.2f}", verdict(of, goal.warm)]
        row += [f"{mine.cold:.1f}", f"{goal.cold:.1f}", verdict(mine.cold, goal.cold, "s")]
        late = "" if ratios[worst] <= goals.WORST_SHAPE else f", missed by {100 * (ratios[worst] - 1.05):.0f} %"
        rows.append([*row, f"{s.shape(worst)}: {ratios[worst]:.2f} of eager{late}"])
    return table(head, rows)


def further_goals(summaries: Sequence[Summary], limits: Limits) -> list[str]:
    """The goals that are not in the table: largest and smallest shapes, bf16, page faults, memory."""
    lines = []
    for s in summaries:
        mine = s.rows.get("disc")
        if mine is None:
            continue
        shape = s.shape(s.largest)
        if s.name in ("W1", "W2", "W3"):
            streamed = s.measured.cost[s.largest]["io"] / limits.best_stream / 1e9 / mine.warm[s.largest]
            lines.append(_line(f"{s.name} {shape}: of streaming bandwidth", streamed, goals.LARGEST_OF_BANDWIDTH))
            if moved := s.rows.get("stream"):
                lines.append(
                    f" - {s.name} {shape}: beside a loop that only reads and writes, in the same rounds: "
                    f"{percent(moved.warm[s.largest] / mine.warm[s.largest])}"
                )
            tiny = s.ratios("disc")[s.smallest]
            lines.append(_line(f"{s.name} {s.shape(s.smallest)}: of eager's time", tiny, goals.TINY, least=False))
        if s.name == "W5":
            lines.append(_line(f"W5 {shape}: of the roofline", mine.limit[s.largest], goals.LARGEST_OF_ROOFLINE))
            others = [r for r in s.rows.values() if PEERS[r.peer].f32 and r.peer not in ("disc", "eager")]
            if best := min(others, key=lambda r: r.peak, default=None):
                low = "reached" if mine.peak <= best.peak else f"missed by {mine.peak - best.peak:.0f} MiB"
                eager = f"eager {s.rows['eager'].peak:.0f}"
                lines.append(f" - W5 peak memory: {mine.peak:.0f} MiB, {best.peer} {best.peak:.0f}, {eager}: {low}")
        if {"disc-bf16", "openvino-default"} <= s.rows.keys() and s.name in ("W5", "W6", "W7"):
            of = s.rows["disc-bf16"].relative / s.rows["openvino-default"].relative
            text = verdict(of, goals.BF16_OF_DEFAULT)
            lines.append(f" - {s.name} in bf16: {of:.2f} of OpenVINO's default (goal {goals.BF16_OF_DEFAULT}): {text}")
        worst = max(mine.faults, key=lambda i: mine.faults[i])
        few = mine.faults[worst] < 0.1
        text = f"{mine.faults[worst]:.1f} (goal 0): {'reached' if few else f'missed, {s.shape(worst)}'}"
        lines.append(f" - {s.name} page faults a call in steady state: at most {text}")
    return [*lines, ""]


def _line(what: str, value: float, goal: float, least: bool = True) -> str:
    good = value >= goal if least else value <= goal
    text = "reached" if good else f"missed by {100 * abs(value - goal):.0f} points"
    return f" - {what}: {percent(value)} (goal {percent(goal)}): {text}"


def matrix(title: str, summaries: Sequence[Summary], cell: Callable[[Summary, Row], str]) -> list[str]:
    """One figure of every peer (rows) at every workload (columns)."""
    names = [n for n in PEERS if any(n in s.measured.peers for s in summaries)]
    rows = []
    for name in names:
        cells = []
        for s in summaries:
            ran = s.measured.peers.get(name)
            cells.append(cell(s, s.rows[name]) if name in s.rows else "-" if ran is None else "failed")
        rows.append([name, *cells])
    return [f"## {title}", "", *table(["peer", *(s.name for s in summaries)], rows)]


def matrices(summaries: Sequence[Summary]) -> list[str]:
    def largest(s: Summary, r: Row) -> str:
        return percent(r.limit[s.largest]) if s.largest in r.limit else "-"

    def worst(s: Summary, r: Row) -> str:
        ratios = s.ratios(r.peer)
        index = max(ratios, key=lambda i: ratios[i])
        return f"{ratios[index]:.2f} ({s.shape(index)})"

    def part(r: Row, text: str) -> str:
        return text if r.complete else text + "*"

    return [
        *matrix("Warm latency relative to eager, geometric mean over the trace", summaries,
                lambda s, r: part(r, f"{r.relative:.2f}")),
        *matrix("Worst shape: latency relative to eager", summaries, worst),
        *matrix("First pass over the trace with every compilation in it, seconds", summaries,
                lambda s, r: part(r, f"{r.cold:.1f}")),
        *matrix("Time to the first result, seconds", summaries, lambda s, r: f"{r.to_first:.1f}"),
        *matrix("Fraction of the physical limit, geometric mean", summaries,
                lambda s, r: part(r, percent(math.exp(sum(map(math.log, r.limit.values())) / len(r.limit))))),
        *matrix("Fraction of the physical limit, largest shape", summaries, largest),
        *matrix("First call at a new shape over steady state, geometric mean", summaries, lambda s, r: f"{r.new:.1f}"),
        *matrix("Compilations", summaries, lambda s, r: "-" if r.graphs is None else str(r.graphs)),
        *matrix("Peak resident memory of the process with compilation, MiB", summaries, lambda s, r: f"{r.peak:.0f}"),
        *matrix("Peak resident memory in steady state, MiB", summaries, lambda s, r: f"{r.steady_peak:.0f}"),
        *matrix("Minor page faults a call in steady state, most of any shape", summaries,
                lambda s, r: f"{max(r.faults.values()):.0f}"),
        *matrix("Rounds in which threads waited for a core (dropped where others are left)", summaries,
                lambda s, r: percent(r.disturbed)),
        *matrix("Largest absolute error against eager", summaries, lambda s, r: f"{r.error:.0e}"),
    ]  # fmt: skip


def shapes_table(s: Summary) -> list[str]:
    """Microseconds by shape, with the limit; and which peers failed or were absent."""
    best = s.best()
    lines = [f"## {s.name}: {WORKLOADS[s.name].title}", ""]
    rows = []
    for index in s.measured.shapes:
        cells = [s.shape(index), f"{1e6 * s.ideal[index]:.0f}"]
        cells += [f"{1e6 * r.warm[index]:.0f}" if index in r.warm else "-" for r in s.rows.values()]
        if "disc" in s.rows and best and index in s.rows["disc"].warm:
            mine = s.rows["disc"].warm[index]
            cells += [f"{mine / s.rows['eager'].warm[index]:.2f}", f"{mine / best.warm[index]:.2f}"]
            cells += [percent(s.rows["disc"].limit[index])]
        rows.append(cells)
    head = ["shape", "limit, us", *s.rows]
    if "disc" in s.rows and best:
        head += ["DISC / eager", f"DISC / {best.peer}", "DISC of limit"]
    lines += table(head, rows)
    for name, samples in s.measured.peers.items():
        if samples.failed:
            lines.append(f" - {name} failed: {samples.failed}")
        for index, text in list(samples.shape_failures.items())[:3]:
            lines.append(f" - {name} failed at {s.shape(index)}: {text}")
        if samples.note:
            lines.append(f" - {name}: {samples.note}")
    lines += [f" - {name} is absent: {why}" for name, why in s.measured.absent.items()]
    mine = s.measured.peers.get("disc")
    if mine and (phases := mine.stats.get("phases")):
        times = ", ".join(f"{k} {v:.2f}" for k, v in phases.items() if v >= 0.01)
        calls = ", ".join(f"{v} {k}" for k, v in mine.stats["library"].items()) or "none"
        kernels = mine.stats["kernels"]
        lines.append(f" - DISC compiles, seconds: {times}")
        lines.append(f" - DISC launches {sum(kernels.values())} kernels ({len(kernels)} different); calls: {calls}")
    return [*lines, ""]


def document(summaries: Sequence[Summary], probe: Probe, heading: Sequence[str], plots: Sequence[str]) -> str:
    lines = ["# Benchmarks", "", *heading, "", "## Goals", "", *goal_table(summaries)]
    lines += [*further_goals(summaries, probe.limits)]
    lines += [f"![{plot}]({plot})" for plot in plots] + ["", "## Physical limits", "", *limits_table(probe)]
    lines += matrices(summaries)
    for s in summaries:
        lines += shapes_table(s)
    return "\n".join(lines).rstrip() + "\n"
