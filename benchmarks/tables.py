"""Markdown tables."""

from __future__ import annotations

import math
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return [*lines, *("| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in rows), ""]


def percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.0f} %"
