"""Compute every shape operand from index scalars; remove the shape dialect."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
