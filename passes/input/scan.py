"""Write scan as a loop over slices."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
