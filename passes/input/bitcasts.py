"""Write bit casts between element types of different widths, and of complex ones, as shifts on integers."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
