"""PNG plots of a run. Without matplotlib there are none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goals import GOALS
from peers import PEERS
from summary import Row, Summary


def draw(summaries: Sequence[Summary], folder: Path) -> list[str]:
    """Writes the plots; their names."""
    try:
        import matplotlib
    except ImportError:
        print("no plots: matplotlib is not installed")
        return []
    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    made = [
        _bars(summaries, folder / "warm.png", "latency / eager (geometric mean)", lambda s, r: r.relative),
        _bars(summaries, folder / "cold.png", "first pass over the trace, s", lambda s, r: r.cold, log=True),
        *(_shapes(s, folder / f"{s.name}.png") for s in summaries),
    ]
    return made


def _names(summaries: Sequence[Summary]) -> list[str]:
    return [n for n in PEERS if any(n in s.rows for s in summaries)]


def _style(name: str) -> dict[str, Any]:
    """A peer's colour is the same in all plots."""
    return {"color": f"C{list(PEERS).index(name) % 10}", "hatch": "//" if list(PEERS).index(name) >= 10 else None}


def _bars(summaries: Sequence[Summary], path: Path, label: str, value: Any, log: bool = False) -> str:
    import matplotlib.pyplot as plt

    names = _names(summaries)
    figure, axes = plt.subplots(figsize=(1.5 + 1.2 * len(summaries), 4))
    width = 0.85 / len(names)
    for k, name in enumerate(names):
        at = [i for i, s in enumerate(summaries) if name in s.rows]
        heights = [value(summaries[i], summaries[i].rows[name]) for i in at]
        axes.bar([i + (k - len(names) / 2 + 0.5) * width for i in at], heights, width, label=name, **_style(name))
    for i, s in enumerate(summaries):
        goal = GOALS[s.name].cold if log else (best.relative * GOALS[s.name].warm if (best := s.best()) else None)
        if goal:
            axes.plot([i - 0.45, i + 0.45], [goal, goal], "k--", linewidth=1, label="goal" if i == 0 else None)
    axes.set_xticks(range(len(summaries)), [s.name for s in summaries])
    axes.set_ylabel(label)
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 2)
        axes.axhline(1, color="grey", linewidth=0.5)
    axes.legend(fontsize=7, ncols=2)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path.name


def _shapes(s: Summary, path: Path) -> str:
    """Latency of every peer by shape, relative to eager, in the order of work."""
    import matplotlib.pyplot as plt

    order = sorted(s.ideal, key=lambda i: s.ideal[i])
    figure, axes = plt.subplots(figsize=(8, 4))
    for name, row in s.rows.items():
        _line(axes, s, row, order, name)
    limit = [s.ideal[i] / s.rows["eager"].warm[i] for i in order]
    axes.plot(range(len(order)), limit, "k:", label="physical limit")
    axes.set_xticks(range(len(order)), [s.shape(i) for i in order], rotation=45, fontsize=7)
    axes.set_ylabel("latency / eager")
    axes.set_ylim(0, 2)
    axes.set_title(f"{s.name}: {s.measured.workload and s.shape(order[0])} to {s.shape(order[-1])}", fontsize=9)
    axes.legend(fontsize=7, ncols=2)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path.name


def _line(axes: Any, s: Summary, row: Row, order: list[int], name: str) -> None:
    at = [k for k, i in enumerate(order) if i in row.warm]
    heights = [row.warm[order[k]] / s.rows["eager"].warm[order[k]] for k in at]
    bold = 2.5 if name == "disc" else 1.0
    axes.plot(at, heights, marker=".", linewidth=bold, color=_style(name)["color"], label=name)
