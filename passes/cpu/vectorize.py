"""Turn innermost parallel loops of kernels into loops over vectors, with several accumulators and a masked tail."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
