"""Carry the elements of tuples one by one, and drop tokens and optimization barriers."""

from disc_dsl import Pass

PASS = Pass(on="module", native=True)
