"""Group memory-bound ops into dhlo.fusion ops, one kernel each."""

from dataclasses import dataclass

from disc_dsl import Pass, option


@dataclass(frozen=True)
class PlanOptions:
    explain: bool = option(False, "remark on every pair of ops that was not fused, and why")
    max_ops: int = option(256, "how many ops a fusion may hold")


PASS = Pass(on="func.func", native=True, options=PlanOptions)
