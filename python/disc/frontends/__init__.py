"""From a framework's model to StableHLO text with weights beside it, one module a framework."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable


@dataclass
class Imported:
    """A model as the compiler takes it.

    text:       StableHLO module; `@main`'s arguments with attribute `disc.constant = "name"` are weights
    constants:  weight name -> array or tensor (shape and dtype as in `text`)
    flatten:    user's (args, kwargs) -> flat list of inputs, in the order of @main's non-constant arguments
    unflatten:  flat list of outputs -> what the model returns
    input_names: a name for each flat input
    structure:  of inputs and results as disc.structure has it; None where both are flat
    source:     the file that `text` comes from, as the user named it
    """

    text: str
    constants: dict[str, Any] = field(default_factory=dict)
    flatten: Callable[[tuple, dict], list] | None = None
    unflatten: Callable[[list], Any] | None = None
    input_names: list[str] = field(default_factory=list)
    phases: dict[str, float] = field(default_factory=dict)
    structure: dict[str, Any] | None = None
    source: Path | None = None
