"""Group memory-bound ops into dhlo.fusion ops, one kernel each."""

from dataclasses import dataclass

from disc_dsl import Pass, option


@dataclass(frozen=True)
class PlanOptions:
    max_ops: int = option(256, "how many ops a fusion may hold")


PASS = Pass(on="func.func", native=True, options=PlanOptions)
