"""Make the implicit broadcasts of chlo.broadcast_* ops explicit."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
