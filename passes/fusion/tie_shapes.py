"""Tie the sizes of every dynamic tensor to SSA values, so that later stages see them."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
