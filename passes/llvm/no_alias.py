"""Mark kernel arguments whose buffers no other argument overlaps."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
