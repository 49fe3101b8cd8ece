"""What DISC has to reach: warm, a multiple of the best f32 peer of the same run; cold, seconds for the whole trace."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    warm: float
    cold: float


GOALS = {
    "W1": Goal(0.80, 1.3),
    "W2": Goal(0.60, 1.5),
    "W3": Goal(0.75, 1.5),
    "W4": Goal(0.65, 2.0),
    "W5": Goal(0.97, 10.0),
    "W6": Goal(0.97, 4.0),
    "W7": Goal(0.97, 3.4),
    "W8": Goal(0.85, 1.8),
    "W9": Goal(1.05, 3.5),
}
WORST_SHAPE = 1.05  # of eager's time, any shape
LARGEST_OF_BANDWIDTH = 0.85  # W1 to W3, largest shape, of the best streaming bandwidth
LARGEST_OF_ROOFLINE = 0.88  # W5, largest shape
TINY = 0.5  # of eager's time, smallest shape of W1 to W3
BF16_OF_DEFAULT = 1.0  # disc-bf16 against OpenVINO's default, W5 to W7


def verdict(value: float, goal: float, unit: str = "") -> str:
    """`reached`, or by how much it is missed."""
    if value <= goal:
        return "reached"
    if unit:
        return f"missed by {value - goal:.1f} {unit}"
    return f"missed by {100 * (value / goal - 1):.0f} %"
