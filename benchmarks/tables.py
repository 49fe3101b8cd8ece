"""Markdown tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return [*lines, *("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in rows), ""]


def percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.0f} %"


def splice(page: str, script: str, text: str) -> None:
    """Replaces what stands in docs/`page` between the marks that name `script`."""
    path = Path(__file__).resolve().parents[1] / "docs" / page
    begin, end = f"<!-- made by benchmarks/{script} --docs -->", f"<!-- end of {script} -->"
    before, found, rest = path.read_text().partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"error: {path}: expected the lines `{begin}` and `{end}` around the table")
    path.write_text(f"{before}{begin}\n{text.rstrip()}\n{end}{after}")
