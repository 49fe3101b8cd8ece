"""Write batch normalization and its gradient as elementwise ops and reductions, in f32 for narrower types."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
