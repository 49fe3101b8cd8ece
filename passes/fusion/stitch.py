"""Join matrix products with the fusions that read or write their rows, block of rows by block of rows."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
