"""Write older and composite ops in terms of the ones that the rest of the compiler knows."""

from disc_dsl import Pass

PASS = Pass(on="func.func", native=True)
